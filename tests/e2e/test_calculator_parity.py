"""One formula, two runtimes: a page shows what Python works out, to the penny, whatever is asked and whenever."""

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.calculators.calculator import Calculator, Field, Unit, number_of
from broker.calculators.registry import CALCULATORS
from tests.e2e.calculator_page import BY_SLUG, LISTED, Panel, Shown, is_open, opened, panels
from tests.e2e.pages import hold_scripts, visit
from tests.e2e.panel_scripts import READ

SEED = 20_261_121
FEW, MANY = 300, 20_000

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
    for place, calculator in enumerate(CALCULATORS):
        panel, _ = opened(page, calculator)
        cases = [_case(calculator, random) for _ in range(place, count, len(CALCULATORS))]
        sent = [[case.picks, case.ticks, case.texts] for case in cases]
        found = page.evaluate(_TRY_ALL, [panel.heading, panel.prefix, sent])
        expected = [panel.expected(case.values(calculator), typed=case.texts) for case in cases]
        together = zip(cases, map(Shown.of_page, found), expected, strict=True)
        assert [one for one in together if one[1] != one[2]] == []


@each_page
def test_page_shows_its_calculators_alone_with_their_default_answers(page: Page, path: str) -> None:
    visit(page, path)
    expect(page.locator("section:has(> .calc-parts, > .plate[role=status])")).to_have_count(len(LISTED[path][1]))
    for panel in panels(page, path):
        assert panel.shown() == panel.expected(panel.calculator.defaults())


def test_random_inputs_show_the_same_in_python_and_browser(page: Page) -> None:
    _compare(page, FEW)


@pytest.mark.soak
def test_many_random_inputs_show_the_same_in_python_and_browser(page: Page) -> None:
    _compare(page, MANY)


@pytest.mark.parametrize(
    ("slug", "values", "typed"),
    [
        ("self-employed", {"work1": "contractor"}, {}),
        ("buy-to-let-borrowing", {"valueUnknown": True}, {"value": ""}),
        ("repayment", {"loan": 250_000, "rate": 4}, {"loan": "250000", "rate": "4"}),
    ],
)
def test_picks_ticks_and_typing_before_the_scripts_start_are_kept(
    page: Page, slug: str, values: dict[str, Any], typed: dict[str, str]
) -> None:
    panel = Panel(page=page, calculator=BY_SLUG[slug])
    release = hold_scripts(page)
    page.goto(routes.calculator(slug), wait_until="commit")
    for choice in (each.name for each in panel.calculator.choices if each.name in values):
        panel.box(choice).select_option(values[choice])
    for name, text in typed.items():
        panel.box(name).fill(text)
    for box in (each.name for each in panel.calculator.checkboxes if each.name in values):
        panel.box(box).check()
    release()
    expected = panel.expected(panel.calculator.defaults() | values, typed=typed)
    expect(panel.section.locator(".big")).to_have_text(expected.figure)
    assert panel.awake().shown() == expected
