"""Placeholders of texts: `{{ name }}`, worked figures `{{= expression | format }}`, and the list `{{ sources }}`."""

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from broker.calculators.borrow import borrow
from broker.lending import mortgage, property_tax
from broker.lending.money import MAX_POUNDS, decimals, percent, pounds, pounds_and_pence, years_and_months
from broker.lending.mortgage import MONTHS, RateStep
from broker.rates.costs import CostTerms

MAX_EXPRESSION = 200
"""Maximum characters of an expression; a longer one is not parsed."""

_MAX_LISTED_ERRORS = 20
"""Maximum number of bad expressions that the error of a text names."""

_MAX_YEARS = 100
"""Maximum term in years: an APRC is computed payment by payment."""

FACT, SOURCE = "fact.", "source."
"""Prefixes of the placeholders of facts and of their sources."""

_AS_AT = ", as at "
_LIST_DAY = re.compile(r"^As they stood on (\d{1,2} [A-Z][a-z]+ \d{4}):$", re.MULTILINE)
_FACT = re.compile(r"\{\{\s*(fact\.\w+)\s*\}\}")
_SUM = re.compile(r"\{\{=([^{}]*)\}\}")
_IN_SUM = re.compile(r"\b(fact\.\w+)|\b(\w+)\(")

_PLACEHOLDER = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
_WORKED = re.compile(rf"\{{\{{=([^{{}}|]{{1,{MAX_EXPRESSION}}}+)\|[ \t]{{0,9}}(\w{{1,20}})[ \t]{{0,9}}\}}\}}")
_AMOUNT = re.compile(r"£?(\d[\d,]*(?:\.\d+)?)%?")
"""The number in a fact as pages show it."""

_NO_FACTS: Mapping[str, str] = MappingProxyType({})


class UnknownPlaceholderError(ValueError):
    """An unknown placeholder in a text."""


class FigureError(ValueError):
    """An invalid expression; the message names it."""


def fill_placeholders(text: str, facts: Mapping[str, str]) -> str:
    """Replace each `{{ name }}` of a text by its value; raises UnknownPlaceholderError."""
    if unknown := {match[0]: None for match in _PLACEHOLDER.finditer(text) if match[1] not in facts}:
        known = ", ".join(sorted(name for name in facts if "." not in name))
        raise UnknownPlaceholderError(f"unknown placeholder {', '.join(unknown)}; known are {known} and facts.json")
    return _PLACEHOLDER.sub(lambda match: facts[match[1]], text)


def cited_sources(text: str, facts: Mapping[str, str]) -> frozenset[str]:
    """Return the keys in `facts` of the sources of a text's facts and of the functions in its figures."""
    used = set(_FACT.findall(text))
    for expression in _SUM.findall(text):
        used |= {fact or f"{function}()" for fact, function in _IN_SUM.findall(expression)}
    return frozenset(f"{SOURCE}{name}" for name in used if f"{SOURCE}{name}" in facts)


def with_source_list(text: str, facts: Mapping[str, str]) -> dict[str, str]:
    """Return `facts` with a text's list of sources, if any, each once, grouped by date."""
    lines = {facts[name] for name in cited_sources(text, facts)}
    return {**facts, "sources": _source_list(lines)} if lines else {**facts}


def latest_source(text: str) -> date:
    """Return the latest date of a text's list of sources; `date.min` without a list."""
    return max((datetime.strptime(day, "%d %B %Y").date() for day in _LIST_DAY.findall(text)), default=date.min)


def source_line(title: str, url: str, *, day: str) -> str:
    """Return a line of the list of sources; without an address it has no link."""
    return f"- {f'[{title}]({url})' if url else title}{_AS_AT}{day}"


def _source_list(lines: Collection[str]) -> str:
    found = sorted({line.rpartition(_AS_AT)[2] for line in lines})
    days = {day: [line for line in lines if line.endswith(_AS_AT + day)] for day in found}
    return "\n\n".join(
        f"As they stood on {day}:\n\n"
        + "\n".join(sorted((line.removesuffix(_AS_AT + day) for line in group), key=_words_of_line))
        for day, group in days.items()
    )


def _words_of_line(line: str) -> str:
    """Return the sort key of a line: its words without link markup."""
    return line.lstrip("- [").lower()


def work_out_figures(text: str, facts: Mapping[str, str] = _NO_FACTS) -> str:
    """Replace each `{{= payment(200000, 4.5, 25) | pence }}` of a text by its figure, £1,111.66.

    Expressions have numbers, `+ - * /`, brackets, `facts` by name such as `fact.lisa_limit`, and the functions of
    `FUNCTIONS`; they end in one of the `FORMATS`. Nothing else is evaluated: expressions are short, numbers are below
    the site's ceiling and terms below a century, since a text may come from anywhere. Raises FigureError, which names
    the bad expressions.
    """
    bad: list[str] = []

    def figure(match: re.Match[str]) -> str:
        try:
            return work_out_figure(match[1].strip(), match[2], facts=facts)
        except FigureError as error:
            bad.append(str(error))
            return ""

    filled = _WORKED.sub(figure, text)
    bad += [f"an expression that is too long or has no format: {{{{={rest[:60]}" for rest in filled.split("{{=")[1:]]
    if bad:
        raise FigureError("; ".join(bad[:_MAX_LISTED_ERRORS]))
    return filled


