"""Reader of `glossary.md`: each entry is `## title`, lines `name: value`, a blank line, and the definition."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from broker import routes
from broker.content.files.validated_record import META, SLUG, Record, matching_text, read_meta
from broker.content.models.glossary import LINKED_TERMS, MAX_DEFINITION, Glossary, Term

_LISTS = ("forms", "except")
_FURTHER = (routes.GUIDE_PAGES, routes.CALCULATORS)
_FIELD = re.compile(r"(\w+):\s*(.*)")


def read_glossary(record: Record, body: str) -> Glossary:
    """Read the glossary; a fault of an entry names the line of its heading."""
    record.allow(*META)
    terms = tuple(map(_term, _entries(record, body)))
    slugs = [term.slug for term in terms]
    if missing := [slug for slug in LINKED_TERMS if slug not in slugs]:
        record.refuse(f"no entry with the id {', '.join(missing)}, which pages link to", None)
    phrases = Counter(phrase.lower() for term in terms for phrase in {*term.forms, *term.exceptions})
    for number, term in enumerate(terms):
        if term.slug in slugs[:number]:
            _of_line(record, term.line).refuse(f"duplicate id {term.slug!r}", None)
        if repeated := [form for form in term.forms if phrases[form.lower()] > 1]:
            _of_line(record, term.line).refuse(f"forms that are there twice: {', '.join(repeated)}", None)
    return Glossary(**read_meta(record, body), terms=tuple(sorted(terms, key=lambda term: term.title.lower())))


def _of_line(record: Record, line: int, **values: Any) -> Record:
    return replace(record, source=f"{record.source}, line {line}", values=values)


def _entries(record: Record, body: str) -> Iterator[tuple[int, Record]]:
    """Yield the line of each entry, and its values: title, fields, and the definition in one line as `text`."""
    before, *entries = re.split(r"^## ", body, flags=re.MULTILINE)
    if before.strip():
        record.refuse("text before the first entry, which begins with ##", None)
    line = record.body_line + before.count("\n")
    for entry in entries:
        head, _, text = entry.partition("\n\n")
        title, *fields = head.splitlines() or [""]
        values: dict[str, Any] = {"title": title.strip(), "text": " ".join(text.split())}
        for name, value in (match.groups() if (match := _FIELD.fullmatch(each)) else (each, "") for each in fields):
            values[name] = _phrases(value) if name in _LISTS else value
        yield line, _of_line(record, line, **values)
        line += entry.count("\n")


def _phrases(written: str) -> list[str]:
    return [" ".join(each.split()) for each in written.split(",") if each.strip()]


def _term(entry: tuple[int, Record]) -> Term:
    line, record = entry
    record.allow("title", "id", *_LISTS, "see", "text")
    if not (forms := record.texts("forms")):
        record.refuse("missing forms", None)
    see = record.optional("see")
    if see and not see.startswith(_FURTHER):
        record.refuse(f"see must be the path of a guide or a calculator, not {see!r}", None)
    return Term(
        slug=matching_text(record, "id", pattern=SLUG),
        title=record.text("title"),
        forms=forms,
        exceptions=record.texts("except"),
        see=see,
        text=record.short("text", MAX_DEFINITION),
        line=line,
    )
