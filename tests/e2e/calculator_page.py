"""A calculator on an open page: its elements, what it shows, and what it is expected to show."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Self

from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.calculators.calculator import (
    Calculator,
    Field,
    LineChart,
    Unit,
    Working,
    box_text,
    input_problem,
    needed_problem,
    value_text,
)
from broker.calculators.registry import CALCULATORS, calculators_of_page
from broker.lending.money import decimals, halves, pounds
from tests.e2e.pages import visit
from tests.e2e.panel_scripts import READ, READ_SETTLED, SETTLE, WAKE

QUICK = "quick"
"""The scope of the short calculator in the banner of the home page."""

BY_SLUG = {calculator.slug: calculator for calculator in CALCULATORS}
REPAYMENT, SELF_EMPLOYED = BY_SLUG["repayment"], BY_SLUG["self-employed"]
[CONTRACTORS] = calculators_of_page(("self-employed",), page="contractor-mortgage")
"""The self-employed calculator as the contractor page shows it."""

LISTED: dict[str, tuple[str, tuple[Calculator, ...]]] = {
    **{routes.calculator(each.slug): ("", (each,)) for each in CALCULATORS},
    "/": (QUICK, (REPAYMENT,)),
    "/contractor-mortgage/": ("contractor-page", (CONTRACTORS, BY_SLUG["contractor"], REPAYMENT)),
}
"""Each page's scope of ids, and its calculators in the order drawn."""

_WIDTH, _TOP, _BOTTOM = 460, 8, 140

