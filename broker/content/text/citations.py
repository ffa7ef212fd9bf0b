"""The list of sources of a text's facts and figures, which replaces `{{ sources }}`."""

import re
from collections.abc import Collection, Mapping
from datetime import date, datetime

FACT, SOURCE = "fact.", "source."
"""Prefixes of the placeholders of facts and of their sources."""

SOURCES = "sources"
"""The placeholder of the list."""

_AS_AT = ", as at "
_LIST_DAY = re.compile(r"^As they stood on (\d{1,2} [A-Z][a-z]+ \d{4}):$", re.MULTILINE)
_FACT = re.compile(r"\{\{\s*(fact\.\w+)\s*\}\}")
_SUM = re.compile(r"\{\{=([^{}]*)\}\}")
_IN_SUM = re.compile(r"\b(fact\.\w+)|\b(\w+)\(")


def cited_sources(text: str, facts: Mapping[str, str]) -> frozenset[str]:
    """Return the keys in `facts` of the sources of a text's facts and of the functions in its figures."""
    used = set(_FACT.findall(text))
    for expression in _SUM.findall(text):
        used |= {fact or f"{function}()" for fact, function in _IN_SUM.findall(expression)}
    return frozenset(f"{SOURCE}{name}" for name in used if f"{SOURCE}{name}" in facts)


def with_source_list(text: str, facts: Mapping[str, str]) -> dict[str, str]:
    """Return `facts` with a text's list of sources, if any, each once, grouped by date."""
    lines = {facts[name] for name in cited_sources(text, facts)}
    return {**facts, SOURCES: _listed(lines)} if lines else {**facts}


def latest_source(text: str) -> date:
    """Return the latest day on which a text's list of sources says that they stood; `date.min` without a list."""
    return max((datetime.strptime(day, "%d %B %Y").date() for day in _LIST_DAY.findall(text)), default=date.min)


def source_line(title: str, url: str, *, day: str) -> str:
    """Return a source as `citing` reads it; without an address it is no link."""
    return f"- {f'[{title}]({url})' if url else title}{_AS_AT}{day}"


def _listed(lines: Collection[str]) -> str:
    found = sorted({line.rpartition(_AS_AT)[2] for line in lines})
    days = {day: [line for line in lines if line.endswith(_AS_AT + day)] for day in found}
    return "\n\n".join(
        f"As they stood on {day}:\n\n"
        + "\n".join(sorted((line.removesuffix(_AS_AT + day) for line in group), key=_title))
        for day, group in days.items()
    )


def _title(line: str) -> str:
    """Return the sort key of a line: its words without link markup."""
    return line.lstrip("- [").lower()
