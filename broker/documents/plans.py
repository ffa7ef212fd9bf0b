"""The answers of calculators and plans as documents, in the display strings of their pages, and the letterhead."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from broker import routes
from broker.calculators.affordability import CALCULATOR as AFFORDABILITY
from broker.calculators.calculator import INDICATIVE, LEFT_OUT, Calculator, Choice, Field, Form, Note, Unit, value_text
from broker.calculators.calculator import Table as AnswerTable
from broker.calculators.view import (
    CHART_BOTTOM,
    CHART_TOP,
    CHART_WIDTH,
    AnswerView,
    BarView,
    CalculatorView,
    ChartView,
    LineView,
    calculator_view,
    form_parameters,
    read_values,
)
from broker.clock import UK, utc_now
from broker.content.models.site import Site
from broker.documents.document import (
    Bar,
    BarChart,
    Document,
    Letterhead,
    Line,
    LineChart,
    Links,
    Part,
    Result,
    Section,
    Steps,
    Table,
    Text,
)
from broker.lending.arithmetic import Amount
from broker.lending.days import day_number, day_text
from broker.lending.lending_rules import Source
from broker.plans.buying import SOURCES
from broker.plans.buying_plan import BUYING_PLAN
from broker.plans.own_lender import Beat
from broker.plans.rate_history import NO_FORECAST, SOURCE, Visit
from broker.plans.rate_history_chart import history_points
from broker.plans.rate_history_view import HistoryView, history_view
from broker.plans.remortgage_plan import RemortgageView
from broker.rates.averages import CREDIT
from broker.rates.best_deals import BestDeal
from broker.rates.plan_deal import PlanDeal
from broker.rates.remortgage_deals import RemortgageDeals

_INSTRUCTION = "0 "
"""Start of a hint on how to fill in a field, which a document does not repeat."""

_MAX_CHART_ROWS = 10
"""Rows of a chart's table that fit beside it, about."""

_DEAL_HEADS = ("Deal", "Initial rate", "APRC", "Monthly", "Lender fees", "True cost")


def letterhead(site: Site, *, site_url: str) -> Letterhead:
    """Return the letterhead of a firm on today's date."""
    opening = site.hours[0] if site.hours else None
    sample = (site.sample_sentence,) if site.sample else ()
    return Letterhead(
        firm=site.name,
        address=", ".join(site.address),
        site=site_url,
        day=f"{utc_now().astimezone(UK):%-d %B %Y}",
        telephone=site.phone,
        email=site.email,
        hours=f"{opening.days}, {opening.hours}" if opening else "",
        risk_warning=site.risk_warning,
        buy_to_let=site.buy_to_let_sentence,
        disclosure=" ".join((site.regulation, site.how_we_are_paid, site.range_sentence, *sample)),
    )


def calculator_document(calculator: Calculator, parameters: Mapping[str, str]) -> Document | None:
    """Return the answer to the inputs of a query string; None while one of them is wrong."""
    view, values = calculator_view(calculator, parameters), read_values(calculator, parameters)
    if view.is_wrong:
        return None
    return Document(
        title=calculator.title,
        subtitle=calculator.subtitle,
        figures=tuple(_form_figures(calculator, values)),
        result=_result_of(view.answer),
        sections=tuple(_answer_sections(calculator, view.answer)),
        remarks=(INDICATIVE,),
        address=routes.with_query(routes.calculator(calculator.slug), form_parameters(calculator, values)),
        file_name=f"{calculator.slug}.pdf",
    )


def _answer_sections(calculator: Calculator, answer: AnswerView) -> Iterator[Section]:
    further: list[Part] = [Text(title=str(figure), text=str(words)) for figure, words in answer.tiles]
    if answer.table:
        rows = tuple(tuple(str(cell) for cell in row) for row in answer.table.rows)
        further.append(Table(caption=answer.table.caption, heads=answer.table.heads, rows=rows))
    if answer.note:
        further.append(_framed_note(answer.note))
    if answer.bars:
        further.append(_bars_of(answer.bars))
    if further:
        yield Section(parts=tuple(further))
    rules = calculator.sources
    yield _working_of(answer, *([_source_links("Where the rules come from", rules)] if rules else []))
    if answer.chart:
        yield Section(title=f"{answer.chart.subject.capitalize()} over the years", parts=_chart_parts(answer.chart))


