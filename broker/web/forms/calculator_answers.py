"""The page of a calculator at an address with inputs: their answer in its HTML, worked out as in the browser."""

from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.domain.calculators.calculator import Calculator
from broker.domain.calculators.registry import CALCULATORS
from broker.domain.calculators.view import calculator_view
from broker.web.serving.edge import file_answer
from broker.web.serving.releases import LiveExport
from broker.web.serving.rendered_pages import rendered_file
from broker.web.serving.response import Answer, Handler

MAX_FIELDS = 100
"""Parameters that are read of an address; more are ignored."""


def calculator_handlers(live: LiveExport) -> dict[str, Handler]:
    """Return the handler of each calculator's page by its path."""
    return {routes.calculator(each.slug): calculator_handler(each, live) for each in CALCULATORS}


def calculator_handler(calculator: Calculator, live: LiveExport) -> Handler:
    """Return the handler of a calculator's page: an address without parameters is left to the exported page."""
    name = routes.calculator_template(calculator.slug)

    async def answer(scope: Scope) -> Answer | None:
        export, query = live.export, scope.get("query_string", b"").decode("latin-1")
        if not query or name not in export.templates:
            return None
        view = calculator_view(calculator, _parameters(query))
        html = export.templates.render(name, {"panel": view})
        request = Headers(scope=scope)
        found = file_answer(rendered_file(html, request, site_url=export.site_url), request)
        return Answer(status=found.status, headers={**found.headers, "x-robots-tag": "noindex"}, body=found.body)

    return answer


def _parameters(query: str) -> dict[str, str]:
    """Return the first value of each parameter, as the browser's `URLSearchParams.get` does."""
    pairs = parse_qsl("&".join(query.split("&")[:MAX_FIELDS]), keep_blank_values=True, errors="replace")
    return dict(reversed(pairs))
