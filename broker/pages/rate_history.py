"""Is now a good time? The averages since 2017 as a chart and a table, and two years or five for the visitor's loan."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators.calculator import Field, Unit
from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler
from broker.components.elements import (
    button_link,
    disclosure,
    icon,
    inline_style,
    note,
    plain_link,
    scrolling,
    titled_section,
    visually_hidden,
)
from broker.components.forms.fields import Box, day_field, labelled_box
from broker.components.forms.post_form import PostForm, hidden
from broker.components.jinja import Shown, Text, foreach, set_attribute, when, when_any, when_text
from broker.content.models.site import Site
from broker.content.page_head import CALCULATORS as PICTURE
from broker.content.page_head import HeadView, image_path
from broker.derived import Revision
from broker.pages.data_page import shape
from broker.pages.registry import BuildInputs, DataPage, Page, Section
from broker.plans.rate_history import FIELDS, NO_FORECAST, SLUG, SOURCE, TITLE, Visit
from broker.plans.rate_history_chart import HEIGHT, WIDTH, ChartMark, HistoryChart, HistoryLine, MonthRow
from broker.plans.rate_history_view import (
    FieldText,
    HistoryForm,
    HistoryView,
    LtvLink,
    RateFigure,
    TwoOrFive,
    history_view,
)
from broker.site_search.index import Kind
from broker.site_search.view import SearchWords

LICENCE = "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/"

_CHART, _READ_OUT = "rates", "rates-read"
"""The ids of the chart's section and of its slider."""

_ON_AXES = ("up", "along")
"""The looks of texts along the axes."""

_SUFFIXES = {Unit.PERCENT: "%", Unit.YEARS: "years"}

_LABEL = "Mortgage rates since 2017"

_DESCRIPTION = (
    "Average mortgage rates of every month since 2017, with Bank Rate and your own rate, and what would make two years "
    "or five the cheaper fix."
)

_KEYWORDS = ("rate history", "average mortgage rate", "bank rate", "base rate", "fix now", "two or five years", "svr")


@dataclass(frozen=True, slots=True, kw_only=True)
class RateHistoryPage:
    head: HeadView
    view: HistoryView


def _page() -> Page:
    return Page(
        route=routes.RATE_HISTORY,
        counted_as=Counted.RATE_HISTORY,
        template=SLUG,
        title=f"{TITLE} Mortgage rates since 2017",
        description=_DESCRIPTION,
        label=_LABEL,
        section=Section.TOOLS,
        search=SearchWords(kind=Kind.CALCULATOR, title=f"{TITLE} Rates since 2017", keywords=_KEYWORDS),
        picture=image_path(PICTURE),
    )


def pages(_: BuildInputs) -> tuple[Page, ...]:
    return (_page(),)


def data_pages(inputs: BuildInputs) -> tuple[DataPage, ...]:
    return (DataPage(name=SLUG, view=RateHistoryPage, draw=partial(_draw, inputs.store.site())),)


class RateHistoryPages:
    """Finds the page, also for the figures of its address; `visit` returns the averages for them."""

    template = SLUG
    shape = shape(RateHistoryPage)
    paths = frozenset({routes.RATE_HISTORY})

    def __init__(
        self, inputs: BuildInputs, visit: Callable[[Mapping[str, str]], Visit], *, head: Callable[[Page], HeadView]
    ) -> None:
        self._inputs, self._visit, self._head = inputs, visit, head
        self._revision = Revision()

    def version(self, _path: str, /) -> Hashable:
        of = self._visit({})
        return (of.today, self._revision.of(of.history, of.ours, self._inputs.store.content))

    async def find(self, path: str) -> RateHistoryPage | None:
        return await self.find_by_figures({}) if path in self.paths else None

    async def find_by_figures(self, given: Mapping[str, str]) -> RateHistoryPage:
        return RateHistoryPage(head=self._head(_page()), view=history_view(self._visit(given)))


