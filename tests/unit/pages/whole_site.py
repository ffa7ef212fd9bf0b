"""What the pages are made from, with the embedded content and every lender, and no rates: for tests of lists."""

from functools import cache
from typing import NoReturn

from broker.lenders.lender import KnownLender
from broker.pages.registry import BuildInputs
from broker.rates.market.generate import read_directory
from broker.settings import Settings
from tests.our_content import STORE
from tests.services import project_flow, project_method


def unasked(*_: object) -> NoReturn:
    """Fail where a list of pages asks for what only drawing them may."""
    raise AssertionError("asked for before a page is drawn")


@cache
def inputs() -> BuildInputs:
    data = Settings().data_dir
    lenders = tuple(
        KnownLender(
            lender_id=lender.lender_id,
            name=lender.name,
            slug=lender.slug,
            kind=lender.kind,
            residential=lender.residential,
            buy_to_let=lender.buy_to_let,
        )
        for lender in read_directory(data / "market")
    )
    return BuildInputs(
        store=STORE,
        rates=unasked,
        deals=unasked,
        faqs=unasked,
        rates_by_ltv=unasked,
        site_url="https://www.example.co.uk",
        flow=project_flow(),
        method=project_method(),
        lenders=lenders,
    )
