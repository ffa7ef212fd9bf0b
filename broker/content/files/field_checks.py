"""Field readers that several kinds of document share."""

import re
from typing import Any

from broker.calculators.registry import CALCULATORS
from broker.content.files.validated_record import Record
from broker.content.models.pages import DESCRIPTION_LIMIT, TITLE_LIMIT, Faq
from broker.content.text.citations import latest_source
from broker.content.text.markdown import Text, render_markdown, split_sections
from broker.domain.rates.customers import Customer

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
    """Return the slugs of a page's calculators; an unknown one is a fault."""
    slugs, known = record.texts("calculators"), [calculator.slug for calculator in CALCULATORS]
    if unknown := sorted(set(slugs) - set(known)):
        record.refuse(f"unknown calculator {', '.join(unknown)}; known are {', '.join(known)}", None)
    return slugs


def read_customers(record: Record) -> tuple[str, ...]:
    """Return the customer types of a service; an unknown one is a fault."""
    named = record.texts("customers")
    if unknown := sorted(set(named) - {customer.value for customer in Customer}):
        record.refuse(f"unknown customer type {', '.join(unknown)}; known are {', '.join(Customer)}", None)
    return named
