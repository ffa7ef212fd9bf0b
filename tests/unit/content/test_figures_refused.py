"""Every way in which an expression is refused: nothing but sums is ever run, whoever wrote the text."""

import re
import time
from pathlib import Path

import pytest

from broker.content.text.worked_figures import MAX_EXPRESSION, FigureError, work_out_figure, work_out_figures
from tests.unit.content.faulty_content import first_fault

SOON = 2.0
"""Seconds in which the worst text is refused; it takes hundredths."""

REFUSED = {
    "nothing": "",
    "no sum": "1 +",
    "a function that is not there": "rent(1)",
    "a name": "payment",
    "a name alone": "__name__",
    "an attribute": "payment.__globals__",
    "a method": "(1).bit_length()",
    "a call of a call": "payment(1, 2, 3)(4)",
    "an import": "__import__('os').getcwd()",
    "eval": "eval('1')",
    "a lambda": "(lambda: 1)()",
    "a string": "'1'",
    "a string to a function": "sdlt('300000')",
    "bytes": "b'1'",
    "a formatted string": "f'{1}'",
    "a list": "[1]",
    "a list that is counted": "[1] * 9",
    "an item": "(1, 2)[0]",
    "a comprehension": "[x for x in (1, 2)]",
    "a condition": "1 if 1 else 2",
    "a comparison": "1 < 2",
    "and": "1 and 2",
    "not": "not 1",
    "true": "True",
    "none": "None",
    "dots": "...",
    "an imaginary number": "1j",
    "a complex result": "payment(1, -13000, 0.05)",
    "a power": "9 ** 9",
    "a huge power": "9 ** 9 ** 9 ** 9",
    "a shift": "1 << 9",
    "a remainder": "10 % 3",
    "whole division": "10 // 3",
    "a plus sign": "+1",
    "an inversion": "~1",
    "an assignment": "x = 1",
    "an assignment within": "(x := 1)",
    "two lines": "1\n2",
    "two sums": "1; 2",
    "a named argument": "sdlt(price=300000)",
    "spread arguments": "sdlt(*(1,))",
    "spread names": "sdlt(**{})",
    "too few arguments": "payment(1, 2)",
    "too many arguments": "sdlt(1, 2)",
    "division by nothing": "1 / 0",
    "a term of no years": "payment(100000, 4.5, 0)",
    "infinity": "1e999",
    "no number": "1e999 - 1e999",
    "a number of ten billion": "10000000000",
    "a product of ten billion": "100000 * 100000",
    "a number with 190 figures": "9" * 190,
    "a payment that does not cover interest": "months_to_repay(200000, 4.5, 700)",
    "fees above the loan": "aprc(1000, 4.5, 24, 7.5, 25, 2000)",
    "a deal as long as its term": "aprc(1000, 4.5, 300, 7.5, 25, 0)",
    "a term of a thousand million years": "aprc(1000, 4.5, 24, 7.5, 999999999, 0)",
    "a deal of a thousand million months": "aprc(1000, 4.5, 999999999, 7.5, 99, 0)",
    "part of a month": "aprc(1000, 4.5, 2.5, 7.5, 25, 0)",
    "a band that is not there": "sdlt_band(6)",
    "the band before the first": "sdlt_band(0)",
    "part of a band": "sdlt_rate(1.5)",
    "a band without an end": "sdlt_band(5)",
    "a fact that is not there": "fact.lisa_limit",
    "a fact of something else": "firm.name",
    "deep brackets": "(" * 90 + "1" + ")" * 90 + "(",
    "deep signs": "-" * 199 + "x",
    "deep calls": "sdlt(" * 33 + "x" + ")" * 33,
    "a keyword run into a number": "1if 1else 2",
    "a mark of no language": "£1",
    "a null": "1\x00",
    "half a character": "1\ud800",
    "an escape": "'\\d'",
    "too long": "1" + " + 1" * 60,
}


def test_everything_but_sums_is_refused() -> None:
    assert [name for name, expression in REFUSED.items() if not is_refused(expression)] == []


def is_refused(expression: str) -> bool:
    """Return whether an expression raises FigureError."""
    try:
        work_out_figure(expression, "pence")
    except FigureError:
        return True
    return False


def test_refused_expression_is_named_and_a_long_one_cut() -> None:
    with pytest.raises(
        FigureError, match=re.escape("'rent(1)' cannot be worked out: unknown function rent; known are")
    ):
        work_out_figure("rent(1)", "pence")
    with pytest.raises(FigureError, match=f"has 1000001 characters, at most {MAX_EXPRESSION} fit") as caught:
        work_out_figure("1" + "+" * 1_000_000, "pence")
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize("form", ["", "shillings", "__class__", "PENCE"])
def test_unknown_format_is_refused(form: str) -> None:
    with pytest.raises(FigureError, match="unknown format"):
        work_out_figure("1", form)


def test_time_before_now_is_refused() -> None:
    with pytest.raises(FigureError, match="negative"):
        work_out_figure("-3", "years")


BROKEN = [
    ("{{= 1 }}", "has no format: {{= 1 }}"),
    ("{{= 1 | pounds", "has no format: {{= 1 | pounds"),
    ("{{= 1 | pounds | pence }}", "has no format"),
    ("{{= {{= 1 | pounds }} | pounds }}", "has no format"),
    ("{{= | pounds }}", "cannot be worked out"),
    ("{{= " + "1+" * 200 + "1 | pounds }}", "too long or has no format"),
    ("{{= x | pence }} {{= y | pence }} {{= 1", "'x' cannot be.*; 'y' cannot be.*; an expression that"),
]


@pytest.mark.parametrize(("text", "fault"), BROKEN)
def test_every_bad_expression_of_a_text_is_named(text: str, fault: str) -> None:
    with pytest.raises(FigureError, match=fault if ".*" in fault else re.escape(fault)):
        work_out_figures(text)


@pytest.mark.parametrize(
    "text",
    ["{{=" * 50_000, "{{=" + " " * 200_000, "{{= 1 |" + " " * 200_000, ("{{=" + " " * 190) * 1_000, "{{= 1|" * 30_000],
    ids=["openings", "spaces", "spaces before a format", "openings and spaces", "half expressions"],
)
def test_hostile_text_is_refused_at_once(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(FigureError):
        work_out_figures(text)
    assert time.perf_counter() - start < SOON


def test_document_of_a_bad_figure_is_named(tmp_path: Path) -> None:
    fault = first_fault(tmp_path, "guides/what-is-ltv.md", old="{{= ", new="{{= open('/etc/passwd') + ")
    assert "unknown function open" in fault
