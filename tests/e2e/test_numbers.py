"""Numbers are written the same by Python and by the browser, which rounds them with arithmetic of its own."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page

from broker.components.client_values import DECIMALS, MOVED
from broker.domain.money import MAX_POUNDS, decimals

HARD = [0, -0.0, 0.5, 1.5, 2.5, 1.005, 2.675, 0.045, -0.5, -0.001, -1.005, 5e-7, 9.99e-7, 1e-6, 3e-324, 0.1 + 0.2]
HARD += [999.995, 1_234_567.125, 999_999_999.995, MAX_POUNDS - 0.005, float(MAX_POUNDS)]


def numbers(count: int = 20_000, seed: int = 20_261_122) -> list[float]:
    """Return the hard numbers, halves of a penny, products that all but reach one, and whatever comes."""
    random = Random(seed)
    halves = [random.randrange(10**9) / 1_000 for _ in range(count)]
    products = [random.randrange(10**9) / 100 * random.choice((4.5, 4.75, 5.5, 0.125, 1.1)) for _ in range(count)]
    any_size = [random.choice((1, -1)) * 10 ** random.uniform(-8, 10) for _ in range(count)]
    return [*HARD, *halves, *products, *any_size]


@pytest.mark.parametrize("places", [0, 1, 2])
def test_numbers_are_written_as_python_writes_them(page: Page, places: int) -> None:
    page.goto("about:blank")
    values = numbers()
    written = decimals(MOVED, places)
    found = page.evaluate(f"values => {{ {DECIMALS}; return values.map(typed => {written!s}) }}", values)
    together = zip(values, found, strict=True)
    assert [(value, text) for value, text in together if text != decimals(value, places)] == []


def test_every_script_that_writes_numbers_defines_how(site: Path) -> None:
    scripts = {file.name: file.read_text("utf-8") for file in (site / "assets").glob("*.js")}
    writing = {name for name, text in scripts.items() if "globalThis.decimals(" in text}
    assert writing
    assert {name for name in writing if not re.search(r"globalThis\.decimals\s*\?\?=", scripts[name])} == set()
