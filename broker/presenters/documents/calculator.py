"""A calculator's answer as a document: the view that the edge writes into its page, and nothing worked out anew."""

from collections.abc import Iterator, Mapping

from broker import routes
from broker.calculators.calculator import INDICATIVE, Calculator
from broker.calculators.view import AnswerView, calculator_view, read_values
from broker.domain.documents import Document, Part, Section, Table
from broker.presenters.documents.answer import bars_of, drawn_chart, framed, result_of, source_links, working_of
from broker.presenters.documents.form import form_figures, form_parameters


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
        sections=tuple(_sections(calculator, view.answer)),
        remarks=(INDICATIVE,),
        address=routes.with_query(routes.calculator(calculator.slug), form_parameters(calculator, values)),
        file_name=f"{calculator.slug}.pdf",
    )


def _sections(calculator: Calculator, answer: AnswerView) -> Iterator[Section]:
    further: list[Part] = []
    if answer.table:
        rows = tuple(tuple(str(cell) for cell in row.cells) for row in answer.table.rows)
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