def remortgage_plan_document(
    form: Form, values: Mapping[str, Amount], *, view: RemortgageView, deals: RemortgageDeals
) -> Document | None:
    """Return the plan of a form's values; None while one of them is wrong."""
    if view.panel.is_wrong:
        return None
    facts = Table(heads=("Your plan",), rows=tuple((str(label), str(words)) for label, words in view.facts))
    return Document(
        title=form.title,
        subtitle=form.subtitle,
        figures=tuple(_form_figures(form, values, is_grouped=False)),
        result=_result_of(view.panel.answer),
        beside=(facts,),
        sections=tuple(_remortgage_sections(view, deals)),
        remarks=(INDICATIVE,),
        address=routes.with_query(routes.REMORTGAGE_PLAN, form_parameters(form, values)),
        file_name="remortgage-plan.pdf",
    )


def rate_history_document(of: Visit) -> Document | None:
    """Return the averages, and two years or five for the visitor's loan; None while a figure is wrong."""
    if of.is_wrong:
        return None
    view = history_view(of)
    answer = view.answer
    return Document(
        title=of.form.title,
        subtitle=of.form.subtitle,
        figures=tuple(_form_figures(of.form, of.values, is_grouped=False)),
        result=Result(label=answer.label, figure=answer.figure, caption=answer.caption) if answer.figure else None,
        sections=tuple(_history_sections(of, view)),
        remarks=(INDICATIVE, NO_FORECAST, f"{SOURCE} {CREDIT}"),
        address=routes.RATE_HISTORY + view.query,
        file_name=f"{of.form.slug}.pdf",
    )


def _history_sections(of: Visit, view: HistoryView) -> Iterator[Section]:
    answer, chart = view.answer, view.chart
    sentences = (Text(text=each) for each in (answer.problem, *answer.sentences) if each)
    yield Section(title="Two years or five?", parts=tuple(sentences))
    rows = tuple((row.month, *row.cells) for row in chart.rows if row.month.startswith(view.month_name))
    lines = tuple(
        Line(label=label, tone=tone, points=points)
        for (label, points), tone in zip(history_points(of), ("new", "own"), strict=False)
    )
    first, last = chart.rows[0].month, chart.rows[-1].month
    drawn = LineChart(
        alternative=f"Line chart of the averages from {first} to {last}.", start=first, end=last, lines=lines
    )
    now = Text(title=view.heading, text=view.lead)
    yield Section(title="Rates since 2017", parts=(now, *(Text(text=each) for each in view.notes), drawn))
    yield Section(parts=(Table(caption=f"Averages of one month a year at {view.ltv}", heads=chart.heads, rows=rows),))
    if answer.steps:
        yield Section(title="How we worked this out", parts=(Steps(steps=answer.steps),))


def _remortgage_sections(view: RemortgageView, deals: RemortgageDeals) -> Iterator[Section]:
    answer = view.panel.answer
    sentences = (Text(text=str(sentence), is_framed=True) for sentence in view.sentences if sentence)
    held = (Text(text=str(view.held), is_framed=True),) if view.held else ()
    if texts := (*sentences, *held):
        yield Section(parts=texts)
    yield Section(title=str(view.ways_title), parts=tuple(_ways(view)))
    yield Section(title="What your lender’s offer must beat", parts=tuple(_beat(view.beat)))
    yield Section(title="Dates to act", parts=tuple(_dates(view)))
    yield Section(title=str(view.deals_title), parts=tuple(_remortgage_deals(deals)))
    if answer.chart:
        yield Section(title="Payment over the years", parts=_chart_parts(answer.chart))
    yield _working_of(answer)


