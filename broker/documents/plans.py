"""The plan to buy as a document: the view and the deal that the edge writes into its page."""

from collections.abc import Iterable, Iterator, Mapping

from broker import routes
from broker.calculators.affordability import CALCULATOR as AFFORDABILITY
from broker.calculators.calculator import INDICATIVE, LEFT_OUT, Calculator
from broker.calculators.calculator import Table as AnswerTable
from broker.calculators.view import AnswerView, CalculatorView, calculator_view, read_values
from broker.documents.document import Document, Part, Section, Table, Text
from broker.documents.words import (
    bars_of,
    choice_figures,
    drawn_chart,
    field_figure,
    form_figures,
    form_parameters,
    framed,
    result_of,
    source_links,
    working_of,
)
from broker.lending.arithmetic import Amount
from broker.plans.buying import SOURCES
from broker.plans.buying_plan import BUYING_PLAN
from broker.plans.remortgage_plan import RemortgageView
from broker.rates.best_deals import BestDeal
from broker.rates.plan_deal import PlanDeal
from broker.rates.remortgage_deals import RemortgageDeals


def calculator_document(calculator: Calculator, parameters: Mapping[str, str]) -> Document | None:
    """Return the answer to the inputs of a query string; None while one of them is wrong."""
    view, values = calculator_view(calculator, parameters), read_values(calculator, parameters)
    if view.is_wrong:
        return None
    return Document(
        title=calculator.title,
        subtitle=calculator.subtitle,
        figures=tuple(form_figures(calculator, values)),
        result=result_of(view.answer),
        sections=tuple(_answer_sections(calculator, view.answer)),
        remarks=(INDICATIVE,),
        address=routes.with_query(routes.calculator(calculator.slug), form_parameters(calculator, values)),
        file_name=f"{calculator.slug}.pdf",
    )


def _answer_sections(calculator: Calculator, answer: AnswerView) -> Iterator[Section]:
    further: list[Part] = []
    if answer.table:
        rows = tuple(tuple(str(cell) for cell in row) for row in answer.table.rows)
        further.append(Table(caption=answer.table.caption, heads=answer.table.heads, rows=rows))
    if answer.note:
        further.append(framed(answer.note))
    if answer.bars:
        further.append(bars_of(answer.bars))
    if further:
        yield Section(parts=tuple(further))
    rules = calculator.sources
    yield working_of(answer, *([source_links("Where the rules come from", rules)] if rules else []))
    if answer.chart:
        yield Section(title=f"{answer.chart.subject.capitalize()} over the years", parts=drawn_chart(answer.chart))


DEAL_HEADS = ("Deal", "Initial rate", "APRC", "Monthly", "Lender fees", "True cost")


def remortgage_plan_document(
    form: Calculator, values: Mapping[str, Amount], *, view: RemortgageView, deals: RemortgageDeals
) -> Document | None:
    """Return the plan of a form's values; None while one of them is wrong."""
    if view.panel.is_wrong:
        return None
    facts = Table(heads=("Your plan",), rows=tuple((label, str(words)) for label, words in view.facts))
    return Document(
        title=form.title,
        subtitle=form.subtitle,
        figures=tuple(form_figures(form, values, is_grouped=False)),
        result=result_of(view.panel.answer),
        beside=(facts,),
        sections=tuple(_remortgage_sections(view, deals)),
        remarks=(INDICATIVE,),
        address=routes.with_query(routes.REMORTGAGE_PLAN, form_parameters(form, values)),
        file_name="remortgage-plan.pdf",
    )


def _remortgage_sections(view: RemortgageView, deals: RemortgageDeals) -> Iterator[Section]:
    answer = view.panel.answer
    sentences = (Text(text=str(sentence), is_framed=True) for sentence in view.sentences if sentence)
    held = (Text(text=str(view.held), is_framed=True),) if view.held else ()
    if said := (*sentences, *held):
        yield Section(parts=said)
    yield Section(title="Three ways on", parts=tuple(_ways(answer, str(view.verdict))))
    yield Section(title="Today’s deals for the day your deal ends", parts=tuple(_deals(deals)))
    if answer.chart:
        yield Section(title="Cost over the years", parts=drawn_chart(answer.chart))
    yield working_of(answer)


def _ways(answer: AnswerView, verdict: str) -> Iterator[Part]:
    yield Text(text=verdict)
    if answer.table:
        rows = tuple(tuple(map(str, row)) for row in answer.table.rows)
        yield Table(caption=answer.table.caption, heads=answer.table.heads, rows=rows)
    if answer.note:
        yield framed(answer.note)


def _deals(deals: RemortgageDeals) -> Iterator[Part]:
    """Yield the best deals with what any rate needs, or why there are none."""
    if deals.problem:
        yield Text(text=deals.problem, is_framed=True)
        return
    best = deals.best
    yield from (Text(text=words) for words in (deals.basis, deals.fee, best.away) if words)
    yield Table(heads=DEAL_HEADS, rows=tuple(map(_remortgage_deal, best.deals)))
    yield Text(title="Representative example", text=f"{best.example} {best.example_aprc}", is_framed=True)
    yield Text(text=best.dated)


def _remortgage_deal(deal: BestDeal) -> tuple[str, ...]:
    shown = deal.headline
    name = f"{shown.lender}: {'. '.join(words for words in (deal.summary, deal.labels) if words)}"
    return name, shown.rate, shown.aprc, deal.payment, deal.fees, deal.true_year


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


def _cash(table: AnswerTable) -> Table:
    """Return the cash line by line; the sum of the lines stands out."""
    name, amount = table.heads
    lines = [(str(label), str(figure), str(words)) for label, figure, words in table.rows]
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
