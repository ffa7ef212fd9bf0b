"""Validated access to the values of a JSON object or of front matter.

A fault raises ContentError, or is added to the record's list `found` and replaced by a default.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import yaml

from broker.calculators.registry import CALCULATORS
from broker.content.errors import ContentError
from broker.content.models.pages import DESCRIPTION_LIMIT, TITLE_LIMIT, Faq
from broker.content.text.markdown import Text, drawing_faults, render_markdown, split_sections
from broker.content.text.placeholders import (
    FigureError,
    UnknownPlaceholderError,
    fill_placeholders,
    latest_source,
    with_source_list,
    work_out_figures,
)
from broker.rates.customers import Customer

Kind = TypeVar("Kind", bound=StrEnum)
Value = TypeVar("Value")

_FENCE = "---\n"
_TIMESTAMP = "tag:yaml.org,2002:timestamp"
_YAML_ERRORS = (yaml.YAMLError, ValueError, LookupError, AttributeError, RecursionError)
"""Exceptions of the loader for invalid text; all but the first for values like `!!bool x` or deep nesting."""


class _Loader(yaml.CSafeLoader):
    """YAML's safe loader without date conversion, so that `Record.day` can report an invalid date."""

    # PyYAML itself keeps them on the class, which its stubs do not say.
    yaml_implicit_resolvers: ClassVar = {  # pyright: ignore[reportIncompatibleVariableOverride]
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
        for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Values of a JSON object or of front matter; every read may raise ContentError.

    `facts` are the values of `{{ name }}` in texts. With a list `found`, faults are added to it instead of raised; the
    values read must then not be used.
    """

    source: str
    values: Mapping[str, object]
    facts: Mapping[str, str] = field(default_factory=dict)
    found: list[ContentError] | None = None
    body_line: int = 1
    """Line of the file at which the body of a document begins."""

    def refuse(self, words: str, default: Value) -> Value:
        """Raise a fault, or add it to `found` and return the default."""
        fault = ContentError(self.source, words)
        if self.found is None:
            raise fault
        self.found.append(fault)
        return default

    def allow(self, *names: str) -> None:
        """Refuse any other field, which is usually a misspelling."""
        if unknown := sorted(str(name) for name in set(self.values) - set(names)):
            self.refuse(f"unknown field {', '.join(unknown)}", None)

    def fill_placeholders(self, text: str) -> str:
        """Return a text with its placeholders, figures and list of sources filled in."""
        try:
            return work_out_figures(fill_placeholders(text, with_source_list(text, self.facts)), self.facts)
        except (UnknownPlaceholderError, FigureError) as error:
            return self.refuse(str(error), text)

    def text(self, name: str) -> str:
        value = self.optional(name)
        missing = not value and isinstance(self.values.get(name, ""), str)
        return self.refuse(f"missing {name}", "") if missing else value

    def optional(self, name: str) -> str:
        """Return an optional text, empty by default."""
        value = self.values.get(name, "")
        if not isinstance(value, str):
            return self.refuse(f"{name} must be a text, not {value!r}", "")
        return self.fill_placeholders(value.strip())

    def short(self, name: str, limit: int) -> str:
        """Return a required text of at most `limit` characters."""
        value = self.text(name)
        if len(value) > limit:
            self.refuse(f"{name} has {len(value)} characters, at most {limit} fit", None)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, empty by default."""
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

    def boolean(self, name: str) -> bool:
        """Return a boolean, false by default."""
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            return self.refuse(f"{name} must be true or false, not {value!r}", False)
        return value

    def one_of(self, name: str, kind: type[Kind]) -> Kind:
        value = self.text(name)
        if value in set(kind):
            return kind(value)
        first = next(iter(kind))
        return self.refuse(f"unknown {name} {value!r}; known are {', '.join(kind)}", first) if value else first

    def record(self, name: str) -> Record:
        return self._inner(self.values.get(name), name)

    def records(self, name: str) -> tuple[Record, ...]:
        """Return a list of nested records, empty by default."""
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
    """Read a JSON file that holds an object; raises ContentError for anything else."""
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
    """Read the front matter and the body of a Markdown file, with placeholders and figures filled in.

    Raises ContentError for an unreadable file, or one without front matter; a drawing with a fault names its line.
    """
    text = _read(path)
    head, fence, body = text.removeprefix(_FENCE).partition("\n" + _FENCE)
    if not text.startswith(_FENCE) or not fence:
        raise ContentError(path, "must begin with front matter between two lines of ---")
    try:
        values = yaml.load(head, Loader=_Loader)  # a CSafeLoader
    except _YAML_ERRORS as error:
        raise ContentError(path, f"front matter is not YAML: {error}") from error
    if not isinstance(values, dict):
        raise ContentError(path, "front matter must hold named values")
    first = len(head.splitlines()) + 3
    record = Record(source=str(path), values=values, facts=facts, found=found, body_line=first)
    filled = record.fill_placeholders(body)
    for line, fault in () if "{{" in filled else drawing_faults(filled):  # with a placeholder left, that is the fault
        record.refuse(f"line {first - 1 + line}: {fault}", None)
    return record, filled


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError(path, f"cannot be read: {error}") from error


SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
PATH = re.compile(r"/([A-Za-z0-9-]+/)+")

META = ("title", "meta_title", "description", "summary", "updated")
"""Names of the fields of `PageMeta`."""

_HEADING = re.compile(r"^(##|###) (.+)$", re.MULTILINE)


def matching_text(record: Record, name: str, *, pattern: re.Pattern[str]) -> str:
    """Return a required text that must match the whole pattern."""
    value = record.text(name)
    if value and not pattern.fullmatch(value):
        record.refuse(f"bad {name} {value!r}", None)
    return value


def read_meta(record: Record, body: str) -> dict[str, Any]:
    """Return the fields of `PageMeta`, which are all required.

    A page is as new as the latest of the sources that its body lists.
    """
    return {
        "title": record.text("title"),
        "meta_title": record.short("meta_title", TITLE_LIMIT),
        "description": record.short("description", DESCRIPTION_LIMIT),
        "summary": record.text("summary"),
        "updated": max(record.day("updated"), latest_source(body)),
    }


def read_body(record: Record, markdown: str) -> Text:
    """Render the body of a page: not empty, and without h1, which is the title."""
    text = render_markdown(markdown)
    if not text.html:
        record.refuse("the body is empty", None)
    if any(heading.level == 1 for heading in text.headings):
        record.refuse("the body has a heading of level 1; the title is the only one", None)
    return text


def read_sections(
    record: Record, body: str, *, names: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return the sections of a body by name: `names` are required, absent optional ones are empty."""
    texts = split_sections(body)
    if texts.pop("", ""):
        record.refuse(f"text before the first part; the parts are {', '.join((*names, *optional))}", None)
    if unknown := sorted(set(texts) - set(names) - set(optional)):
        record.refuse(f"unknown part {', '.join(unknown)}", None)
    if missing := [name for name in names if not texts.get(name)]:
        record.refuse(f"missing part {', '.join(missing)}", None)
    return {name: texts.get(name, "") for name in (*names, *optional)}


def read_questions(record: Record, text: str) -> tuple[Faq, ...]:
    """Return the questions of a text: `### question`, then its answer; `## heading` starts a group.

    A text without questions is a fault, unless it is empty, which is reported as missing.
    """
    pieces = _HEADING.split(text)
    if pieces[0].strip():
        record.refuse("text before the first question", None)
    faqs: list[Faq] = []
    group = ""
    for mark, words, answer in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        if mark == "##":
            group = words.strip()
            continue
        if not answer.strip():
            record.refuse(f"no answer to {words.strip()!r}", None)
        faqs.append(Faq(question=words.strip(), answer=render_markdown(answer).html, group=group))
    if text.strip() and not faqs:
        record.refuse("no questions; each begins with ### and its words", None)
    return tuple(faqs)


def read_calculators(record: Record) -> tuple[str, ...]:
    slugs, known = record.texts("calculators"), [calculator.slug for calculator in CALCULATORS]
    if unknown := sorted(set(slugs) - set(known)):
        record.refuse(f"unknown calculator {', '.join(unknown)}; known are {', '.join(known)}", None)
    return slugs


def read_customers(record: Record) -> tuple[str, ...]:
    named = record.texts("customers")
    if unknown := sorted(set(named) - {customer.value for customer in Customer}):
        record.refuse(f"unknown customer type {', '.join(unknown)}; known are {', '.join(Customer)}", None)
    return named