def _ways(view: RemortgageView) -> Iterator[Part]:
    answer = view.panel.answer
    yield Text(text=str(view.verdict))
    if answer.table:
        rows = tuple(tuple(map(str, row)) for row in answer.table.rows if row[0])
        yield Table(caption=str(answer.table.caption), heads=tuple(map(str, answer.table.heads)), rows=rows)
    yield Text(text=" ".join(f"{each.name}: {each.words}" for each in view.ways if each.name))
    if answer.note:
        yield _framed_note(answer.note)


def _beat(beat: Beat) -> Iterator[Part]:
    words = f"{beat.caption}. {beat.yours} {beat.exact} {beat.counted}"
    yield Text(title=f"{beat.label} {beat.figure}", text=words, is_framed=True)


def _dates(view: RemortgageView) -> Iterator[Text]:
    yield from (Text(text=f"{each.when}: {each.title}. {each.words}") for each in view.dates if each.when)


def _remortgage_deals(deals: RemortgageDeals) -> Iterator[Part]:
    """Yield the best deals with the representative example that any rate needs, or why there are none."""
    if deals.problem:
        yield Text(text=deals.problem, is_framed=True)
        return
    best = deals.best
    yield from (Text(text=words) for words in (deals.basis, deals.fee, best.away) if words)
    yield Table(heads=_DEAL_HEADS, rows=tuple(map(_remortgage_deal, best.deals)))
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
    limits = (Text(title="The highest price by each limit", text=""), _bars_of(answer.bars))
    warnings = (_framed_note(each) for each in answer.warnings if each.title)
    return Document(
        title=BUYING_PLAN.title,
        subtitle=BUYING_PLAN.subtitle,
        figures=tuple(_buying_figures(values)),
        result=_result_of(answer),
        beside=(*limits, *warnings),
        sections=tuple(_buying_sections(answer, deal)),
        remarks=(INDICATIVE,),
        address=routes.with_query(routes.BUYING_PLAN, form_parameters(BUYING_PLAN, values)),
        file_name=f"{BUYING_PLAN.slug}.pdf",
    )


def _buying_figures(values: Mapping[str, Amount]) -> Iterator[tuple[str, str]]:
    """Yield the inputs in the order of the form: the question first."""
    question, *others = (
        _choice_figures(BUYING_PLAN, choice, values=values, is_grouped=False) for choice in BUYING_PLAN.choices
    )
    yield from question
    for field in BUYING_PLAN.fields:
        if not field.only_for and (values[field.name] or field.hint != LEFT_OUT):
            yield _field_figure(field, values)
    for each in others:
        yield from each


def _buying_sections(answer: AnswerView, deal: PlanDeal) -> Iterator[Section]:
    if answer.table:
        yield Section(title=answer.table.caption, parts=(_cash(answer.table),))
    yield Section(title="The deal for this plan", parts=tuple(_buying_deal(deal)))
    if answer.chart:
        words = Text(text=str(answer.chart.title))
        yield Section(title="What saving more brings", parts=(words, *_chart_parts(answer.chart)))
    rules = _source_links("Where the rules of the budget come from", AFFORDABILITY.sources)
    yield _working_of(answer, rules, _source_links("Where the typical costs come from", SOURCES))


def _cash(table: AnswerTable) -> Table:
    """Return the cash line by line, with the sum in bold."""
    name, amount = table.heads
    lines = [(str(label), str(figure), str(words)) for label, figure, words in table.rows]
    total = len(lines) - 3
    return _explained((name, "How we count it", amount), lines, bold=((total, 0), (total, 2)))


def _explained(
    heads: tuple[str, str, str], lines: Iterable[tuple[str, str, str]], *, bold: tuple[tuple[int, int], ...] = ()
) -> Table:
    """Return lines of a label, a figure and its explanation as a table, with the figures last."""
    rows = tuple((label, words, figure) for label, figure, words in lines)
    return Table(heads=heads, rows=rows, bold=bold, words=(1,))


def _buying_deal(deal: PlanDeal) -> Iterator[Part]:
    """Yield a deal with the representative example that any rate needs, or why there is none."""
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


