"""The calculators in a browser: typing, dragging, keyboard, without a server, invalid input."""

from math import floor

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.calculators.calculator import Field, Unit, input_problem
from tests.e2e.calculator_page import BY_SLUG, REPAYMENT, SELF_EMPLOYED, example, opened
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import Problems
from tests.e2e.traffic import await_answer, traffic_of

NONSENSE = ("abc", "1e9", "99", "0", "")
"""Texts of which each is refused in one of the fields of pounds, of a percentage and of years at least."""


SOME = ("repayment", "self-employed", "deposit")
"""A calculator with a chart, one with choices, and one with checkboxes."""


def on_step(one: Field, value: float) -> float:
    """Return where a field's slider comes to rest when it is moved to a value: on a step, half way counting up."""
    steps = floor((value - one.low) / one.step + 0.5)
    return min(max(round(one.low + steps * one.step, 2), one.low), one.high)


def test_answer_follows_each_key_and_is_tidied_on_leaving_the_field(page: Page) -> None:
    panel, values = opened(page, REPAYMENT)
    panel.box("loan").select_text()
    for place, key in enumerate("1234567", start=1):
        page.keyboard.press(key)
        typed = "1234567"[:place]
        assert panel.shown() == panel.expected({**values, "loan": float(typed)}, typed={"loan": typed})
    for field in panel.fields(values):
        values[field.name] = example(field)
        text = f"£{example(field)}" if field.unit is Unit.POUNDS else f"{example(field)}"
        panel.box(field.name).fill(text)
        panel.box(field.name).press("Tab")
        assert panel.shown() == panel.expected(values)


def test_slider_moves_by_keyboard_and_by_a_click_on_its_track(page: Page) -> None:
    panel, values = opened(page, REPAYMENT)
    for field in panel.fields(values):
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


@pytest.mark.parametrize("slug", SOME)
def test_drag_moves_the_box_and_sends_nothing(page: Page, slug: str) -> None:
    traffic = traffic_of(page)
    panel, values = opened(page, BY_SLUG[slug])
    await_answer(page, traffic)
    before = list(traffic)
    field = panel.fields(values)[0]
    panel.drag(field.name, 0.6)
    values[field.name] = panel.now(field.name)
    wanted = field.low + (field.high - field.low) * 0.6
    assert values[field.name] == pytest.approx(wanted, abs=field.step + (field.high - field.low) / 200)
    assert panel.shown() == panel.expected(values)
    assert traffic == before


def test_calculators_work_from_files_alone(open_page: OpenPage, static_server: str, problems: Problems) -> None:
    problems.expect("WebSocket connection to .* failed")
    problems.expect(rf"status of 404 .*{routes.ART}(card|door|lender)-")  # the edge draws the pictures of the content
    page = open_page(base=static_server)
    for slug in SOME:
        panel, values = opened(page, BY_SLUG[slug])
        field = panel.fields(values)[0]
        values[field.name] = example(field)
        panel.box(field.name).fill(str(values[field.name]))
        panel.box(field.name).blur()
        assert panel.shown() == panel.expected(values)


def test_nonsense_gets_a_sentence_and_no_answer(page: Page) -> None:
    panel, values = opened(page, REPAYMENT)
    for field in panel.fields(values):
        for text in (each for each in NONSENSE if input_problem(field, each)):
            panel.box(field.name).fill(text)
            panel.box(field.name).blur()
            assert panel.shown() == panel.expected(values, typed={field.name: text})
        values[field.name] = example(field)
        panel.box(field.name).fill(str(example(field)))
        panel.box(field.name).blur()
        assert panel.shown() == panel.expected(values)


def test_keyboard_reaches_and_works_lists_ticks_and_disclosures(page: Page) -> None:
    panel, values = opened(page, SELF_EMPLOYED)
    stops = panel.stops(values)
    stops[0].focus()
    for stop in stops:
        expect(stop).to_be_focused()
        page.keyboard.press("Tab")
    panel.box("work1").press("ArrowDown")
    assert panel.shown() == panel.expected({**values, "work1": "director"})
    panel.section.locator("summary").press("Enter")
    expect(panel.section.locator("details")).to_have_attribute("open", "")
    buy, values = opened(page, BY_SLUG["buy-to-let-borrowing"])
    buy.box("valueUnknown").press("Space")
    assert buy.shown() == buy.expected({**values, "valueUnknown": True})
