"""The plan to buy as a document: the view and the deal that the edge writes into its page."""

from collections.abc import Iterable, Iterator, Mapping

from broker import routes
from broker.calculators.affordability import CALCULATOR as AFFORDABILITY
from broker.calculators.calculator import INDICATIVE, LEFT_OUT
from broker.calculators.view import AnswerView, CalculatorView, TableView
from broker.domain.documents import Document, Part, Section, Table, Text
from broker.lending.arithmetic import Amount
from broker.plans.buying_costs import SOURCES
from broker.plans.buying_fields import BUYING_PLAN
from broker.presenters.documents.answer import bars_of, drawn_chart, framed, result_of, source_links, working_of
from broker.presenters.documents.form import choice_figures, field_figure, form_parameters
from broker.presenters.rates.plan_deal import PlanDeal


def buying_plan_document(values: Mapping[str, Amount], *, view: CalculatorView, deal: PlanDeal) -> Document | None:
    """Return the plan of a visitor's values; None while one of them is wrong."""
    if view.is_wrong:
        return None
    answer = view.answer
    limits = (Text(title="The highest price by each limit", text=""), bars_of(answer.bars))
    said = (framed(each) for each in answer.warnings if each.title)
    return Document(
        title=BUYING_PLAN.title,
        subtitle=BUYING_PLAN.subtitle,
        figures=tuple(_figures(values)),
        result=result_of(answer),
        beside=(*limits, *said),
        sections=tuple(_sections(answer, deal)),
        remarks=(INDICATIVE,),
        address=routes.with_query(routes.BUYING_PLAN, form_parameters(BUYING_PLAN, values)),
        file_name=f"{BUYING_PLAN.slug}.pdf",
    )


def _figures(values: Mapping[str, Amount]) -> Iterator[tuple[str, str]]:
    """Yield the inputs in the order of the form: the question first."""
    question, *others = (
        choice_figures(BUYING_PLAN, choice, values=values, is_grouped=False) for choice in BUYING_PLAN.choices
    )
    yield from question
    for field in BUYING_PLAN.fields:
        if not field.only_for and (values[field.name] or field.hint != LEFT_OUT):
            yield field_figure(field, values)
    for each in others:
        yield from each


def _sections(answer: AnswerView, deal: PlanDeal) -> Iterator[Section]:
    if answer.table:
        yield Section(title=answer.table.caption, parts=(_cash(answer.table),))
    yield Section(title="The deal for this plan", parts=tuple(_deal(deal)))
    if answer.chart:
        words = Text(text=str(answer.chart.title))
        yield Section(title="What saving more brings", parts=(words, *drawn_chart(answer.chart)))
    rules = source_links("Where the rules of the budget come from", AFFORDABILITY.sources)
    yield working_of(answer, rules, source_links("Where the typical costs come from", SOURCES))


def _cash(table: TableView) -> Table:
    """Return the cash line by line; the sum of the lines stands out."""
    name, amount = table.heads
    lines = [(str(label), str(figure), str(words)) for label, figure, words in (row.cells for row in table.rows)]
    total = len(lines) - 3
    return _explained((name, "How we count it", amount), lines, bold=((total, 0), (total, 2)))


def _explained(
    heads: tuple[str, str, str], lines: Iterable[tuple[str, str, str]], *, bold: tuple[tuple[int, int], ...] = ()
) -> Table:
    """Return lines of a label, a figure and where it comes from, with the figure at the end."""
    rows = tuple((label, words, figure) for label, figure, words in lines)
    return Table(heads=heads, rows=rows, bold=bold, words=(1,))


def _deal(deal: PlanDeal) -> Iterator[Part]:
    """Yield a deal with what any rate needs, or what stands in its place."""
    if not deal.is_found:
        yield Text(text=deal.problem, is_framed=True)
        return
    shown = deal.headline
    named = (f"{shown.lender}: {deal.name}", f"{shown.rate} ({shown.rate_caption})", shown.aprc)
    yield Table(heads=("Deal", "Initial rate", "APRC"), rows=(named,), bold=((0, 1), (0, 2)))
    yield _explained(("What it costs", "How we count it", "Amount"), deal.lines)
    if deal.band:
        yield Text(title="The next band of loan to value", text=deal.band, is_framed=True)
    yield Text(title="Representative example", text=f"{deal.example} {deal.example_aprc}", is_framed=True)
    yield Text(text=deal.dated)
