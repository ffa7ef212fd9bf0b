"""The remortgage plan as a document: the view and the deals that the edge writes into its page."""

from collections.abc import Iterator, Mapping

from broker import routes
from broker.calculators.calculator import INDICATIVE, Calculator
from broker.calculators.view import AnswerView
from broker.domain.documents import Document, Part, Section, Table, Text
from broker.lending.arithmetic import Amount
from broker.plans.remortgage_view import RemortgageView
from broker.presenters.documents.answer import drawn_chart, framed, result_of, working_of
from broker.presenters.documents.form import form_figures, form_parameters
from broker.presenters.rates.best_deals import BestDeal
from broker.presenters.rates.search.remortgage_deals import RemortgageDeals

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
        sections=tuple(_sections(view, deals)),
        remarks=(INDICATIVE,),
        address=routes.with_query(routes.REMORTGAGE_PLAN, form_parameters(form, values)),
        file_name="remortgage-plan.pdf",
    )


def _sections(view: RemortgageView, deals: RemortgageDeals) -> Iterator[Section]:
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
        rows = tuple(tuple(map(str, row.cells)) for row in answer.table.rows)
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
    yield Table(heads=DEAL_HEADS, rows=tuple(map(_deal, best.deals)))
    yield Text(title="Representative example", text=f"{best.example} {best.example_aprc}", is_framed=True)
    yield Text(text=best.dated)


def _deal(deal: BestDeal) -> tuple[str, ...]:
    shown = deal.headline
    name = f"{shown.lender}: {'. '.join(words for words in (deal.summary, deal.labels) if words)}"
    return name, shown.rate, shown.aprc, deal.payment, deal.fees, deal.true_year
