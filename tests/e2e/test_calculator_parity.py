"""One formula, two runtimes: a page shows what Python works out, to the penny, whatever is asked and whenever."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from broker import routes
from broker.calculators.calculator import Calculator, Field, Unit, input_problem, number_of
from broker.calculators.registry import CALCULATORS
from broker.calculators.self_employed import Work
from broker.lending.money import amount_in, pounds
from broker.lending.mortgage import balance_after
from tests.e2e.calculator_page import (
    ALL_CALCULATORS,
    BY_SLUG,
    LISTED,
    REPAYMENT,
    SELF_EMPLOYED,
    Panel,
    Shown,
    is_open,
    opened,
    panels,
    pick,
)
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit
from tests.e2e.panel_scripts import READ

SEED = 20_261_121
THOUSAND, SOAK = 1_000, 20_000

each_page = pytest.mark.parametrize("path", LISTED)

_TRY_ALL = f"""async ([heading, prefix, cases]) => {{
    const read = {READ};
    const section = document.querySelector(`section[aria-labelledby="${{heading}}"]`);
    const part = name => document.getElementById(`${{prefix}}-${{name}}`);
    const put = (element, value) => {{
        const kind = element instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
        Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(element, value);
        element.dispatchEvent(new Event(kind === HTMLSelectElement ? "change" : "input", {{ bubbles: true }}));
    }};
    const found = [];
    for (const [picks, ticks, texts] of cases) {{
        await scheduler.postTask(() => undefined);
        Object.entries(picks).forEach(([name, value]) => put(part(name), value));
        Object.entries(ticks).forEach(([name, value]) => part(name).checked === value || part(name).click());
        Object.entries(texts).forEach(([name, text]) => put(part(name), text));
        found.push(read(section));
    }}
    return found;
}}"""
"""Fill in a calculator once for each case and read it each time; the pause lets React finish deferred updates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    picks: dict[str, str]
    ticks: dict[str, bool]
    texts: dict[str, str]

    def values(self, calculator: Calculator) -> dict[str, Any]:
        """Return what the calculator works with once all that is filled in."""
        typed = {one.name: number_of(one, self.texts[one.name]) for one in calculator.fields if one.name in self.texts}
        return {**calculator.defaults(), **self.picks, **self.ticks, **typed}


def _text(field: Field, random: Random) -> str:
    """Return something in order to type in a field: amounts of every size, pence, commas and pound signs."""
    if field.unit is Unit.YEARS:
        return str(random.randint(2 * int(field.min_value), 2 * int(field.max_value)) / 2)
    if field.unit is Unit.PERCENT:
        return random.choice(("0", "25", f"{random.randint(1, 25)}", f"{random.randint(1, 25_000) / 1_000}"))
    whole = random.randrange(int(field.min_value), 10 ** random.randint(1, 10))
    empty = () if field.min_value else ("", "0")
    return random.choice((*empty, f"{whole}", f"{whole:,}", f"£{whole:,}", f"{whole}.{random.randrange(100)}"))


def _case(calculator: Calculator, random: Random) -> Case:
    picks = {choice.name: random.choice(choice.options)[0] for choice in calculator.choices}
    shown = (field for field in calculator.fields if is_open(field, picks))
    texts = {field.name: _text(field, random) for field in shown}
    return Case(picks=picks, ticks={tick.name: random.random() < 0.5 for tick in calculator.checkboxes}, texts=texts)


def _compare(page: Page, count: int) -> None:
    """Fill in all calculators, `count` times together, and compare each answer with Python's."""
    random = Random(SEED)
    visit(page, ALL_CALCULATORS)
    listed = LISTED[ALL_CALCULATORS][1]
    for place, calculator in enumerate(sorted(CALCULATORS, key=lambda one: one not in listed)):
        if calculator not in listed:
            visit(page, routes.calculator(calculator.slug))
        panel = Panel(page=page, calculator=calculator).awake()
        cases = [_case(calculator, random) for _ in range(place, count, len(CALCULATORS))]
        sent = [[case.picks, case.ticks, case.texts] for case in cases]
        found = page.evaluate(_TRY_ALL, [panel.heading, panel.prefix, sent])
        expected = [panel.expected(case.values(calculator), typed=case.texts) for case in cases]
        together = zip(cases, map(Shown.of_page, found), expected, strict=True)
        assert [one for one in together if one[1] != one[2]] == []


@each_page
def test_page_shows_its_calculators_alone_with_their_default_answers(page: Page, path: str) -> None:
    visit(page, path)
    expect(page.locator("section:has(> .plate[role=status])")).to_have_count(len(LISTED[path][1]))
    for panel in panels(page, path):
        assert panel.shown() == panel.expected(panel.calculator.defaults())