def _draw(site: Site, page: Shown[RateHistoryPage]) -> rx.Component:
    view = page.view
    return rx.fragment(
        rx.el.div(
            rx.el.div(rx.el.h1(TITLE, tab_index=-1), _form(view.form), class_name="wrap"), class_name="banner hist-head"
        ),
        _figures_band(view),
        rx.el.div(
            _chart_panel(view),
            rx.el.div(_two_or_five(view.answer), _what_each_gives(view.answer, site), class_name="hist-two"),
            class_name="wrap band-s stack loose hist",
        ),
    )


def _figures_band(view: Shown[HistoryView]) -> rx.Component:
    figures = foreach(view.figures, _figure)
    words = rx.el.div(rx.el.h2(view.heading, id="now"), rx.el.p(view.lead, class_name="lead"), class_name="stack")
    # no section: the stylesheet lays those out late, and this one is on the first screen
    return rx.el.div(
        rx.el.div(words, rx.el.dl(figures, class_name="hist-now"), class_name="wrap hist-top"), class_name="white"
    )


def _figure(each: Shown[RateFigure]) -> rx.Component:
    return rx.el.div(rx.el.dt(each.label), rx.el.dd(rx.el.b(each.figure), each.caption), class_name=each.name)


def _form(form: Shown[HistoryForm]) -> rx.Component:
    """Draw the figures in one line, and the form, which is open while a figure is wrong."""
    problems = rx.el.ul(*(_problem(field, getattr(form, field.name).problem) for field in FIELDS))
    fields = PostForm.create(
        when(form.is_wrong, note("There is a problem", problems, tone="bad")),
        rx.el.div(*(_field(field, getattr(form, field.name)) for field in FIELDS), class_name="hist-fields"),
        hidden("ltv", form.ltv),
        rx.el.div(rx.el.button("Show mine", type="submit", class_name="btn")),
        method="get",
        action=routes.RATE_HISTORY,
        no_validate=True,
        class_name="stack",
        custom_attrs={"autoComplete": "off"},
    )
    line = rx.el.span(rx.el.b(form.lead), form.more)
    change = rx.el.span(icon("filter"), "Change", visually_hidden(" your figures"), class_name="btn line s")
    return rx.el.details(
        rx.el.summary(line, change),
        fields,
        class_name="hist-form",
        custom_attrs=set_attribute("open", form.is_wrong, otherwise={"open": form.is_wrong}),
    )


def _problem(field: Field, problem: Text) -> rx.Component:
    return when_text(problem, rx.el.li(plain_link(field.label, ": ", problem, href=f"#{SLUG}-{field.name}")))


def _field(field: Field, typed: Shown[FieldText]) -> rx.Component:
    box = Box(
        identity=f"{SLUG}-{field.name}",
        name=field.name,
        value=typed.text,
        problem=typed.problem,
        prefix="£" if field.unit is Unit.POUNDS else "",
        suffix=_SUFFIXES.get(field.unit, ""),
    )
    return (day_field if field.unit is Unit.DAY else labelled_box)(field.label, box, hint=field.hint)


def _item(text: Text) -> rx.Component:
    return rx.el.li(text)


def _paragraph(text: Text) -> rx.Component:
    return rx.el.p(text)


