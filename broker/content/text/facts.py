"""Facts of `facts.json` with their sources: `{{ fact.lisa_limit }}` becomes £4,000.

In a figure a fact is its number: `{{= fact.lisa_limit * 3 | pounds }}`. A source may also cover functions of figures,
such as tax on a price. `{{ sources }}` becomes the list of a text's sources.
"""

from collections.abc import Callable, Mapping
from datetime import date
from enum import StrEnum

from broker.content.files.validated_record import Record
from broker.content.text.citations import FACT, SOURCE, source_line
from broker.lending.money import decimals


class Unit(StrEnum):
    """Unit of a fact's value: of a number, a date, a month, or text."""

    POUNDS = "pounds"
    PERCENT = "percent"
    NUMBER = "number"
    DAY = "day"
    MONTH = "month"
    TEXT = "text"


def read_facts(record: Record) -> dict[str, str]:
    """Return the placeholder values of `facts.json`: each fact as shown, each source as a list line.

    A source has a key for each of its facts and functions. Faults are added to the record.
    """
    record.allow("sources", "facts")
    sources = {name: _source(entry) for name, entry in _named(record, "sources")}
    shown: dict[str, str] = {}
    for name, (line, functions) in sources.items():
        shown[f"{SOURCE}{name}"] = line
        shown |= {f"{SOURCE}{function}()": line for function in functions}
    for name, fact in _named(record, "facts"):
        fact.allow("value", "unit", "says", "source")
        fact.text("says")
        shown[f"{FACT}{name}"] = _shown(fact)
        line, _ = sources.get(source := fact.text("source"), ("", ()))
        shown[f"{SOURCE}{FACT}{name}"] = line or fact.refuse(f"unknown source {source!r}", "")
    return shown


def _named(record: Record, name: str) -> list[tuple[str, Record]]:
    entries = record.record(name)
    return [(key, entries.record(key)) for key in entries.values]


def _source(record: Record) -> tuple[str, tuple[str, ...]]:
    """Return a source as a list line, and the functions that it covers."""
    record.allow("title", "url", "as_at", "functions")
    title, url, day = record.text("title"), record.optional("url"), record.day("as_at")
    if url and not url.startswith("https://"):
        record.refuse(f"the address {url!r} is not secure", None)
    return source_line(title, url, day=_day(day)), record.texts("functions")


def _shown(record: Record) -> str:
    """Return a fact as a page shows it: £4,000, 25%, 1 April 2025, April 2025."""
    unit = record.one_of("unit", Unit)
    if unit in _NUMBERS:
        return _NUMBERS[unit](record.number("value"))
    if unit is Unit.TEXT:
        return record.text("value")
    if unit is Unit.DAY:
        return _day(record.day("value"))
    try:
        return f"{date.fromisoformat(record.text('value') + '-01'):%B %Y}"
    except ValueError:
        return record.refuse(f"value must be a month such as 2026-11, not {record.text('value')!r}", "")


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _plain(number: float) -> str:
    """Format a number without decimals, or with two if it is not whole."""
    return decimals(number, 0 if number == int(number) else 2)


_NUMBERS: Mapping[Unit, Callable[[float], str]] = {
    Unit.POUNDS: lambda number: f"£{_plain(number)}",
    Unit.PERCENT: lambda number: f"{number:g}%",
    Unit.NUMBER: lambda number: f"{number:g}" if number != int(number) else _plain(number),
}
