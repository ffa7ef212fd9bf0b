"""The list of a rates search as a document: the cards of the page, as tables."""

from collections.abc import Sequence
from itertools import starmap

from broker import routes
from broker.clock import UK
from broker.documents.document import Document, Part, Section, Table, Text
from broker.lending.loan_to_value import ltv_text
from broker.lending.money import pounds
from broker.rates.comparison import Comparison, comparison
from broker.rates.customers import RULES
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.query import RatesQuery
from broker.rates.results import RateCard, RatesList, rates_list
from broker.rates.search_params import COMPARE, parameters_of, search_address

MAX_PAGES = 2
"""Pages of the list, five deals each, that fit a document."""

TRUE_COST = "True cost is the interest and fees of the deal, less cashback; money that pays off the loan is left out."

_TRUE_COST_HEAD = "True cost of the deal"

_DEAL_HEADS = (
    *("Deal", "Initial rate", "APRC", "Monthly payment", "Lender fees", "To pay in the deal"),
    *(_TRUE_COST_HEAD, "True cost a year"),
)


def search_document(answer: RatesAnswer, page: int, *, filters: str) -> Document | None:
    """Return the list of an answer, ten deals at most, in its order; None for an empty one."""
    query, shown = answer.query, min(page, MAX_PAGES)
    found = rates_list(answer, shown, logos={}, filters=filters)
    if not found.cards:
        return None
    return Document(
        title=f"{RULES[query.customer].title} deals".capitalize(),
        subtitle=f"{found.heading}. {found.showing}",
        figures=search_figures(query, filters=filters),
        sections=(
            Section(parts=(_deals(found), _example(found), *_notes(found))),
            Section(title="After the deal, and leaving early", parts=(_terms(found),)),
        ),
        remarks=(TRUE_COST,),
        is_unregulated=found.unregulated,
        address=search_address(query, page=shown),
        file_name=f"mortgage-deals-{answer.read_at.astimezone(UK):%Y-%m-%d}.pdf",
    )


def search_figures(query: RatesQuery, *, filters: str) -> tuple[tuple[str, str], ...]:
    """Return the names and values of a search's inputs."""
    return (
        ("Property price", pounds(query.price)),
        ("Mortgage amount", pounds(query.amount)),
        ("Loan to value", ltv_text(query.amount, query.price)),
        ("Term", f"{query.term} {'year' if query.term == 1 else 'years'}"),
        ("Deal", f"{'Fixed' if query.fixed else 'Variable'}, {query.period} years"),
        ("For", "Purchase" if query.purchase else "Remortgage"),
        ("Repay by", "Repayment" if query.repayment else "Interest only"),
        ("Property", "Residential" if query.residential else "Buy to let"),
        *((("Filters", f"{filters[0].upper()}{filters[1:]}"),) if filters else ()),
    )


def _deals(found: RatesList) -> Table:
    column = _DEAL_HEADS.index(_TRUE_COST_HEAD)
    best = tuple((row, column) for row, card in enumerate(found.cards) if card.best)
    return Table(heads=_DEAL_HEADS, rows=tuple(map(_row, found.cards)), bold=best)


def _row(card: RateCard) -> tuple[str, ...]:
    shown = card.headline
    deal, yearly = f"{shown.lender}: {card.name}", card.true_year.removesuffix(" a year")
    return deal, shown.rate, shown.aprc, card.payment, card.fees, card.total, card.true_cost, yearly


def _example(found: RatesList) -> Text:
    return Text(title="Representative example", text=f"{found.example} {found.example_aprc}", is_framed=True)


def _notes(found: RatesList) -> tuple[Text, ...]:
    both = Text(title="Cheapest in cash, or cheapest overall?", text=found.winners)
    return (Text(text=_rates_read(found)), *((both,) if found.winners else ()))


def _rates_read(found: RatesList) -> str:
    """Return when the rates of a list were read, and that samples are no offers."""
    if found.sample:
        return f"Sample data: these are sample rates, based on published averages as at {found.read_at}, not offers."
    changed = " and may have changed since" if found.stale else ""
    return f"Rates read at {found.read_at}{changed}."


def _terms(found: RatesList) -> Table:
    rows = tuple((_deal_label(card), card.follow_on, card.early_repayment, card.overpayments) for card in found.cards)
    heads = ("Deal", "Then", "Early repayment charge", "Overpayments")
    return Table(heads=heads, rows=rows, is_figures=False)


def _deal_label(card: RateCard) -> str:
    return f"{card.headline.lender} at {card.headline.rate}"


SAMPLE = "Sample data: these are sample rates, not offers."


def comparison_document(
    products: Sequence[RateProduct], query: RatesQuery, *, filters: str, is_sample: bool, asked: int = 0
) -> Document | None:
    """Return the comparison of products that were priced for a search; None for fewer than two.

    `asked` is how many the address names.
    """
    if len(products) < 2:
        return None
    shown = comparison(products, logos=[""] * len(products), asked=asked)
    parameters = {**parameters_of(query), COMPARE: ",".join(product_id for product_id, _ in shown.named)}
    return Document(
        title="Deals side by side",
        figures=search_figures(query, filters=filters),
        sections=(
            Section(parts=(_differences(shown), *(Text(text=note) for note in shown.notes))),
            Section(title="What is the same for all of them", parts=(_same(shown),)),
            Section(parts=tuple(starmap(_compared_example, shown.examples))),
        ),
        remarks=(*((SAMPLE,) if is_sample else ()), TRUE_COST),
        is_unregulated=not query.residential,
        address=routes.with_query(routes.deals(query.customer), parameters),
        file_name="deals-side-by-side.pdf",
    )


def _differences(shown: Comparison) -> Table:
    return Table(
        caption="The lowest of each figure is in bold.",
        heads=("Figure", *(name for _, name in shown.named)),
        rows=tuple((row.label, *(figure.text for figure in row.figures)) for row in shown.rows),
        bold=tuple(
            (y, x) for y, row in enumerate(shown.rows) for x, figure in enumerate(row.figures, 1) if figure.lowest
        ),
        is_figures=False,
    )


def _same(shown: Comparison) -> Table:
    return Table(heads=("Figure", "All of them"), rows=shown.same, is_figures=False)


def _compared_example(name: str, sentence: str, aprc: str) -> Part:
    return Text(title=f"Representative example: {name}", text=f"{sentence} {aprc}", is_framed=True)
