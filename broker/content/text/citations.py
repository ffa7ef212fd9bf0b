"""The list of what a text's facts and sums rest on, which `{{ sources }}` in that text becomes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

FACT, SOURCE = "fact.", "source."
"""How the names of a fact and of its source begin, among what stands in for placeholders."""

SOURCES = "sources"
"""The placeholder of the list."""

_AS_AT = ", as at "
_FACT = re.compile(r"\{\{\s*(fact\.\w+)\s*\}\}")
_SUM = re.compile(r"\{\{=([^{}]*)\}\}")
_IN_SUM = re.compile(r"\b(fact\.\w+)|\b(\w+)\(")


def cited_sources(text: str, facts: Mapping[str, str]) -> frozenset[str]:
    """Return the names under which `facts` have the sources of a text's facts, and of the functions of its sums."""
    used = set(_FACT.findall(text))
    for expression in _SUM.findall(text):
        used |= {fact or f"{function}()" for fact, function in _IN_SUM.findall(expression)}
    return frozenset(f"{SOURCE}{name}" for name in used if f"{SOURCE}{name}" in facts)


def with_source_list(text: str, facts: Mapping[str, str]) -> dict[str, str]:
    """Return `facts` with the list of a text's sources, each once, below the day it was true; none without any."""
    lines = {facts[name] for name in cited_sources(text, facts)}
    return {**facts, SOURCES: _listed(lines)} if lines else {**facts}


def source_line(title: str, url: str, *, day: str) -> str:
    """Return a source as `citing` reads it; without an address it is no link."""
    return f"- {f'[{title}]({url})' if url else title}{_AS_AT}{day}"


def _listed(lines: Collection[str]) -> str:
    days = {day: [line for line in lines if line.endswith(_AS_AT + day)] for day in _days(lines)}
    return "\n\n".join(
        f"As they stood on {day}:\n\n"
        + "\n".join(sorted((line.removesuffix(_AS_AT + day) for line in told), key=_title))
        for day, told in days.items()
    )


def _days(lines: Collection[str]) -> list[str]:
    return sorted({line.rpartition(_AS_AT)[2] for line in lines})


def _title(line: str) -> str:
    """Return what a line is sorted by: its words, whether they are a link or not."""
    return line.lstrip("- [").lower()
