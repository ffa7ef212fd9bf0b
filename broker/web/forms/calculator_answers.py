"""The page of a calculator at an address with inputs: their answer in its HTML, worked out as in the browser."""

import asyncio
from dataclasses import replace

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.domain.calculators.calculator import Calculator
from broker.domain.calculators.registry import CALCULATORS
from broker.domain.calculators.view import calculator_view
from broker.web.serving.exported_site import ExportedFile
from broker.web.serving.file_answers import file_answer
from broker.web.serving.paths import parameters_of
from broker.web.serving.releases import LiveExport
from broker.web.serving.rendered_pages import rendered_file
from broker.web.serving.response import Answer, Handler


def calculator_handlers(live: LiveExport) -> dict[str, Handler]:
    """Return the handler of each calculator's page by its path."""
    return {routes.calculator(each.slug): calculator_handler(each, live) for each in CALCULATORS}


def calculator_handler(calculator: Calculator, live: LiveExport) -> Handler:
    """Return the handler of a calculator's page: an address without parameters is left to the exported page."""
    name = routes.calculator_template(calculator.slug)

    async def answer(scope: Scope) -> Answer | None:
        export, given = live.export, parameters_of(scope)
        if not given or name not in export.templates:
            return None
        request = Headers(scope=scope)

        def rendered() -> ExportedFile:
            html = export.templates.render(name, {"panel": calculator_view(calculator, given)})
            return rendered_file(html, request, site_url=export.site_url)

        # Rendering and compressing take milliseconds, for which other requests do not wait.
        found = file_answer(await asyncio.to_thread(rendered), request)
        return replace(found, headers={**found.headers, "x-robots-tag": "noindex"})

    return answer
