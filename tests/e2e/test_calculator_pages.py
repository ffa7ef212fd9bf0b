"""The page of one calculator in a browser: its address has its inputs, with scripts and without."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.calculators.calculator import Calculator
from broker.calculators.registry import active_calculators
from tests.e2e.calculator_page import BY_SLUG, REPAYMENT, Panel, example, is_open
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import hold_scripts, sized, visit
from tests.e2e.traffic import await_answer, traffic_of

OWN = routes.calculator("repayment")

HYDRATED = ("repayment", "self-employed", "stamp-duty")
"""A calculator with a chart, one with choices, and one with a table."""

WATCH = """() => {
    window.figures = new Set();
    const note = () => {
        const figure = document.querySelector(".plate .big");
        if (figure) window.figures.add(figure.textContent);
    };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
}"""
"""Notes every figure that the page shows."""


LAPTOP = (1280, 800)

IN_VIEW = """() => {
    const focused = document.activeElement.closest(".num") ?? document.activeElement;
    const [answer, field] = [document.querySelector(%r), focused].map(element => element.getBoundingClientRect());
    return 0 <= answer.top && answer.top < answer.bottom && answer.bottom <= innerHeight
        && 0 <= field.top && field.bottom <= innerHeight && (%s);
}"""
"""Whether an answer and the field in focus are in view, and more is true of both."""

each_shape = pytest.mark.parametrize("slug", ("repayment", "overpayment", "self-employed"))
"""A few fields, the most that show at once, and choices: every calculator has the same parts and styles."""


def focus_in_turn(page: Page, calculator: Calculator, *, answer: str, further: str = "true") -> None:
    """Focus each field and slider, downwards and then upwards, and wait until `IN_VIEW` is true of it."""
    visit(page, routes.calculator(calculator.slug))
    sticky = page.locator(".slim" if answer == ".slim" else ".calc-answer")
    expect(sticky).to_have_css("position", "sticky")  # the whole stylesheet is there
    fields = Panel(page=page, calculator=calculator).awake().section.locator(".calc-fields")
    stops = fields.locator(":is(input, select, [role=slider]):visible").all()
    assert len(stops) >= len(calculator.choices) + 1
    for stop in (*stops, *reversed(stops)):
        stop.focus()
        page.wait_for_function(IN_VIEW % (answer, further))


@each_shape
def test_line_with_the_answer_is_in_view_and_never_covers_the_field_in_focus(open_page: OpenPage, slug: str) -> None:
    page, calculator = open_page(PHONE), BY_SLUG[slug]
    focus_in_turn(page, calculator, answer=".slim", further="answer.bottom <= field.top")
    working = calculator.calculate(calculator.defaults())
    expect(page.locator(".slim")).to_contain_text(f"{working.label}{working.figure}")


@each_shape
def test_answer_beside_the_fields_is_in_view_while_each_is_changed(page: Page, slug: str) -> None:
    focus_in_turn(sized(page, LAPTOP), BY_SLUG[slug], answer=".calc-answer > .plate")


def with_figures(calculator: Calculator) -> tuple[str, dict[str, Any]]:
    """Return an address with another number in each field that shows, and the calculator's values there."""
    values = calculator.defaults()
    shown = [one for one in calculator.fields if is_open(one, values)]
    values |= {one.name: example(one) for one in shown}
    return f"{routes.calculator(calculator.slug)}?{urlencode({one.name: values[one.name] for one in shown})}", values


@pytest.mark.parametrize("slug", HYDRATED)
def test_figures_of_an_address_show_before_the_scripts_and_stay(page: Page, slug: str) -> None:
    calculator = BY_SLUG[slug]
    address, values = with_figures(calculator)
    page.add_init_script(f"({WATCH})()")
    release = hold_scripts(page)
    page.goto(address, wait_until="commit")
    expect(page.locator(".plate .big")).to_contain_text(calculator.calculate(values).figure)
    release()
    panel = Panel(page=page, calculator=calculator).awake()
    assert panel.shown() == panel.expected(values)
    assert len(page.evaluate("[...window.figures]")) == 1


def test_address_follows_what_is_typed_without_a_step_or_a_message(page: Page) -> None:
    traffic = traffic_of(page)
    visit(page, OWN)
    await_answer(page, traffic)
    before, steps = list(traffic), page.evaluate("history.length")
    panel = Panel(page=page, calculator=REPAYMENT).awake()
    panel.box("loan").fill("187400")
    panel.box("rate").fill("4.5")
    page.wait_for_url(f"**{OWN}?loan=187400&rate=4.5")
    panel.box("rate").fill("5.99")
    panel.box("term").fill("x")
    page.wait_for_url(f"**{OWN}?loan=187400&term=x")
    panel.box("term").fill("7.5")
    page.wait_for_url(f"**{OWN}?loan=187400&term=7.5")
    assert (traffic, page.evaluate("history.length")) == (before, steps)
    expected = panel.expected({"loan": 187_400, "rate": 5.99, "term": 7.5})
    page.reload()
    assert panel.awake().shown() == expected
    page.locator("header a[href='/']").first.click()
    page.wait_for_url("**/")
    page.go_back()
    page.wait_for_url(f"**{OWN}?loan=187400&term=7.5")
    assert panel.awake().shown() == expected


def test_title_says_an_error_as_long_as_a_field_has_one(page: Page) -> None:
    visit(page, OWN)
    expect(page).not_to_have_title("")
    usual = page.title()
    visit(page, f"{OWN}?term=abc")
    expect(page).to_have_title(f"Error: {usual}")
    box = page.locator("main input[name=term]")
    box.fill("20")
    expect(page).to_have_title(usual)
    box.fill("-")
    expect(page).to_have_title(f"Error: {usual}")
    page.locator("header a[href='/']").first.click()
    page.wait_for_url("**/")
    expect(page).not_to_have_title(re.compile("Error: "))


def test_link_inside_the_site_brings_its_figures(page: Page) -> None:
    visit(page, OWN)
    Panel(page=page, calculator=REPAYMENT).awake().box("loan").fill("99999")
    visit(page, "/mortgage-guides/overpaying-your-mortgage/")
    page.locator(f"main a[href^='{OWN}?']").first.click()
    page.wait_for_url(f"**{OWN}?loan=200000&rate=4.5&term=25")
    expect(page.locator(".plate .big")).to_have_text("£1,111.66")


def test_choice_and_tick_are_sent_without_scripts(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    page.goto(routes.calculator("self-employed"))
    panel = Panel(page=page, calculator=BY_SLUG["self-employed"])
    panel.box("work1").select_option("contractor")
    panel.section.get_by_role("button", name="Work it out").click()
    expect(panel.box("work1")).to_have_value("contractor")
    expect(panel.section.locator(".big")).to_have_text("£420,000")
    page.goto(routes.calculator("buy-to-let-borrowing"))
    panel = Panel(page=page, calculator=BY_SLUG["buy-to-let-borrowing"])
    panel.box("valueUnknown").check()
    panel.section.get_by_role("button", name="Work it out").click()
    expect(panel.box("valueUnknown")).to_be_checked()
    expect(panel.section.locator(".big")).to_have_text("£60,000")


def test_own_entry_among_the_calculators_is_no_link(page: Page) -> None:
    visit(page, f"{OWN}?loan=187400")
    entries = page.get_by_role("navigation", name="Calculators").get_by_role("listitem")
    [own] = entries.locator("[aria-current=page]").all()
    expect(own).to_have_text(REPAYMENT.title)
    assert len(entries.get_by_role("link").all()) == len(active_calculators(())) - 1