@each_page
def test_default_answers_show_without_scripts(open_page: OpenPage, path: str) -> None:
    page = open_page(scripts=False)
    page.goto(path)
    for panel in panels(page, path, scripts=False):
        assert panel.shown(drawing=False) == panel.expected(panel.calculator.defaults()).without_scripts()


def test_every_pair_of_applicants_has_its_fields_and_its_sum(page: Page) -> None:
    panel, values = opened(page, SELF_EMPLOYED)
    assert panel.shown() == panel.expected(values)
    for first, second in product(Work, repeat=2):
        pick(panel, values, work1=first, work2=second)
        for field in panel.fields(values):
            values[field.name] = 100 + 7 * len(field.label)
            panel.box(field.name).fill(str(values[field.name]))
        panel.box("work1").focus()
        assert panel.shown() == panel.expected(values)


def test_tables_hold_the_balance_after_each_year(page: Page) -> None:
    visit(page, ALL_CALCULATORS)
    page.locator("#remortgage summary", has_text="table").click()
    expect(page.locator("#remortgage tbody tr")).to_have_count(26)
    rows = page.locator("#remortgage tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(c => c.textContent))"
    )
    owed = [[pounds(balance_after(50_000, rate, 25, year * 12)) for rate in (5.99, 4)] for year in range(26)]
    assert rows == [[str(year), *debts] for year, debts in enumerate(owed)]
    points = page.locator("#remortgage .chart path[class^=line]").evaluate_all(
        "all => all.map(p => p.getAttribute('d'))"
    )
    assert [len(line.split(" ")) for line in points] == [26, 26]


def test_random_inputs_are_in_order() -> None:
    random = Random(SEED)
    fields = [field for calculator in CALCULATORS for field in calculator.fields]
    texts = [(field, _text(field, random)) for field in fields * 20]
    assert [text for field, text in texts if input_problem(field, text)] == []


def test_thousand_random_inputs_show_the_same_in_python_and_browser(page: Page) -> None:
    _compare(page, THOUSAND)


@pytest.mark.soak
def test_many_random_inputs_show_the_same_in_python_and_browser(page: Page) -> None:
    _compare(page, SOAK)


def _early(page: Page, slug: str, act: Callable[[Panel], object]) -> Panel:
    """Return a calculator on which a visitor acts while the scripts are held back, and let them start."""
    held: list[Route] = []
    page.route("**/*.js", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks what it is given
    page.goto(ALL_CALCULATORS, wait_until="commit")
    panel = Panel(page=page, calculator=BY_SLUG[slug])
    act(panel)
    page.route("**/*.js", lambda route: route.continue_())
    for route in held:
        route.continue_()
    return panel


def test_picks_before_the_scripts_start_are_kept(page: Page) -> None:
    panel = _early(page, "self-employed", lambda panel: panel.box("work1").select_option("contractor"))
    expect(panel.section.locator(".big")).to_have_text("£420,000")
    assert panel.awake().shown() == panel.expected({**panel.calculator.defaults(), "work1": "contractor"})


def test_tick_and_emptied_box_before_the_scripts_start_are_kept(page: Page) -> None:
    panel = _early(
        page, "buy-to-let-borrowing", lambda panel: (panel.box("value").fill(""), panel.box("valueUnknown").check())
    )
    expect(panel.section.locator(".big")).to_have_text("£60,000")


def test_typing_before_the_scripts_start_is_kept(page: Page) -> None:
    panel = _early(page, "repayment", lambda panel: (panel.box("loan").fill("250000"), panel.box("rate").fill("4")))
    expect(panel.section.locator(".big")).to_have_text("£1,319.59")
    values = {**panel.calculator.defaults(), "loan": 250_000, "rate": 4}
    assert panel.awake().shown() == panel.expected(values, typed={"loan": "250000", "rate": "4"})


def test_box_that_is_left_holds_the_number_worked_with(page: Page) -> None:
    panel, values = opened(page, REPAYMENT)
    panel.box("loan").fill("1234.56")
    panel.box("loan").blur()
    assert panel.shown() == panel.expected({**values, "loan": amount_in(panel.box("loan").input_value())})


def test_values_are_kept_from_page_to_page_and_back(page: Page) -> None:
    panel, values = opened(page, REPAYMENT)
    panel.box("loan").fill("250000")
    page.evaluate("window.neverReloaded = true")
    page.locator("header a[href='/']").first.click()
    page.wait_for_url("**/")
    expect(page.locator("#quick-repayment-loan")).to_have_value("250,000")
    page.go_back()
    assert panel.shown() == panel.expected({**values, "loan": 250_000})
    assert page.evaluate("window.neverReloaded")