CLOSED_TABLE_YEARS = 5
"""Years from row to row of a table of debts that nobody has opened; all terms at the start are a multiple."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The answer that a calculator shows, as text; the short calculator shows the plate only."""

    label: str
    figure: str
    caption: str
    tiles: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    note: str = ""
    bars: tuple[str, ...] = ()
    answers: tuple[tuple[str, ...], ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    lines: tuple[str, ...] = ()
    pairs: tuple[tuple[Any, ...], ...] = ()
    """Each box with its slider: id, text in the box, the slider's number and words, sentence, aria-invalid."""

    def without_scripts(self) -> Self:
        """Return the same without scripts: no sliders, and a table of every fifth year."""
        pairs = tuple((box, text, None, None, *said) for box, text, _, _, *said in self.pairs)
        return replace(self, pairs=pairs, table=self.table[::CLOSED_TABLE_YEARS])

    @classmethod
    def of_page(cls, read: Mapping[str, Any]) -> Self:
        plain = {name: read[name] for name in ("label", "figure", "caption", "note")}
        lists = {name: tuple(read[name]) for name in ("tiles", "steps", "bars", "lines")}
        rows: dict[str, Any] = {name: tuple(map(tuple, read[name])) for name in ("answers", "table", "pairs")}
        return cls(**plain, **lists, **rows)

    @classmethod
    def of_domain(cls, working: Working, *, short: bool = False) -> Self:
        figure = f"{working.figure} {working.per}".strip()
        if short:
            return cls(label=working.label, figure=figure, caption=working.caption)
        return cls(
            label=working.label,
            figure=figure,
            caption=working.caption,
            tiles=tuple(f"{figure} {words}" for figure, words in working.tiles),
            steps=tuple(working.steps),
            note=f"{working.note.title}{working.note.text}" if working.note else "",
            bars=tuple(f"{bar.label}{bar.figure}" for bar in working.bars),
            answers=working.table.rows if working.table else (),
            table=_table(working.chart) if working.chart else (),
            lines=_lines(working.chart) if working.chart else (),
        )


NO_ANSWER = Shown(label="No answer yet", figure="", caption="")
"""What a calculator shows while a field is wrong."""


def _table(chart: LineChart) -> tuple[tuple[str, ...], ...]:
    rows = ((halves(year), *(pounds(line.value_at(year * 12)) for line in chart.lines)) for year in _years(chart))
    return tuple(rows)


def _years(chart: LineChart) -> tuple[float, ...]:
    """Return each whole year of a chart, and its end."""
    return (*range(ceil(chart.years)), chart.years)


def _lines(chart: LineChart) -> tuple[str, ...]:
    def point(year: float, owed: float) -> str:
        height = _BOTTOM - (_BOTTOM - _TOP) * owed / (chart.highest or 1)
        return f"{decimals(year / chart.years * _WIDTH, 1)},{decimals(height, 1)}"

    years = _years(chart)
    return tuple("M" + " ".join(point(year, line.value_at(year * 12)) for year in years) for line in chart.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A calculator on a page; `scope` is what sets its ids apart from the same calculator elsewhere."""

    page: Page
    calculator: Calculator
    scope: str = ""

    @property
    def prefix(self) -> str:
        return "-".join(filter(None, (self.scope, self.calculator.slug)))

    @property
    def heading(self) -> str:
        """Return the id of its heading, which names its section."""
        return "quick-title" if self.scope == QUICK else f"{self.prefix}-title"

    @property
    def section(self) -> Locator:
        return self.page.locator(f'section[aria-labelledby="{self.heading}"]')

    def awake(self) -> Self:
        """Return it with its sliders and every year of its table, as after scrolling to it and opening the table.

        One that is folded is opened first.
        """
        self.section.evaluate("section => section.closest('details')?.setAttribute('open', '')")
        self.section.evaluate("section => section.scrollIntoView()")
        expect(self.section.locator(".at-rest")).to_have_count(0)
        self.section.evaluate(WAKE)
        return self

    def box(self, name: str) -> Locator:
        """Return the number box, the list or the tick of a name."""
        return self.page.locator(f"#{self.prefix}-{name}")

    def thumb(self, name: str) -> Locator:
        return self.page.locator(f"#slider-thumb-{self.prefix}-{name}-slider")

    def track(self, name: str) -> Locator:
        return self.page.locator(f"#slider-track-{self.prefix}-{name}-slider")

    def fields(self, values: Mapping[str, Any]) -> list[Field]:
        """Return the fields that show while the choices stand as in `values`, in the order of the page."""
        return [each for each in self._in_order() if is_open(each, values)]

    def stops(self, values: Mapping[str, Any]) -> list[Locator]:
        """Return what the Tab key reaches, in its order: boxes with their sliders, lists, ticks and disclosures."""
        groups: list[tuple[str, ...]] = [("",), *((choice.name, choice.name) for choice in self.calculator.choices)]
        found = []
        for belongs_to, *lists in groups:
            found += [self.box(name) for name in lists]
            for one in self.fields(values):
                if one.only_for.partition("=")[0] == belongs_to:
                    found += [self.box(one.name), self.thumb(one.name)]
        ticks = [self.box(tick.name) for tick in self.calculator.checkboxes]
        tables = self.section.locator(".calc-answer > .scroll-x").all()
        return [*found, *ticks, *tables, *self.section.locator("summary").all()]

    def now(self, name: str) -> float:
        settle(self.page)
        return float(self.thumb(name).get_attribute("aria-valuenow") or "nan")

    def drag(self, name: str, share: float) -> None:
        start, rail = self.thumb(name), self.track(name)
        start.scroll_into_view_if_needed()
        grip, along = start.bounding_box(), rail.bounding_box()
        assert grip
        assert along
        middle, mouse = grip["y"] + grip["height"] / 2, self.page.mouse
        mouse.move(grip["x"] + grip["width"] / 2, middle)
        mouse.down()
        mouse.move(along["x"] + along["width"] * share, middle + 30, steps=4)
        mouse.up()

    def shown(self, *, drawing: bool = True) -> Shown:
        """Return what is on the page; `drawing` waits for the latest change, which a page without scripts cannot do."""
        return Shown.of_page(self.section.evaluate(READ_SETTLED if drawing else READ))

    def expected(self, values: Mapping[str, Any], *, typed: Mapping[str, str] | None = None) -> Shown:
        """Return what the page shows for `values`.

        `typed` has the text of a box that is not formatted by the site.
        """
        pairs = tuple(self._pair(one, values, typed or {}) for one in self.fields(values))
        if any(sentence for *_, sentence, _ in pairs):
            return replace(NO_ANSWER, pairs=pairs)
        return replace(Shown.of_domain(self.calculator.calculate(values), short=self.scope == QUICK), pairs=pairs)

    def _pair(self, one: Field, values: Mapping[str, Any], typed: Mapping[str, str]) -> tuple[Any, ...]:
        value = values[one.name]
        text = typed.get(one.name, box_text(one, value))
        sentence = needed_problem(one, input_problem(one, text), values=values)
        on_rail = min(max(value, one.low), one.high)
        identity, invalid = f"{self.prefix}-{one.name}", "true" if sentence else "false"
        return identity, text, on_rail, value_text(one, value), sentence, invalid

    def _in_order(self) -> list[Field]:
        alone = [each for each in self.calculator.fields if not each.only_for]
        return alone + [each for each in self.calculator.fields if each.only_for]


def is_open(one: Field, values: Mapping[str, Any]) -> bool:
    choice, _, kind = one.only_for.partition("=")
    return not choice or values[choice] == kind


def example(one: Field) -> float:
    """Return a number in order that is neither the field's default nor a step of its slider."""
    return {Unit.PERCENT: 4.37, Unit.YEARS: min(17, one.high - 1)}.get(one.unit, one.default + 12_345)


def settle(page: Page) -> None:
    page.evaluate(SETTLE)


def panels(page: Page, path: str, *, scripts: bool = True) -> list[Panel]:
    """Return the calculators that an open page draws, in its order, each awake where there are scripts."""
    scope, calculators = LISTED[path]
    every = [Panel(page=page, calculator=calculator, scope=scope) for calculator in calculators]
    return [panel.awake() for panel in every] if scripts else every


def opened(page: Page, calculator: Calculator) -> tuple[Panel, dict[str, Any]]:
    """Open the page of a calculator, and return it with its values before the visitor changes any."""
    visit(page, routes.calculator(calculator.slug))
    return Panel(page=page, calculator=calculator).awake(), calculator.defaults()