def _chart_panel(view: Shown[HistoryView]) -> rx.Component:
    chart = view.chart
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Rates since 2017", id=f"{_CHART}-title", class_name="as-h3"),
            rx.el.nav(
                rx.el.span("Loan to value", class_name="label"),
                rx.el.div(foreach(view.ltvs, _ltv_link), class_name="seg small"),
                aria_label="Loan to value of the averages",
                class_name="stack",
            ),
            class_name="head",
        ),
        rx.el.ul(foreach(chart.lines, _toggle), class_name="hist-keys small", aria_label="Lines shown"),
        _chart(chart, view.ltv),
        when_any(view.notes, rx.el.ul(foreach(view.notes, _item), class_name="small mute")),
        rx.el.p(
            f"{SOURCE} Source: Bank of England Database, ",
            chart.codes,
            ", to ",
            chart.last,
            ". Contains Bank of England data, licensed under the ",
            rx.el.a("Open Government Licence v3.0", href=LICENCE),
            ".",
            class_name="xs mute",
        ),
        _table(chart, view.ltv),
        rx.el.p(
            plain_link("Download CSV", href=routes.RATE_HISTORY_CSV),
            plain_link("Download PDF", href=f"{routes.RATE_HISTORY}{routes.RESULT_PDF}{view.query}"),
            class_name="row",
        ),
        id=_CHART,
        class_name="panel stack",
        aria_labelledby=f"{_CHART}-title",
    )


def _ltv_link(each: Shown[LtvLink]) -> rx.Component:
    here = set_attribute(
        "aria-current", each.is_here, otherwise={"aria-current": rx.cond(each.is_here, "page", rx.Var("undefined"))}
    )
    link = plain_link(each.label, href=f"{routes.RATE_HISTORY}{each.query}#{_CHART}")
    link.custom_attrs |= here
    return link


def _toggle(line: Shown[HistoryLine]) -> rx.Component:
    box = rx.el.input(type="checkbox", value=line.name, default_checked=True)
    return rx.el.li(rx.el.label(box, rx.el.i(class_name=line.name), line.label))


def _chart(chart: Shown[HistoryChart], ltv: Text) -> rx.Component:
    """Draw the lines; a slider, which arrow keys move too, reads out the month under it."""
    read = script_function("rate_history", "readMonth").call(rx.Var("typed.target"))
    slider = rx.el.input(
        type="range",
        id=_READ_OUT,
        min="0",
        max=chart.last_row,
        default_value=chart.row,
        class_name="range",
        custom_attrs={
            "onChange": client_handler(read),
            "aria-valuetext": chart.reading,
            **inline_style({"width": f"calc({chart.ground} + 28px)"}),
        },
    )
    end = rx.el.span(
        chart.end_mark.text, class_name="own late", custom_attrs=inline_style({"left": chart.end_mark.left})
    )
    return rx.el.figure(
        rx.el.figcaption(
            "Average mortgage rates at ",
            ltv,
            " loan to value, Bank Rate and the average reversion rate",
            class_name="vh",
        ),
        rx.el.div(
            rx.el.div(
                rx.el.span("No forecast"), class_name="hist-ground", custom_attrs=inline_style({"left": chart.ground})
            ),
            rx.el.svg(
                rx.el.path(d=chart.grid, class_name="grid"),
                foreach(chart.lines, lambda line: _path(line.path, line.name)),
                _path(chart.own_rate, "h-own-edge"),
                _path(chart.own_rate, "h-own"),
                view_box=f"0 0 {WIDTH} {HEIGHT}",
                custom_attrs={"preserveAspectRatio": "none"},
            ),
            foreach(chart.scale, lambda each: _mark(each, look="up")),
            foreach(chart.years, lambda each: _mark(each, look="along")),
            _mark(chart.highest, look="peak"),
            _mark(chart.lowest, look="trough"),
            _mark(chart.own_mark, look="yours"),
            when_text(chart.end_mark.text, end),
            rx.el.i(class_name="hist-cursor needs-script", hidden=True),
            class_name="plot",
            aria_hidden="true",
        ),
        rx.el.div(
            rx.el.label("Read the chart month by month", html_for=_READ_OUT, class_name="small"),
            slider,
            rx.el.p(chart.reading, class_name="small", aria_hidden="true"),
            class_name="needs-script hist-read",
        ),
        class_name="hist-chart",
    )


def _path(path: Text, name: Text) -> rx.Component:
    return rx.el.path(d=path, class_name=name, custom_attrs={"vectorEffect": "non-scaling-stroke"})


