"""The calculators in a browser: typing, dragging, keyboard, without scripts or server, invalid input."""

from collections.abc import Iterator
from itertools import islice
from math import floor
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.calculators.calculator import Field, Unit, input_problem, number_of
from tests.e2e.calculator_page import (
    ALL_CALCULATORS,
    BY_SLUG,
    CONTRACTORS,
    LISTED,
    REPAYMENT,
    SELF_EMPLOYED,
    Panel,
    Shown,
    example,
    opened,
    panels,
    pick,
)
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import Problems, visit
from tests.e2e.questionnaire_page import Line
from tests.e2e.traffic import await_answer, traffic_of

UNUSED = ("lastYearNetProfit", "previousYearDividend", "age")
"""Fields that are used in no formula, or, as a saver's age, only once a box is ticked."""

MINUS = "Enter a number of 0 or more, without a minus sign"
FIGURES = "Enter a number in figures, for example 250,000"
BILLIONS = "Enter an amount below £10 billion"
RATE = "Enter a rate from 0 to 25%, to three places at most"
YEARS = "Enter 1 to 40 years, in whole or half years"
EMPTY = f"Empty counts as 0. {YEARS}"

NONSENSE = {
    "abc": (FIGURES, RATE, YEARS),
    "-5": (MINUS, RATE, YEARS),
    "1e9": (FIGURES, RATE, YEARS),
    "1,2345": ("", RATE, YEARS),
    "10000000000": (BILLIONS, RATE, YEARS),
    "£250,000": ("", RATE, YEARS),
    "4.999": (FIGURES, "", YEARS),
    "5.1251": (FIGURES, RATE, YEARS),
    "7.5": ("", "", ""),
    "99": ("", RATE, YEARS),
    "41": ("", RATE, YEARS),
    "0": ("", "", YEARS),
    "": ("", "", EMPTY),
}
"""What is typed, and the sentence beside a box of pounds, of a percentage, of years."""

RINGED = """at => {
    const style = getComputedStyle(at.closest(".num") ?? at);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
}"""

OLDEST = 100
"""The highest number of a field of an age, which has years as its unit; 41 and 99 are good there."""

FEW = ("abc", "41")
"""What is typed into further fields of a unit: one text that is refused, or not, by each."""


def on_step(one: Field, value: float) -> float:
    """Return where a field's slider comes to rest when it is moved to a value: on a step, half way counting up."""
    steps = floor((value - one.low) / one.step + 0.5)
    return min(max(round(one.low + steps * one.step, 2), one.low), one.high)


def each_field(panel: Panel, values: dict[str, Any]) -> Iterator[Field]:
    """Yield every field, shown by picking what it belongs to; the second applicant's are drawn as the first's."""
    for field in panel.calculator.fields:
        if not field.only_for.startswith("work2"):
            choice, _, kind = field.only_for.partition("=")
            pick(panel, values, **({choice: kind} if choice else {}))
            yield field


def fill(panel: Panel, boxes: int | None = None) -> None:
    values = panel.calculator.defaults()
    for field in panel.fields(values)[:boxes]:
        values[field.name] = example(field)
        panel.box(field.name).fill(str(values[field.name]))
        panel.box(field.name).blur()
        assert panel.shown() == panel.expected(values)


def every_field(page: Page) -> Iterator[tuple[Panel, dict[str, Any], Field]]:
    """Open the page of all calculators, and yield every field with its panel and the values beside it."""
    visit(page, ALL_CALCULATORS)
    for panel in panels(page, ALL_CALCULATORS):
        values = panel.calculator.defaults()
        for field in each_field(panel, values):
            yield panel, values, field


def test_typing_changes_the_answer_and_is_written_out(page: Page) -> None:
    for panel, values, field in every_field(page):
        before = panel.calculator.calculate(values)
        values[field.name] = example(field)
        text = f"£{example(field)}" if field.unit is Unit.POUNDS else f"{example(field)}"
        panel.box(field.name).fill(text)
        assert panel.shown() == panel.expected(values, typed={field.name: text})
        panel.box(field.name).press("Tab")
        assert panel.shown() == panel.expected(values)
        is_unchanged = Shown.of_domain(panel.calculator.calculate(values)) == Shown.of_domain(before)
        assert (field.name, is_unchanged) == (field.name, field.name.startswith(UNUSED))


def test_typing_key_by_key_shows_the_answer_to_each(page: Page) -> None:
    panel, values = opened(page, REPAYMENT)
    panel.box("loan").select_text()
    for place, key in enumerate("1234567", start=1):
        page.keyboard.press(key)
        assert panel.shown() == panel.expected(
            {**values, "loan": float("1234567"[:place])}, typed={"loan": "1234567"[:place]}
        )


