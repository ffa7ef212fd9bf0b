"""The page of a calculator at an address with inputs: their answer in its HTML, worked out as in the browser."""

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.domain.calculators.calculator import Calculator
from broker.domain.calculators.registry import CALCULATORS
from broker.domain.calculators.view import calculator_view
from broker.web.serving.paths import parameters_of
from broker.web.serving.releases import LiveExport
from broker.web.serving.rendered_pages import public_answer, unindexed
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
        values = {"panel": calculator_view(calculator, given)}
        return unindexed(await public_answer(export, name, values=values, request=Headers(scope=scope)))

    return answer
