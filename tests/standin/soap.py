"""Answers of the sourcing service as PHP hands them on: prefixes stripped, kept or glued, one row as an object, XML.

The shapes are those of the recorded answers; the names of the XML outside the specification are invented.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from markupsafe import Markup

Fields = Mapping[str, Any]
"""A row: texts, and `{}` for an element with nothing in it."""

_ACTIVITY = "00000000-0000-0000-0000-000000000000"
_XML = Markup(
    '<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
    '<{name}Response xmlns="http://example.invalid/mb"><{name}Result>{result}</{name}Result>'
    '<{held} xmlns:a="http://example.invalid/data">{rows}</{held}></{name}Response></s:Body></s:Envelope>'
)
_ELEMENT = Markup("<a:{0}>{1}</a:{0}>")


class Prefixes(StrEnum):
    """What the converter did with `s:` and `a:`."""

    STRIPPED = "stripped"
    KEPT = "kept"
    GLUED = "glued"


class Rows(StrEnum):
    """How a list of rows is written where it is not simply a list."""

    LIST = "list"
    GAPS = "gaps"
    NONE_OBJECT = "none-object"
    NONE_LIST = "none-list"


@dataclass(frozen=True, slots=True, kw_only=True)
class Soap:
    """An operation's answer: `operation`, the element `held` that holds the rows, and the element of a `row`."""

    operation: str
    held: str
    row: str
    rows: Sequence[Fields]
    result: Any = "0"
    prefixes: Prefixes = Prefixes.STRIPPED

    def tree(self, written: Rows = Rows.LIST) -> dict[str, Any]:
        response = {f"{self.operation}Result": self.result, self.held: self._held(written)}
        return self._enveloped({f"{self.operation}Response": response})

    def fault(self, words: Any) -> dict[str, Any]:
        """Return the fault that stands in place of the answer; `{}` for a fault without words."""
        own = {"@value": words, "@attributes": {"xml:lang": "en-GB"}}
        said = own if words and self.prefixes is Prefixes.KEPT else words
        detail = {"ExceptionDetail": {"HelpLink": {}, "Message": words}}
        fault = {"faultcode": "s:Client", "faultstring": said, "detail": detail}
        return self._enveloped({_prefixed("s", "Fault", self.prefixes): fault})

    def xml(self) -> bytes:
        fields = (Markup().join(_element(*field) for field in row.items()) for row in self.rows)
        rows = Markup().join(_ELEMENT.format(self.row, inner) for inner in fields)
        return _XML.format(name=self.operation, held=self.held, result=self.result, rows=rows).encode()

    def _held(self, written: Rows) -> Any:
        if written is Rows.NONE_LIST:
            return []
        if written is Rows.NONE_OBJECT or not self.rows:
            return {}
        before = _prefixed("a", "", self.prefixes)
        rows: Any = [{before + name: value for name, value in row.items()} if before else row for row in self.rows]
        if written is Rows.GAPS:
            rows = {str(place * 2): row for place, row in enumerate(rows)}
        elif len(rows) == 1:
            rows = rows[0]
        return {_prefixed("a", self.row, self.prefixes): rows}

    def _enveloped(self, body: dict[str, Any]) -> dict[str, Any]:
        header, name = {"ActivityId": _ACTIVITY}, _prefixed("s", "Body", self.prefixes)
        whole = {_prefixed("s", "Header", self.prefixes): header, name: body}
        return {"s:Envelope": whole} if self.prefixes is Prefixes.KEPT else whole


def mapped(tree: Any, change: Callable[[Any], Any]) -> Any:
    """Return a tree with every leaf changed; empty objects and lists are leaves."""
    if isinstance(tree, dict) and tree:
        return {name: mapped(value, change) for name, value in tree.items()}
    if isinstance(tree, list) and tree:
        return [mapped(value, change) for value in tree]
    return change(tree)


def _prefixed(letter: str, name: str, prefixes: Prefixes) -> str:
    return {Prefixes.STRIPPED: name, Prefixes.KEPT: f"{letter}:{name}", Prefixes.GLUED: f"{letter}{name}"}[prefixes]


def _element(name: str, value: Any) -> Markup:
    return _ELEMENT.format(name, value) if isinstance(value, str) else Markup("<a:{}/>").format(name)