def test_slider_moves_by_keyboard_and_by_a_click_on_its_track(page: Page) -> None:
    for panel, values, field in every_field(page):
        after_step = on_step(field, values[field.name] + field.step)
        moves = {"ArrowRight": after_step, "Home": field.low, "ArrowUp": field.low + field.step, "End": field.high}
        for key, stop in {**moves, "ArrowLeft": on_step(field, field.high - field.step)}.items():
            panel.thumb(field.name).press(key)
            values[field.name] = stop
            assert panel.shown() == panel.expected(values)
        rail = panel.track(field.name)
        size = rail.bounding_box()
        assert size
        rail.click(position={"x": size["width"] * 0.75, "y": size["height"] / 2}, force=True)
        wanted = field.low + (field.high - field.low) * 0.75
        values[field.name] = panel.now(field.name)
        assert values[field.name] == pytest.approx(wanted, abs=field.step + (field.high - field.low) / 200)
        assert panel.shown() == panel.expected(values)


@pytest.mark.parametrize("path", LISTED)
def test_drag_moves_the_box_and_sends_nothing(page: Page, path: str) -> None:
    traffic = traffic_of(page)
    visit(page, path)
    await_answer(page, traffic)
    before = list(traffic)
    for panel in panels(page, path):
        values = panel.calculator.defaults()
        fields = each_field(panel, values)
        for field in fields if path == ALL_CALCULATORS else islice(fields, 1):
            panel.drag(field.name, 0.6)
            values[field.name] = panel.now(field.name)
            wanted = field.low + (field.high - field.low) * 0.6
            assert values[field.name] == pytest.approx(wanted, abs=field.step + (field.high - field.low) / 200)
            assert panel.shown() == panel.expected(values)
    assert traffic == before


def test_calculators_work_from_files_alone(open_page: OpenPage, static_server: str, problems: Problems) -> None:
    problems.expect("WebSocket connection to .* failed")
    problems.expect(rf"status of 404 .*{routes.ART}(card|door|lender)-")  # the edge draws the pictures of the content
    for path in LISTED:
        page = open_page(base=static_server)  # a tab of its own: what was typed in one is offered on its next page
        visit(page, path)
        for panel in panels(page, path):
            fill(panel, None if path == ALL_CALCULATORS else 1)


def test_calculators_go_on_working_when_the_line_is_cut(page: Page, problems: Problems) -> None:
    problems.expect("WebSocket")
    line = Line(page)
    visit(page, ALL_CALCULATORS)
    line.cut()
    for panel in panels(page, ALL_CALCULATORS):
        fill(panel, 1)


def sentence_beside(field: Field, text: str) -> str:
    said, least = NONSENSE[text][list(Unit).index(field.unit)], f"{field.min_value:g}"
    is_good = (text or "0") == least or (text.isdigit() and field.min_value <= int(text) <= field.max_value == OLDEST)
    return "" if is_good else said.replace("1 to 40", f"{least} to {field.max_value:g}")


def test_nonsense_gets_a_sentence_and_no_answer(page: Page) -> None:
    tried = set[Unit]()
    for panel, values, field in every_field(page):
        texts = FEW if field.unit in tried else NONSENSE
        tried.add(field.unit)
        for text in texts:
            sentence = sentence_beside(field, text)
            panel.box(field.name).fill(text)
            if sentence:
                panel.box(field.name).blur()
            assert input_problem(field, text) == sentence
            values[field.name] = values[field.name] if sentence else number_of(field, text)
            assert panel.shown() == panel.expected(values, typed={field.name: text})
        values[field.name] = example(field)
        panel.box(field.name).fill(str(example(field)))
        panel.box(field.name).blur()
        assert panel.shown() == panel.expected(values)


def test_keyboard_reaches_everything_with_a_ring(page: Page) -> None:
    visit(page, ALL_CALCULATORS)
    for panel in panels(page, ALL_CALCULATORS):
        stops = panel.stops(panel.calculator.defaults())
        stops[0].focus()
        for stop in stops:
            expect(stop).to_be_focused()
            assert stop.evaluate(RINGED), stop
            page.keyboard.press("Tab")


def test_keyboard_works_lists_ticks_and_disclosures(page: Page) -> None:
    panel, values = opened(page, SELF_EMPLOYED)
    panel.box("work1").press("ArrowDown")
    assert panel.shown() == panel.expected({**values, "work1": "director"})
    panel.section.locator("summary").press("Enter")
    expect(panel.section.locator("details")).to_have_attribute("open", "")
    buy = Panel(page=page, calculator=BY_SLUG["buy-to-let-borrowing"]).awake()
    buy.box("valueUnknown").press("Space")
    assert buy.shown() == buy.expected({**buy.calculator.defaults(), "valueUnknown": True})


def test_contractor_page_starts_with_two_contractors(page: Page) -> None:
    visit(page, "/contractor-mortgage/")
    panel = Panel(page=page, calculator=CONTRACTORS, scope="contractor-page").awake()
    assert [panel.box(name).input_value() for name in ("work1", "work2")] == ["contractor", "contractor"]
