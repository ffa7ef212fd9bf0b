"""A calculator's answer as a document: the view that the edge writes into its page, and nothing worked out anew."""

from collections.abc import Iterator, Mapping

from broker import routes
from broker.domain.calculators.calculator import INDICATIVE, Calculator, Field, Unit
from broker.domain.calculators.inputs import box_text
from broker.domain.calculators.view import (
    CHART_BOTTOM,
    CHART_TOP,
    CHART_WIDTH,
    TICKED,
    AnswerView,
    BarView,
    CalculatorView,
    ChartView,
    FieldView,
    LineView,
    calculator_view,
)
from broker.domain.documents import Bar, BarChart, Document, Line, LineChart, Part, Result, Section, Steps, Table, Text


def calculator_document(calculator: Calculator, parameters: Mapping[str, str]) -> Document | None:
    """Return the answer to the inputs of a query string; None while one of them is wrong."""
    view = calculator_view(calculator, parameters)
    if view.is_wrong:
        return None
    answer = view.answer
    return Document(
        title=calculator.title,
        subtitle=calculator.subtitle,
        figures=tuple(_figures(calculator, view)),
        result=Result(label=answer.label, figure=answer.figure, per=answer.per, caption=answer.caption),
        sections=tuple(_sections(answer)),
        remarks=(INDICATIVE,),
        address=routes.with_query(routes.calculator(calculator.slug), _parameters(calculator, view)),
        file_name=f"{calculator.slug}.pdf",
    )


def _figures(calculator: Calculator, view: CalculatorView) -> Iterator[tuple[str, str]]:
    """Yield the inputs that are used, in the order of the form: the fields of an option follow its choice."""
    ticked = {box.name for box, is_on in zip(calculator.checkboxes, view.checkboxes, strict=True) if is_on}
    chosen, labels = _chosen(calculator, view), {choice.name: dict(choice.options) for choice in calculator.choices}
    shown = [pair for pair in zip(calculator.fields, view.fields, strict=True) if pair[0].unless not in ticked]
    yield from (_figure(field, each) for field, each in shown if not field.only_for)
    for choice in calculator.choices:
        value = chosen[choice.name]
        yield f"{choice.group}: {choice.label.lower()}", labels[choice.name][value]
        used = (pair for pair in shown if pair[0].only_for == f"{choice.name}={value}")
        yield from (_figure(field, each, group=f"{choice.group}: ") for field, each in used)
    yield from ((box.label, "Yes" if box.name in ticked else "No") for box in calculator.checkboxes)


def _figure(field: Field, shown: FieldView, *, group: str = "") -> tuple[str, str]:
    name = f"{group}{field.label}" + (f" ({field.hint[0].lower()}{field.hint[1:]})" if field.hint else "")
    return name, _with_unit(field, str(shown.text))


def _with_unit(field: Field, text: str) -> str:
    if field.unit is Unit.POUNDS:
        return f"£{text}"
    return f"{text}%" if field.unit is Unit.PERCENT else f"{text} {'year' if text == '1' else 'years'}"


def _chosen(calculator: Calculator, view: CalculatorView) -> dict[str, str]:
    return {
        choice.name: next(value for (value, _), is_on in zip(choice.options, flags, strict=True) if is_on)
        for choice, flags in zip(calculator.choices, view.choices, strict=True)
    }


def _parameters(calculator: Calculator, view: CalculatorView) -> dict[str, str]:
    """Return the inputs that differ from the defaults, as parameters of the calculator's page."""
    fields = {
        field.name: str(shown.text).replace(",", "")
        for field, shown in zip(calculator.fields, view.fields, strict=True)
        if shown.text != box_text(field, field.default)
    }
    defaults = {choice.name: choice.default for choice in calculator.choices}
    choices = {name: value for name, value in _chosen(calculator, view).items() if value != defaults[name]}
    boxes = {box.name: TICKED for box, is_on in zip(calculator.checkboxes, view.checkboxes, strict=True) if is_on}
    return fields | choices | boxes


def _sections(answer: AnswerView) -> Iterator[Section]:
    further: list[Part] = []
    if answer.table:
        rows = tuple(tuple(str(cell) for cell in row.cells) for row in answer.table.rows)
        further.append(Table(caption=answer.table.caption, heads=answer.table.heads, rows=rows))
    if answer.note:
        further.append(Text(title=str(answer.note.title), text=str(answer.note.text), is_framed=True))
    if answer.bars:
        further.append(BarChart(bars=tuple(_bar(bar) for bar in answer.bars)))
    if further:
        yield Section(parts=tuple(further))
    yield Section(title="How we worked this out", parts=(Steps(steps=tuple(str(step) for step in answer.steps)),))
    if answer.chart:
        yield _over_the_years(answer.chart)


def _bar(bar: BarView) -> Bar:
    return Bar(label=str(bar.label), figure=str(bar.figure), percent=float(bar.width.rstrip("%")), tone=bar.tone)


def _over_the_years(chart: ChartView) -> Section:
    lines = tuple(_line(line) for line in chart.lines)
    rows = tuple(tuple(str(cell) for cell in row) for row in chart.rows)
    drawn = LineChart(
        alternative=f"Line chart of the {chart.subject} over the years. The same figures are in the table below.",
        start=str(chart.start),
        end=str(chart.end),
        lines=lines,
    )
    return Section(
        title=f"{chart.subject.capitalize()} over the years", parts=(drawn, Table(heads=chart.heads, rows=rows))
    )


def _line(line: LineView) -> Line:
    """Return a line with the points of its path on the page."""
    pairs = (point.split(",") for point in line.path.removeprefix("M").split(" "))
    height = CHART_BOTTOM - CHART_TOP
    points = tuple((float(x) / CHART_WIDTH, (float(y) - CHART_TOP) / height) for x, y in pairs)
    return Line(label=line.label, tone=line.tone, points=points)