def _mark(mark: Shown[ChartMark], *, look: str) -> rx.Component:
    """Draw a text at its place; one in the chart stays half its length away from the edges."""
    left = mark.left if look in _ON_AXES else f"clamp(5.5rem, {mark.left}, 100% - 5.5rem)"
    return rx.el.span(mark.text, class_name=look, custom_attrs=inline_style({"left": left, "top": mark.top}))


def _table(chart: Shown[HistoryChart], ltv: Text) -> rx.Component:
    heads = foreach(chart.heads, lambda head: rx.el.th(head, scope="col"))
    table = rx.el.table(
        rx.el.caption("Every month’s averages at ", ltv, " loan to value"),
        rx.el.thead(rx.el.tr(heads)),
        rx.el.tbody(foreach(chart.rows, _row)),
        class_name="tbl",
    )
    return disclosure("Show the chart as a table", scrolling(table, "Every month’s averages"), icon_name="chart")


def _row(row: Shown[MonthRow]) -> rx.Component:
    return rx.el.tr(
        rx.el.th(row.month, scope="row"),
        foreach(row.cells, lambda cell: rx.el.td(cell, class_name="n")),
        custom_attrs={"data-left": row.left},
    )


def _two_or_five(answer: Shown[TwoOrFive]) -> rx.Component:
    plate = rx.el.div(
        rx.el.span(answer.label, class_name="label"),
        rx.el.b(answer.figure, class_name="big"),
        rx.el.span(answer.caption, class_name="small cap-2"),
        class_name="plate",
    )
    worked = rx.fragment(
        rx.el.p(answer.lead),
        plate,
        when_text(answer.at, _ticks(answer)),
        foreach(answer.sentences, _paragraph),
        disclosure("How we worked this out", rx.el.ol(foreach(answer.steps, _item))),
    )
    shown = when_text(answer.problem, rx.el.p(answer.problem), otherwise=worked)
    return titled_section("Two years or five?", "two", shown, look="as-h3", class_name="panel stack")


def _ticks(answer: Shown[TwoOrFive]) -> rx.Component:
    return rx.el.figure(
        rx.el.figcaption("Every month’s 2-year average since 2017, and your ", answer.figure, class_name="small"),
        rx.el.div(
            rx.el.svg(
                rx.el.path(d=f"M0 30H{WIDTH}", class_name="grid"),
                _path(answer.below, "h-2"),
                _path(answer.above, "h-5"),
                view_box=f"0 0 {WIDTH} 30",
                custom_attrs={"preserveAspectRatio": "none"},
            ),
            foreach(answer.scale, lambda each: _mark(each, look="along")),
            rx.el.span(answer.figure, class_name="own", custom_attrs=inline_style({"left": answer.at})),
            class_name="plot",
            aria_hidden="true",
        ),
        rx.el.div(
            rx.el.span("below: two years is cheaper"),
            rx.el.span("above: five years is"),
            class_name="ends",
            aria_hidden="true",
        ),
        class_name="hist-ticks",
    )


def _what_each_gives(answer: Shown[TwoOrFive], site: Site) -> rx.Component:
    payments = foreach(answer.payments, lambda each: rx.el.div(rx.el.dt(each[0]), rx.el.dd(each[1])))
    words = rx.fragment(
        rx.el.dl(payments, class_name="kv"),
        rx.el.p(
            rx.el.b("Two years"),
            " leaves you free sooner: to move, to sell, to pay off a lump sum, or to take a lower rate.",
            class_name="small",
        ),
        rx.el.p(rx.el.b("Five years"), " ", answer.long, class_name="small"),
    )
    return titled_section(
        "What each gives you",
        "gives",
        when_text(answer.problem, rx.fragment(), otherwise=words),
        note("Why there is no forecast here", NO_FORECAST),
        button_link("Compare deals of both lengths", routes.RATES, look="full"),
        rx.el.p(site.risk_warning, class_name="risk"),
        look="as-h3",
        class_name="panel stack",
    )
