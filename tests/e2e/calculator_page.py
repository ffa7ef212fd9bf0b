"""A calculator on an open page: where its parts are, what it shows, and what the domain says it ought to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor
from typing import Any, Self

from playwright.sync_api import Locator, Page, WebSocket

from broker.domain.calculators.model import Calculator, DebtChart, Field, Unit, Working, problem, spoken, written
from broker.domain.money import decimals, pounds

QUICK = "quick"
"""The scope of the short calculator in the banner of the home page."""

_WIDTH, _TOP, _BOTTOM = 460, 8, 140

READ = """section => {
    const text = selector => section.querySelector(selector)?.textContent ?? "";
    const all = (selector, found) => [...section.querySelectorAll(selector)].map(found);
    const words = element => element.textContent;
    return {
        label: text(".plate[role=status] .label"),
        figure: text(".plate[role=status] .big"),
        caption: text(".plate[role=status] .cap-2"),
        steps: all(".how > ol > li", words),
        note: text(".note"),
        bars: all(".bars li", words),
        table: all(".how tbody tr", row => [...row.cells].map(words)),
        lines: all(".chart path[class^=line]", line => line.getAttribute("d")),
        pairs: all(".pair", pair => {
            const box = pair.querySelector(".num input"), thumb = pair.querySelector("[role=slider]");
            const [now, spoken] = ["aria-valuenow", "aria-valuetext"].map(name => thumb.getAttribute(name));
            const [error, invalid] = [pair.querySelector(".err-slot").textContent, box.getAttribute("aria-invalid")];
            return [box.id, box.value, Number(now), spoken, error, invalid];
        }),
    };
}"""
"""What a panel shows, read in the page."""

_PULSE = ("2", "3")

_SETTLE = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"


_ALIVE = """async () => {
    const taken = () => Object.keys(document.querySelector("main")).some(key => key.startsWith("__reactProps"));
    while (!taken()) await new Promise(requestAnimationFrame);
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Everything that a calculator shows of its answer, as text; the short calculator shows the plate alone."""

    label: str
    figure: str
    caption: str
    steps: tuple[str, ...] = ()
    note: str = ""
    bars: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    lines: tuple[str, ...] = ()

    @classmethod
    def of_page(cls, read: Mapping[str, Any]) -> Self:
        """Return what READ found."""
        lists = {name: tuple(read[name]) for name in ("steps", "bars", "lines")}
        texts = {name: read[name] for name in ("label", "figure", "caption", "note")}
        return cls(**texts, **lists, table=tuple(tuple(row) for row in read["table"]))

    @classmethod
    def of_domain(cls, working: Working, *, short: bool = False) -> Self:
        """Return what a worked answer looks like on a page."""
        figure = f"{working.figure} {working.per}".strip()
        if short:
            return cls(label=working.label, figure=figure, caption=working.caption)
        return cls(
            label=working.label,
            figure=figure,
            caption=working.caption,
            steps=tuple(working.steps),
            note=f"{working.note.title}{working.note.text}" if working.note else "",
            bars=tuple(f"{bar.label}{bar.figure}" for bar in working.bars),
            table=_table(working.chart) if working.chart else (),
            lines=_lines(working.chart) if working.chart else (),
        )


def _table(chart: DebtChart) -> tuple[tuple[str, ...], ...]:
    years = range(int(chart.years) + 1)
    return tuple((str(year), *(pounds(line.owed(year * 12)) for line in chart.lines)) for year in years)


def _lines(chart: DebtChart) -> tuple[str, ...]:
    def point(year: int, owed: float) -> str:
        height = _BOTTOM - (_BOTTOM - _TOP) * owed / (chart.loan or 1)
        return f"{decimals(year / chart.years * _WIDTH, 1)},{decimals(height, 1)}"

    years = range(int(chart.years) + 1)
    return tuple("M" + " ".join(point(year, line.owed(year * 12)) for year in years) for line in chart.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A calculator on a page; `scope` is what sets its ids apart from the same calculator elsewhere."""

    page: Page
    calculator: Calculator
    scope: str = ""

    @property
    def prefix(self) -> str:
        """Return what the ids of its fields start with."""
        return "-".join(filter(None, (self.scope, self.calculator.slug)))

    @property
    def heading(self) -> str:
        """Return the id of its heading, which names its section."""
        return "quick-title" if self.scope == QUICK else f"{self.prefix}-title"

    @property
    def section(self) -> Locator:
        """Return its section."""
        return self.page.locator(f'section[aria-labelledby="{self.heading}"]')

    def box(self, name: str) -> Locator:
        """Return the number box, the list or the tick of a name."""
        return self.page.locator(f"#{self.prefix}-{name}")

    def thumb(self, name: str) -> Locator:
        """Return the part of a field's slider that is dragged."""
        return self.page.locator(f"#slider-thumb-{self.prefix}-{name}-slider")

    def track(self, name: str) -> Locator:
        """Return the rail of a field's slider."""
        return self.page.locator(f"#slider-track-{self.prefix}-{name}-slider")

    def error(self, name: str) -> Locator:
        """Return the place of the sentence beside a field."""
        return self.page.locator(f"#{self.prefix}-{name}-error")

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
        ticks = [self.box(tick.name) for tick in self.calculator.ticks]
        return [*found, *ticks, *self.section.locator("summary").all()]

    def now(self, name: str) -> float:
        """Return the number that a field's slider stands at."""
        settle(self.page)
        return float(self.thumb(name).get_attribute("aria-valuenow") or "nan")

    def drag(self, name: str, share: float) -> None:
        """Drag a slider to a share of its rail."""
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

    def check(self, values: Mapping[str, Any], *, typed: Mapping[str, str] | None = None) -> None:
        """Assert that answer, working, chart, boxes, sliders and messages are those of `values`.

        `typed` has what stands in a box where it is not the number as the site itself writes it.
        """
        settle(self.page)
        self.check_still(values, typed=typed)

    def check_still(self, values: Mapping[str, Any], *, typed: Mapping[str, str] | None = None) -> None:
        """Assert the same of a page that draws nothing more, since its scripts are off."""
        read = self.section.evaluate(READ)
        pairs = [self._pair(each, values, typed) for each in self.fields(values)]
        assert [tuple(pair) for pair in read["pairs"]] == pairs
        assert Shown.of_page(read) == Shown.of_domain(self.calculator.work(values), short=self.scope == QUICK)

    def _pair(self, one: Field, values: Mapping[str, Any], typed: Mapping[str, str] | None) -> tuple[Any, ...]:
        value = values[one.name]
        text = (typed or {}).get(one.name, written(one, value))
        sentence = problem(one, text)
        on_rail = min(max(value, one.low), one.high)
        identity, invalid = f"{self.prefix}-{one.name}", "true" if sentence else "false"
        return identity, text, on_rail, spoken(one, value), sentence, invalid

    def _in_order(self) -> list[Field]:
        alone = [each for each in self.calculator.fields if not each.only_for]
        return alone + [each for each in self.calculator.fields if each.only_for]


@dataclass(slots=True, kw_only=True)
class Traffic:
    """What a page asks of a server: its requests, and what passes over its socket; the socket's own pulse is not kept."""

    requests: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Note from now on what the page asks."""
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: _keep(self.sent, frame))
        socket.on("framereceived", lambda frame: _keep(self.received, frame))

    def await_answer(self, page: Page) -> None:
        """Wait until the server has answered everything that the page asked as it was loaded."""
        while not any('"final":true' in frame for frame in self.received):
            settle(page)


def _keep(frames: list[str], frame: str | bytes) -> None:
    text = str(frame)
    if text not in _PULSE:
        frames.append(text)


def is_open(one: Field, values: Mapping[str, Any]) -> bool:
    """Tell whether a field shows while the choices stand as in `values`."""
    choice, _, kind = one.only_for.partition("=")
    return not choice or values[choice] == kind


def example(one: Field) -> float:
    """Return a number in order that is neither the field's default nor a step of its slider."""
    return {Unit.PERCENT: 4.37, Unit.YEARS: 17}.get(one.unit, one.default + 12_345)


def on_step(one: Field, value: float) -> float:
    """Return where a field's slider comes to rest when it is moved to a value: on a step, half way counting up."""
    steps = floor((value - one.low) / one.step + 0.5)
    return min(max(round(one.low + steps * one.step, 2), one.low), one.high)


def until_alive(page: Page) -> None:
    """Wait until the page's scripts have taken it over."""
    page.evaluate(_ALIVE)


def settle(page: Page) -> None:
    """Wait until a change of the last moment has been drawn."""
    page.evaluate(_SETTLE)
