"""Readers for documents of guides and towns."""

import re
from datetime import date, datetime

from broker.content.files.validated_record import (
    META,
    SLUG,
    Record,
    matching_text,
    read_body,
    read_meta,
    read_questions,
)
from broker.content.guides import ALL, GuideCategory, GuideSubject
from broker.content.models.pages import Faq, Guide, Town
from broker.content.text.markdown import Text
from broker.markup import words_of

_QUESTIONS = re.compile(r"^## Questions people ask.*\n(?P<questions>(?:(?!^## ).*\n?)*)", re.MULTILINE)
_SOURCES = '<h2 id="sources">'


def read_guide(record: Record, body: str) -> Guide:
    record.allow(*META, "slug", "categories", "order", "created", "author", "related", "show_on_homepage", "picture")
    text = read_body(record, body)
    return Guide(
        **read_meta(record, body),
        url=matching_text(record, "slug", pattern=SLUG),
        categories=_categories(record),
        created=_created(record),
        author=record.text("author"),
        html=text.html,
        headings=text.headings,
        related=record.texts("related"),
        words=count_words(text),
        order=record.number("order"),
        categories_complete=True,
        show_on_homepage=record.boolean("show_on_homepage"),
        subject=record.one_of("picture", GuideSubject) if "picture" in record.values else None,
    )


def read_town(record: Record, body: str) -> Town:
    """Read a town; the questions in the body become its FAQs."""
    record.allow(*META, "slug", "name", "near", "checks", "centre")
    text = read_body(record, _QUESTIONS.sub("", body))
    return Town(
        **read_meta(record, body),
        slug=matching_text(record, "slug", pattern=SLUG),
        name=record.text("name"),
        near=record.texts("near"),
        checks=record.texts("checks"),
        html=text.html,
        headings=text.headings,
        faqs=_local_questions(record, body),
        centre=_centre(record),
    )


def count_words(text: Text) -> int:
    """Return the number of words of a text without its list of sources."""
    return len(words_of(text.html.partition(_SOURCES)[0]).split())


def _categories(record: Record) -> tuple[GuideCategory, ...]:
    """Return the categories, the main one first; none for a guide that suits everybody, written `[all]`."""
    given = record.texts("categories")
    if given == (ALL,):
        return ()
    if not given or set(given) - set(GuideCategory):
        words = f"categories must be some of {', '.join(GuideCategory)}, or {ALL}, not {', '.join(given) or 'none'}"
        return record.refuse(words, ())
    return tuple(GuideCategory(name) for name in given)


def _created(record: Record) -> date:
    """Return the creation date, written dd/mm/yyyy as by the content service (specification 3)."""
    written = record.text("created")
    try:
        return datetime.strptime(written, "%d/%m/%Y").date()
    except ValueError:
        if written:
            record.refuse(f"created must be a day such as 05/03/2026, not {written!r}", None)
        return date.min


def _local_questions(record: Record, body: str) -> tuple[Faq, ...]:
    found = _QUESTIONS.search(body)
    if not found or not found["questions"].strip():
        return record.refuse("no questions; they stand under ## Questions people ask in the town", ())
    return read_questions(record, found["questions"])


def _centre(record: Record) -> tuple[float, float] | None:
    given = record.values.get("centre")
    if given is None:
        return None
    if not (isinstance(given, list) and len(given) == 2 and all(_is_degrees(each) for each in given)):
        return record.refuse(f"centre must be a latitude and a longitude, not {given!r}", None)
    return float(given[0]), float(given[1])


def _is_degrees(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and abs(given) <= 90