def work_out_figure(expression: str, form: str, *, facts: Mapping[str, str] = _NO_FACTS) -> str:
    """Return the formatted value of an expression; raises FigureError."""
    if form not in FORMATS:
        raise FigureError(f"unknown format {form[:20]} of {expression[:60]!r}; known are {', '.join(FORMATS)}")
    if len(expression) > MAX_EXPRESSION:
        raise FigureError(f"{expression[:60]!r} has {len(expression)} characters, at most {MAX_EXPRESSION} fit")
    try:
        return FORMATS[form](_number(_value(_parsed(expression), facts)))
    except (SyntaxError, TypeError, ValueError, ArithmeticError, MemoryError, RecursionError) as error:
        raise FigureError(f"{expression!r} cannot be worked out: {error}") from error


def _parsed(expression: str) -> ast.expr:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # such as "invalid decimal literal", which the parser makes a SyntaxError
        return ast.parse(expression, mode="eval").body


def _value(node: ast.expr, facts: Mapping[str, str]) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return _number(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _number(_OPERATORS[type(node.op)](_value(node.left, facts), _value(node.right, facts)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, facts)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id not in FUNCTIONS:
            raise ValueError(f"unknown function {node.func.id}; known are {', '.join(FUNCTIONS)}")
        return _number(FUNCTIONS[node.func.id](*(_value(argument, facts) for argument in node.args)))
    if isinstance(node, ast.Attribute) and (shown := facts.get(ast.unparse(node))):
        if not (amount := _AMOUNT.fullmatch(shown)):
            raise ValueError(f"{ast.unparse(node)} is no number")
        return _number(float(amount[1].replace(",", "")))
    raise ValueError(f"{ast.unparse(node)} may not stand here")


def _number(value: Any) -> Any:
    """Return a number below the ceiling; raises ValueError for a larger one, TypeError for anything else."""
    if not math.isfinite(value) or abs(value) >= MAX_POUNDS:
        raise ValueError("a number that is not below ten billion")
    return value


def _total(loan: float, rate: float, *, years: float) -> float:
    """Return the sum of all payments, each rounded to pence."""
    return round(float(mortgage.monthly_payment(loan, rate, years)), 2) * years * MONTHS


def _steps(rate: float, months: int, *, later: float, years: int) -> list[RateStep]:
    if years > _MAX_YEARS or months >= years * MONTHS:
        raise ValueError(f"a deal must end before its term, and a term within {_MAX_YEARS} years")
    return [RateStep(rate, months), RateStep(later, years * MONTHS - months)]


def _months_to_repay(loan: float, rate: float, *, monthly: float) -> int:
    """Return the number of payments that repay a loan; raises ValueError if they do not cover its interest."""
    interest = loan * rate / 1200
    if monthly <= interest:
        raise ValueError("the payment does not cover the interest")
    return int(mortgage.payments_to_repay(loan, rate, payment=monthly))


def _band(bands: property_tax.Bands, number: int) -> tuple[float, float]:
    """Return the end and the rate of a tax band by its number from 1; raises ValueError for an unknown one."""
    if number not in range(1, len(bands) + 1):
        raise ValueError(f"there are bands 1 to {len(bands)}")
    return bands[number - 1]


def _years(months: float) -> str:
    """Format months as `4 years 3 months`; raises ValueError for a negative number."""
    if months < 0:
        raise ValueError("a length of time that is negative")
    return years_and_months(round(months))


_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "payment": mortgage.monthly_payment,
    "interest_only": mortgage.interest_only_payment,
    "balance": mortgage.balance_after,
    "total": lambda loan, rate, years: _total(loan, rate, years=years),
    "interest": lambda loan, rate, years: _total(loan, rate, years=years) - loan,
    "cash_cost": lambda loan, rate, years, months, fees: CostTerms(
        rate=rate, years=years, months=months, fees=fees
    ).cash_cost(loan),
    "true_cost": lambda loan, rate, years, months, fees: CostTerms(
        rate=rate, years=years, months=months, fees=fees
    ).true_cost(loan),
    "aprc": lambda loan, rate, months, later, years, fees: mortgage.aprc(
        loan, _steps(rate, months, later=later, years=years), fees_upfront=fees
    ),
    **{tax.__name__: tax for tax in (property_tax.sdlt, property_tax.sdlt_first_time, property_tax.sdlt_additional)},
    **{tax.__name__: tax for tax in (property_tax.lbtt, property_tax.lbtt_first_time, property_tax.lbtt_additional)},
    **{tax.__name__: tax for tax in (property_tax.ltt, property_tax.ltt_higher)},
    "sdlt_band": lambda number: _band(property_tax.SDLT, number)[0],
    "sdlt_rate": lambda number: _band(property_tax.SDLT, number)[1],
    "sdlt_first_time_band": lambda number: _band(property_tax.SDLT_FIRST_TIME, number)[0],
    "lbtt_band": lambda number: _band(property_tax.LBTT, number)[0],
    "lbtt_rate": lambda number: _band(property_tax.LBTT, number)[1],
    "lbtt_first_time_band": lambda number: _band(property_tax.LBTT_FIRST_TIME, number)[0],
    "ltt_band": lambda number: _band(property_tax.LTT, number)[0],
    "ltt_rate": lambda number: _band(property_tax.LTT, number)[1],
    "ltt_higher_band": lambda number: _band(property_tax.LTT_HIGHER, number)[0],
    "ltt_higher_rate": lambda number: _band(property_tax.LTT_HIGHER, number)[1],
    "borrow": borrow,
    "months_to_repay": lambda loan, rate, monthly: _months_to_repay(loan, rate, monthly=monthly),
}

FORMATS: Mapping[str, Callable[[float], str]] = {
    "pence": pounds_and_pence,
    "pounds": pounds,
    "percent": percent,
    "rate": lambda value: f"{value:g}%",
    "number": lambda value: decimals(value, 0),
    "years": _years,
}
