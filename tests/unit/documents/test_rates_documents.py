from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from broker.documents.document import Document, Table, Text
from broker.documents.search import SAMPLE, comparison_document, search_document
from broker.rates.comparison import comparison
from broker.rates.product import RateProduct
from broker.rates.query import RatesQuery
from broker.rates.results import rates_list
from tests.unit.rates.products import priced
from tests.unit.rates.three_deals import THREE, answer

QUERY = RatesQuery(price=250_000, amount=150_000)

rates = st.floats(0.5, 12).map(lambda rate: round(rate, 2))
products = st.lists(
    st.builds(
        lambda number, rate, fees: priced(f"p{number}", rate=rate, fees=fees, lender_id=number % 4 + 1),
        st.integers(0, 10**6),
        rates,
        st.integers(0, 3_000),
    ),
    min_size=1,
    max_size=14,
    unique_by=lambda product: product.product_id,
)


def tables(document: Document) -> list[Table]:
    return [part for section in document.sections for part in section.parts if isinstance(part, Table)]


def texts(document: Document) -> list[str]:
    return [part.text for section in document.sections for part in section.parts if isinstance(part, Text)]


@given(products, st.integers(1, 4))
def test_search_has_the_figures_of_its_cards(found: list[RateProduct], page: int) -> None:
    listed = answer(found, QUERY)
    document = search_document(listed, page, filters="")
    shown = rates_list(listed, min(page, 2), logos={})
    assert document is not None
    deals, terms = tables(document)
    assert [row[1:] for row in deals.rows] == [
        (
            *(card.headline.rate, card.headline.aprc, card.payment, card.fees, card.total, card.true_cost),
            card.true_year.removesuffix(" a year"),
        )
        for card in shown.cards
    ]
    assert [row[1:] for row in terms.rows] == [
        (card.follow_on, card.early_repayment, card.overpayments) for card in shown.cards
    ]
    assert (document.title, document.subtitle) == ("Mortgage deals", f"{shown.heading}. {shown.showing}")
    assert f"{shown.example} {shown.example_aprc}" in texts(document)


def test_search_says_what_was_asked_for_and_leads_to_it() -> None:
    query = replace(QUERY, customer="buy-to-let", residential=False, filters=frozenset({"cashback"}))
    document = search_document(answer(THREE, query), 9, filters="with cashback")
    assert document is not None
    assert dict(document.figures) == {
        "Property price": "£250,000",
        "Mortgage amount": "£150,000",
        "Loan to value": "60%",
        "Term": "25 years",
        "Deal": "Fixed, 2 years",
        "For": "Purchase",
        "Repay by": "Repayment",
        "Property": "Buy to let",
        "Filters": "With cashback",
    }
    assert document.title == "Buy to let deals"
    assert document.is_unregulated
    assert document.address.startswith("/buy-to-let/rates/?")
    assert "price=250000" in document.address
    assert document.file_name == "mortgage-deals-2026-03-04.pdf"
    assert search_document(answer((), query), 1, filters="") is None


@given(products)
def test_comparison_has_every_figure_of_the_page_once(found: list[RateProduct]) -> None:
    compared = found[:4]
    document = comparison_document(compared, QUERY, filters="", is_sample=True)
    if len(compared) < 2:
        assert document is None
        return
    assert document is not None
    shown = comparison(compared, logos=[""] * len(compared))
    differs, same = tables(document)
    assert differs.rows == tuple((row.label, *(each.text for each in row.figures)) for row in shown.rows)
    assert {differs.rows[y][x] for y, x in differs.bold} == {
        each.text for row in shown.rows for each in row.figures if each.lowest
    }
    assert same.rows == shown.same
    assert texts(document) == [*shown.notes, *(f"{sentence} {aprc}" for _, sentence, aprc in shown.examples)]
    assert SAMPLE in document.remarks
