"""What is typed in a calculator is judged alike in Python and in a browser, in a time that grows with its length."""

import json
import random
import re
import subprocess
import sys
from typing import Any

import pytest

from broker.calculators.calculator import Field, input_problem, loan_field, number_of, rate_field, term_field
from broker.components.client_values import TYPED, client_handler
from broker.lending.arithmetic import half_width, matches
from broker.lending.money import MAX_POUNDS, amount_in
from broker.rates.customers import default_query
from broker.rates.query import whole_pounds
from broker.rates.search_params import typed_form
from tests.unit.calculators.test_specification_5 import AMOUNTS_READ
from tests.unit.javascript.test_javascript import NUMBERS as NUMBERS_FILE
from tests.unit.javascript.test_javascript import PROJECT, node

FIELDS = (loan_field("Loan"), rate_field("rate", "Rate", default=5), term_field(40))

SPACES = "\t\n\v\f\r \x1c\x1f\x85\xa0\u1680\u180e\u2000\u2003\u200a\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
"""Characters that Python, JavaScript or both take for a space, and some that look like one."""

NUMBERS = ("5", "5000", "£5", "5%", "5 %", "%", " % ", "7.5", "7.05", "5.125", ".5", "", "-5", "- 5x", "5-", "£", "£ £")
NUMBERS += ("150,50", "150,5", "1,234", "1 234,5", "250k", "0.25m", "1.2505k", ".k", "5%%", "５，０００．５", "￡５ｋ")
TEXTS = [*NUMBERS, *(text for one in SPACES for number in NUMBERS for text in (number + one, one + number, f"-{one}5"))]

HOSTILE = [
    start + part * 10_000 + end for part in " \xa0£0,%-5." for start in ("", "5", "-") for end in ("x", "5x", "%x")
]
"""Texts that no pattern matches, with a long run of what may stand around a number or in it."""


def in_browser(field: Field, texts: list[str]) -> list[tuple[str, float]]:
    judge, read = (client_handler(one) for one in (input_problem(field, TYPED), number_of(field, TYPED)))
    program = (
        f"import {{amountIn, matchesWhole, numberIn}} from '{NUMBERS_FILE.as_uri()}';"
        "import {readFileSync} from 'node:fs';"
        "const pyAnd = (first, second) => first && second();"  # Reflex has it in every page
        f"const [judge, read] = [{judge!s}, {read!s}];"
        "const judged = JSON.parse(readFileSync(0)).map((text) => [judge(text), judge(text) ? 0 : read(text)]);"
        "console.log(JSON.stringify(judged))"
    )
    return list(map(tuple, json.loads(node("--input-type=module", "--eval", program, text=json.dumps(texts)))))


def in_python(field: Field, texts: list[str]) -> list[tuple[str, float]]:
    judged = [(input_problem(field, text), text) for text in texts]
    return [(problem, 0 if problem else number_of(field, text)) for problem, text in judged]


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_python_and_browser_take_and_refuse_the_same(field: Field) -> None:
    found = zip(TEXTS, in_python(field, TEXTS), in_browser(field, TEXTS), strict=True)
    assert [each for each in found if each[1] != each[2]] == []


def drawn_texts(count: int) -> list[str]:
    """Return texts of the characters that amounts are typed with."""
    draw = random.Random(20_261_126)
    return ["".join(draw.choices("0123456789,,.. £kKmM-%５，．ｋ￡x", k=draw.randint(0, 9))) for _ in range(count)]


def in_search(text: str) -> str | None:
    """Return the digits that a search has of a price; None for a text that stays as it is typed."""
    shown = typed_form(default_query(""), {"price": text})["price"]
    is_taken = re.search("[0-9]", half_width(text)) and amount_in(text) >= 0 and whole_pounds(text) < MAX_POUNDS
    return shown.replace(",", "") if is_taken else None


def test_drawn_amounts_are_read_alike_by_calculators_and_the_search() -> None:
    """The search takes what a calculator takes, in whole pounds, in both languages."""
    texts = [*TEXTS, *AMOUNTS_READ, *drawn_texts(20_000)]
    in_python = [[str(amount_in(text)), in_search(text)] for text in texts]
    program = (
        f"import {{amountIn, wholePounds}} from '{NUMBERS_FILE.as_uri()}';"
        "import {readFileSync} from 'node:fs';"
        "const read = (text) => [String(amountIn(text)), wholePounds(text)];"
        "console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(read)))"
    )
    in_browser = json.loads(node("--input-type=module", "--eval", program, text=json.dumps(texts)))
    found = zip(texts, in_python, in_browser, strict=True)
    assert [each for each in found if each[1] != [str(float(each[2][0])), each[2][1]]] == []


def test_percent_sign_alone_is_no_number() -> None:
    assert [bool(input_problem(FIELDS[1], text)) for text in ("%", " % ", "5%", "5 % ")] == [True, True, False, False]


def patterns() -> dict[str, str]:
    """Return the patterns that the fields' texts are matched with."""
    found: dict[str, str] = {}

    def note(text: Any, pattern: str) -> bool:
        found[pattern] = str(text)
        return matches(text, pattern)

    with pytest.MonkeyPatch.context() as patch:
        for module in ("lending.money", "calculators.calculator"):
            patch.setattr(f"broker.{module}.matches", note)
        for field in FIELDS:
            for text in ("5", "x", ""):
                input_problem(field, text)
    return found


def test_long_texts_are_judged_in_seconds_by_both() -> None:
    """Run each pattern on each text elsewhere: with a pattern that is not linear, neither process would end in time."""
    every = list(patterns())
    assert len(every) >= 4
    cases = json.dumps([every, HOSTILE])
    program = (
        "import json, sys\nfrom broker.lending.arithmetic import matches\nfrom broker.lending.money import amount_in\n"
        "for p in (c := json.load(sys.stdin))[0]:\n [matches(t, p) for t in c[1]]\n"
        "list(map(amount_in, c[1]))"
    )
    subprocess.run([sys.executable, "-c", program], cwd=PROJECT.root, input=cases, text=True, timeout=60, check=True)
    node(
        "--input-type=module",
        "--eval",
        f"import {{amountIn, matchesWhole}} from '{NUMBERS_FILE.as_uri()}';"
        "import {readFileSync} from 'node:fs';"
        "const [patterns, texts] = JSON.parse(readFileSync(0));"
        "patterns.forEach((one) => texts.forEach((text) => matchesWhole(text, one)));"
        "texts.forEach(amountIn)",
        text=cases,
    )
