"""A record read from a file: named values with their checks, each failing with the file and the fault named.

A fault raises ContentError, or is kept in the record's `found` while the reading goes on with a stand-in.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import ClassVar, TypeVar

import yaml

from broker.content.errors import ContentError
from broker.content.text.citations import with_source_list
from broker.content.text.markdown import UnknownPlaceholderError, fill_placeholders
from broker.content.text.worked_figures import FigureError, work_out_figures

Kind = TypeVar("Kind", bound=StrEnum)
Value = TypeVar("Value")

_FENCE = "---\n"
_TIMESTAMP = "tag:yaml.org,2002:timestamp"
_YAML_ERRORS = (yaml.YAMLError, ValueError, LookupError, AttributeError, RecursionError)
"""What the loader raises for a bad text; all but the first for values such as `!!bool x`, or a thousand brackets."""


class _Loader(yaml.SafeLoader):
    """YAML's safe loader that leaves dates as they are written, so that `Record.day` can say what is wrong with one."""

    # PyYAML itself keeps them on the class, which its stubs do not say.
    yaml_implicit_resolvers: ClassVar = {  # pyright: ignore[reportIncompatibleVariableOverride]
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The values of one JSON object or front matter; every read may raise ContentError.

    `facts` stand in for `{{ name }}` in its texts. With a list `found`, faults that leave the rest readable go there
    and nothing is raised for them; what was made from the record is then not to be used.
    """

    source: str
    values: Mapping[str, object]
    facts: Mapping[str, str] = field(default_factory=dict)
    found: list[ContentError] | None = None

    def fault(self, words: str) -> ContentError:
        """Return the error that says what is wrong here."""
        return ContentError(self.source, words)

    def refuse(self, words: str, instead: Value) -> Value:
        """Raise what is wrong here, or keep it and return what to go on with."""
        if self.found is None:
            raise self.fault(words)
        self.found.append(self.fault(words))
        return instead

    def allow(self, *names: str) -> None:
        """Refuse a value with any other name, which is usually a misspelt one."""
        if unknown := sorted(str(name) for name in set(self.values) - set(names)):
            self.refuse(f"unknown field {', '.join(unknown)}", None)

    def fill_placeholders(self, text: str) -> str:
        """Return a text with the facts in place, its figures worked out, and its sources for `{{ sources }}`."""
        try:
            return work_out_figures(fill_placeholders(text, with_source_list(text, self.facts)), self.facts)
        except (UnknownPlaceholderError, FigureError) as error:
            return self.refuse(str(error), text)

    def text(self, name: str) -> str:
        """Return a text that must be there and not empty."""
        value = self.optional(name)
        missing = not value and isinstance(self.values.get(name, ""), str)
        return self.refuse(f"missing {name}", "") if missing else value

    def optional(self, name: str) -> str:
        """Return a text, or an empty one."""
        value = self.values.get(name, "")
        if not isinstance(value, str):
            return self.refuse(f"{name} must be a text, not {value!r}", "")
        return self.fill_placeholders(value.strip())

    def short(self, name: str, limit: int) -> str:
        """Return a text of `limit` characters at most."""
        value = self.text(name)
        if len(value) > limit:
            self.refuse(f"{name} has {len(value)} characters, at most {limit} fit", None)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; an absent one is empty."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            return self.refuse(f"{name} must be a list of texts", ())
        return tuple(self.fill_placeholders(entry) for entry in value)

    def day(self, name: str) -> date:
        """Return a date written as 2026-11-21."""
        value = self.values.get(name)
        try:
            return date.fromisoformat(value if isinstance(value, str) else "")
        except ValueError:
            return self.refuse(f"{name} must be a date such as 2026-11-21, not {value!r}", date.min)

    def number(self, name: str) -> float:
        """Return a finite number that is not negative."""
        value = self.values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not (0 <= value < math.inf):
            return self.refuse(f"{name} must be a number from 0 up, not {value!r}", 0)
        return value

    def switch(self, name: str) -> bool:
        """Return true or false; an absent one is false."""
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            return self.refuse(f"{name} must be true or false, not {value!r}", False)
        return value

    def one_of(self, name: str, kind: type[Kind]) -> Kind:
        """Return one of a fixed set of words."""
        value = self.text(name)
        if value in set(kind):
            return kind(value)
        first = next(iter(kind))
        return self.refuse(f"unknown {name} {value!r}; known are {', '.join(kind)}", first) if value else first

    def record(self, name: str) -> Record:
        """Return the record under a name."""
        return self._inner(self.values.get(name), name)

    def records(self, name: str) -> tuple[Record, ...]:
        """Return a list of records; an absent one is empty."""
        value = self.values.get(name, [])
        if not isinstance(value, list):
            return self.refuse(f"{name} must be a list", ())
        return tuple(self._inner(entry, f"{name} {number}") for number, entry in enumerate(value, 1))

    def _inner(self, value: object, name: str) -> Record:
        source = f"{self.source}, {name}"
        if not isinstance(value, dict):
            nothing = Record(source=source, values={}, facts=self.facts, found=[])
            return self.refuse(f"{name} must be a record with named values", nothing)
        return Record(source=source, values=value, facts=self.facts, found=self.found)


def read_json(path: Path, facts: Mapping[str, str], *, found: list[ContentError] | None = None) -> Record:
    """Return the record of a JSON file; raises ContentError where it cannot be read or holds anything else."""
    try:
        values = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise ContentError(path, f"not JSON: {error}") from error
    if not isinstance(values, dict):
        raise ContentError(path, "must hold one JSON object")
    return Record(source=str(path), values=values, facts=facts, found=found)


def read_document(
    path: Path, facts: Mapping[str, str], *, found: list[ContentError] | None = None
) -> tuple[Record, str]:
    """Return the front matter of a Markdown file, and its body with the firm's facts and worked figures in place.

    Raises ContentError where it cannot be read or does not begin with front matter.
    """
    text = _read(path)
    head, fence, body = text.removeprefix(_FENCE).partition("\n" + _FENCE)
    if not text.startswith(_FENCE) or not fence:
        raise ContentError(path, "must begin with front matter between two lines of ---")
    try:
        values = yaml.load(head, Loader=_Loader)  # a SafeLoader
    except _YAML_ERRORS as error:
        raise ContentError(path, f"front matter is not YAML: {error}") from error
    if not isinstance(values, dict):
        raise ContentError(path, "front matter must hold named values")
    record = Record(source=str(path), values=values, facts=facts, found=found)
    return record, record.fill_placeholders(body)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError(path, f"cannot be read: {error}") from error
