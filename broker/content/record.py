"""A record read from a file: named values with their checks, each failing with the file and the fault named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import ClassVar, TypeVar

import yaml

from broker.content.errors import ContentError
from broker.content.writing import UnknownPlaceholderError, filled

Kind = TypeVar("Kind", bound=StrEnum)

_FENCE = "---\n"
_TIMESTAMP = "tag:yaml.org,2002:timestamp"


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

    `facts` stand in for `{{ name }}` in its texts.
    """

    source: str
    values: Mapping[str, object]
    facts: Mapping[str, str] = field(default_factory=dict)

    def fault(self, words: str) -> ContentError:
        """Return the error that says what is wrong here."""
        return ContentError(self.source, words)

    def allow(self, *names: str) -> None:
        """Refuse a value with any other name, which is usually a misspelt one."""
        if unknown := sorted(set(self.values) - set(names)):
            raise self.fault(f"unknown field {', '.join(unknown)}")

    def filled(self, text: str) -> str:
        """Return a text with the firm's facts in place."""
        try:
            return filled(text, self.facts)
        except UnknownPlaceholderError as error:
            raise self.fault(str(error)) from error

    def text(self, name: str) -> str:
        """Return a text that must be there and not empty."""
        if not (value := self.optional(name)):
            raise self.fault(f"missing {name}")
        return value

    def optional(self, name: str) -> str:
        """Return a text, or an empty one."""
        value = self.values.get(name, "")
        if not isinstance(value, str):
            raise self.fault(f"{name} must be a text, not {value!r}")
        return self.filled(value.strip())

    def short(self, name: str, limit: int) -> str:
        """Return a text of `limit` characters at most."""
        value = self.text(name)
        if len(value) > limit:
            raise self.fault(f"{name} has {len(value)} characters, at most {limit} fit")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; an absent one is empty."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise self.fault(f"{name} must be a list of texts")
        return tuple(self.filled(entry) for entry in value)

    def day(self, name: str) -> date:
        """Return a date written as 2026-11-21."""
        value = self.values.get(name)
        try:
            return date.fromisoformat(value if isinstance(value, str) else "")
        except ValueError as error:
            raise self.fault(f"{name} must be a date such as 2026-11-21, not {value!r}") from error

    def number(self, name: str) -> float:
        """Return a number that is not negative."""
        value = self.values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise self.fault(f"{name} must be a number from 0 up, not {value!r}")
        return value

    def switch(self, name: str) -> bool:
        """Return true or false; an absent one is false."""
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            raise self.fault(f"{name} must be true or false, not {value!r}")
        return value

    def one_of(self, name: str, kind: type[Kind]) -> Kind:
        """Return one of a fixed set of words."""
        value = self.text(name)
        try:
            return kind(value)
        except ValueError as error:
            raise self.fault(f"unknown {name} {value!r}; known are {', '.join(kind)}") from error

    def record(self, name: str) -> Record:
        """Return the record under a name."""
        return self._inner(self.values.get(name), name)

    def records(self, name: str) -> tuple[Record, ...]:
        """Return a list of records; an absent one is empty."""
        value = self.values.get(name, [])
        if not isinstance(value, list):
            raise self.fault(f"{name} must be a list")
        return tuple(self._inner(entry, f"{name} {number}") for number, entry in enumerate(value, 1))

    def _inner(self, value: object, name: str) -> Record:
        if not isinstance(value, dict):
            raise self.fault(f"{name} must be a record with named values")
        return Record(source=f"{self.source}, {name}", values=value, facts=self.facts)


def read_json(path: Path, facts: Mapping[str, str]) -> Record:
    """Return the record of a JSON file; raises ContentError where it cannot be read or holds anything else."""
    try:
        values = json.loads(_read(path))
    except json.JSONDecodeError as error:
        raise ContentError(path, f"not JSON: {error}") from error
    if not isinstance(values, dict):
        raise ContentError(path, "must hold one JSON object")
    return Record(source=str(path), values=values, facts=facts)


def read_document(path: Path, facts: Mapping[str, str]) -> tuple[Record, str]:
    """Return the front matter of a Markdown file, and its body with the firm's facts in place.

    Raises ContentError where it cannot be read or does not begin with front matter.
    """
    text = _read(path)
    head, fence, body = text.removeprefix(_FENCE).partition("\n" + _FENCE)
    if not text.startswith(_FENCE) or not fence:
        raise ContentError(path, "must begin with front matter between two lines of ---")
    try:
        values = yaml.load(head, Loader=_Loader)  # a SafeLoader
    except yaml.YAMLError as error:
        raise ContentError(path, f"front matter is not YAML: {error}") from error
    if not isinstance(values, dict):
        raise ContentError(path, "front matter must hold named values")
    record = Record(source=str(path), values=values, facts=facts)
    return record, record.filled(body)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError(path, f"cannot be read: {error}") from error
