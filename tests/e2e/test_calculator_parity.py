"""One formula, two runtimes: Python and a browser show the same text, to the penny, for inputs that nobody chose."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from broker.domain.calculators.model import Calculator, Field, Unit, problem
from broker.domain.calculators.registry import CALCULATORS
from broker.domain.money import amount_in
from tests.e2e.calculator_page import READ, Panel, Shown, is_open
from tests.e2e.pages import visit

SEED = 20_261_121
THOUSAND = 1_000
SOAK = 20_000

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
"""Fill in a calculator once for each case as a person would, and read it each time.

React hears of it by events; the pause between two cases lets it finish what a change leaves for later.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a visitor picks, ticks and types."""

    picks: dict[str, str]
    ticks: dict[str, bool]
    texts: dict[str, str]

    def values(self, calculator: Calculator) -> dict[str, Any]:
        """Return what the calculator works with once all that is filled in."""
        typed = {name: amount_in(text) for name, text in self.texts.items()}
        return {**calculator.defaults(), **self.picks, **self.ticks, **typed}


def _text(field: Field, random: Random) -> str:
    """Return something in order to type in a field: amounts of every size, pence, commas and pound signs."""
    if field.unit is Unit.YEARS:
        return str(random.randint(int(field.least), int(field.most)))
    if field.unit is Unit.PERCENT:
        return random.choice(("0", "25", f"{random.randint(1, 25)}", f"{random.randint(1, 2_500) / 100}"))
    whole = random.randrange(10 ** random.randint(1, 10))
    return random.choice(("", "0", f"{whole}", f"{whole:,}", f"£{whole:,}", f"{whole}.{random.randrange(1_000)}"))


def _case(calculator: Calculator, random: Random) -> Case:
    picks = {choice.name: random.choice(choice.options)[0] for choice in calculator.choices}
    shown = (field for field in calculator.fields if is_open(field, picks))
    texts = {field.name: _text(field, random) for field in shown}
    return Case(picks=picks, ticks={tick.name: random.random() < 0.5 for tick in calculator.ticks}, texts=texts)


def _compare(page: Page, count: int) -> None:
    """Fill in all calculators, `count` times together, and compare each answer with Python's."""
    random = Random(SEED)
    visit(page, "/tools/calculators/")
    for place, calculator in enumerate(CALCULATORS):
        panel = Panel(page=page, calculator=calculator)
        cases = [_case(calculator, random) for _ in range(place, count, len(CALCULATORS))]
        sent = [[case.picks, case.ticks, case.texts] for case in cases]
        # a field that was filled in for one case and is hidden in the next keeps its number, which counts for nothing
        found = page.evaluate(_TRY_ALL, [panel.heading, panel.prefix, sent])
        differing = [
            (case, Shown.of_page(read), expected)
            for case, read in zip(cases, found, strict=True)
            if Shown.of_page(read) != (expected := Shown.of_domain(calculator.work(case.values(calculator))))
        ]
        assert differing == []


def test_random_inputs_are_in_order() -> None:
    random = Random(SEED)
    fields = [field for calculator in CALCULATORS for field in calculator.fields]
    texts = [(field, _text(field, random)) for field in fields * 20]
    assert [text for field, text in texts if problem(field, text)] == []


def test_thousand_random_inputs_show_the_same_in_python_and_browser(page: Page) -> None:
    _compare(page, THOUSAND)


@pytest.mark.soak
def test_many_random_inputs_show_the_same_in_python_and_browser(page: Page) -> None:
    _compare(page, SOAK)
