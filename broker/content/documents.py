"""Markdown documents with front matter, made into services, pages and questions; every fault is a ContentError.

A body is cut at its `# name` lines. Questions stand under `# faqs`: `### question`, then its answer; `## words` above
starts a group of them.
"""

from __future__ import annotations

import re

from broker.content.model import DESCRIPTION_LIMIT, TITLE_LIMIT, ContentPage, Door, Faq, PageKind, Service, Theme
from broker.content.record import Record
from broker.content.writing import parts, written
from broker.domain.calculators.registry import UnknownCalculatorError, active
from broker.domain.rates.customers import Customer

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PATH = re.compile(r"/([A-Za-z0-9-]+/)+")
_HEADING = re.compile(r"^(##|###) (.+)$", re.MULTILINE)
_META = ("meta_title", "description", "updated", "summary", "title")
_SERVICE = (*_META, "slug", "short_title", "theme", "door", "author", "calculators", "customers", "order")
_PAGE = (*_META, "path", "kind", "draft")


def service_in(record: Record, body: str) -> Service:
    """Return the service of a document with the parts section_1, section_2, faqs and footer_disclaimer."""
    record.allow(*_SERVICE)
    texts = _parts(record, body, ("section_1", "section_2", "faqs", "footer_disclaimer"))
    return Service(
        slug=_matching(record, "slug", _SLUG),
        title=record.text("title"),
        short_title=record.text("short_title"),
        meta_title=record.short("meta_title", TITLE_LIMIT),
        description=record.short("description", DESCRIPTION_LIMIT),
        theme=record.one_of("theme", Theme),
        door=record.one_of("door", Door),
        summary=record.text("summary"),
        author=record.text("author"),
        updated=record.day("updated"),
        section_1=written(texts["section_1"]).html,
        section_2=written(texts["section_2"]).html,
        calculators=_calculators(record),
        faqs=_questions(record, texts["faqs"]),
        footer_disclaimer=written(texts["footer_disclaimer"]).html,
        order=record.number("order"),
        customers=_customers(record),
    )


def page_in(record: Record, body: str) -> ContentPage:
    """Return the page of a document; its part faqs may be absent."""
    record.allow(*_PAGE)
    before, _, faqs = body.partition("\n# faqs\n")
    text = written(before)
    if not text.html:
        raise record.fault("the body is empty")
    if any(heading.level == 1 for heading in text.headings):
        raise record.fault("the body has a heading of level 1; the title is the only one")
    return ContentPage(
        path=_matching(record, "path", _PATH),
        title=record.text("title"),
        meta_title=record.short("meta_title", TITLE_LIMIT),
        description=record.short("description", DESCRIPTION_LIMIT),
        kind=record.one_of("kind", PageKind),
        updated=record.day("updated"),
        summary=record.text("summary"),
        html=text.html,
        headings=text.headings,
        faqs=_questions(record, faqs) if faqs else (),
        draft=record.switch("draft"),
    )


def faqs_in(record: Record, body: str) -> tuple[Faq, ...]:
    """Return the questions of a document that holds nothing else."""
    record.allow("updated")
    record.day("updated")
    return _questions(record, body)


def _parts(record: Record, body: str, names: tuple[str, ...]) -> dict[str, str]:
    texts = parts(body)
    if texts.pop("", ""):
        raise record.fault(f"text before the first part; the parts are {', '.join(names)}")
    if unknown := sorted(set(texts) - set(names)):
        raise record.fault(f"unknown part {', '.join(unknown)}")
    if missing := [name for name in names if not texts.get(name)]:
        raise record.fault(f"missing part {', '.join(missing)}")
    return texts


def _questions(record: Record, text: str) -> tuple[Faq, ...]:
    pieces = _HEADING.split(text)
    if pieces[0].strip():
        raise record.fault("text before the first question")
    faqs: list[Faq] = []
    group = ""
    for mark, words, answer in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        if mark == "##":
            group = words.strip()
            continue
        if not answer.strip():
            raise record.fault(f"no answer to {words.strip()!r}")
        faqs.append(Faq(question=words.strip(), answer=written(answer).html, group=group))
    if not faqs:
        raise record.fault("no questions; each begins with ### and its words")
    return tuple(faqs)


def _matching(record: Record, name: str, pattern: re.Pattern[str]) -> str:
    value = record.text(name)
    if not pattern.fullmatch(value):
        raise record.fault(f"bad {name} {value!r}")
    return value


def _calculators(record: Record) -> tuple[str, ...]:
    slugs = record.texts("calculators")
    try:
        active(slugs, page=record.source)
    except UnknownCalculatorError as error:
        raise record.fault(f"unknown calculator: {error}") from error
    return slugs


def _customers(record: Record) -> tuple[str, ...]:
    customers = record.texts("customers")
    if unknown := sorted(set(customers) - {customer.value for customer in Customer}):
        raise record.fault(f"unknown customer type {', '.join(unknown)}; known are {', '.join(Customer)}")
    return customers