def _form_figures(form: Form, values: Mapping[str, Amount], *, is_grouped: bool = True) -> Iterator[tuple[str, str]]:
    """Yield the inputs that are used, in the order of the form: the fields of an option follow its choice.

    Names begin with the group of their choice where the form is grouped.
    """
    for field in form.fields:
        may_be_left_out = field.is_optional or field.hint == LEFT_OUT
        is_unused = (field.unless and values[field.unless]) or (may_be_left_out and not values[field.name])
        if not field.only_for and not is_unused:
            yield _field_figure(field, values)
    for choice in form.choices:
        yield from _choice_figures(form, choice, values=values, is_grouped=is_grouped)
    yield from ((box.label, "Yes" if values[box.name] else "No") for box in form.checkboxes)


def _field_figure(field: Field, values: Mapping[str, Amount]) -> tuple[str, str]:
    hint = "" if field.unit is Unit.DAY or field.hint.startswith(_INSTRUCTION) else field.hint
    name = field.label + (f" ({hint[0].lower()}{hint[1:]})" if hint else "")
    return name, str(value_text(field, values[field.name]))


def _choice_figures(
    form: Form, choice: Choice, *, values: Mapping[str, Amount], is_grouped: bool
) -> Iterator[tuple[str, str]]:
    value = str(values[choice.name])
    group = f"{choice.group}: " if is_grouped else ""
    label = f"{choice.label[0].lower()}{choice.label[1:]}" if is_grouped else choice.label
    yield f"{group}{label}", dict(choice.options)[value]
    for field in form.fields:
        if field.only_for == f"{choice.name}={value}":
            name, shown = _field_figure(field, values)
            yield f"{group}{name}", shown


def _result_of(answer: AnswerView) -> Result:
    return Result(label=str(answer.label), figure=str(answer.figure), per=answer.per, caption=str(answer.caption))


def _bars_of(bars: Iterable[BarView]) -> BarChart:
    return BarChart(bars=tuple(map(_bar, bars)))


def _bar(bar: BarView) -> Bar:
    return Bar(label=str(bar.label), figure=str(bar.figure), percent=float(bar.width.rstrip("%")), tone=bar.colour)


def _framed_note(note: Note) -> Text:
    return Text(title=str(note.title), text=str(note.text), is_framed=True)


def _working_of(answer: AnswerView, *links: Links) -> Section:
    """Return the steps of an answer, and the sources of its rules."""
    steps = Steps(steps=tuple(str(step) for step in answer.steps))
    return Section(title="How we worked this out", parts=(steps, *links))


def _source_links(title: str, sources: Iterable[Source]) -> Links:
    """Return links to the sources of rules or figures, each with its dates."""
    links = tuple(
        (one.title, one.address, f"{one.since}. Read on {day_text(day_number(one.read))}.") for one in sources
    )
    return Links(title=title, links=links)


def _chart_parts(chart: ChartView) -> tuple[LineChart, Table]:
    """Return a chart and its table, with as many rows as fit beside the chart."""
    drawn = LineChart(
        alternative=f"Line chart of the {chart.subject} over the years. The same figures are in the table below.",
        start=str(chart.start),
        end=str(chart.end),
        lines=tuple(_line(each) for each in chart.lines if each.path),
    )
    columns = [place for place, head in enumerate(chart.heads) if head]
    rows = [tuple(str(row[place]) for place in columns) for row in chart.rows]
    heads = tuple(str(chart.heads[place]) for place in columns)
    return drawn, Table(heads=heads, rows=tuple(_thinned(rows)))


def _thinned(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the first row, the last, and evenly spaced ones between them, _MAX_CHART_ROWS or so in all."""
    step = -(-len(rows) // _MAX_CHART_ROWS)
    return [*rows[:-1:step], rows[-1]]


def _line(line: LineView) -> Line:
    """Return a line with the points of its path on the page."""
    pairs = (point.split(",") for point in line.path.removeprefix("M").split(" "))
    height = CHART_BOTTOM - CHART_TOP
    points = tuple((float(x) / CHART_WIDTH, (float(y) - CHART_TOP) / height) for x, y in pairs)
    return Line(label=str(line.label), tone=line.tone, points=points)
