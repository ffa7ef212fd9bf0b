"""The page on which visitors see and delete an enquiry: its form's fields, its steps, and what fills it."""

from __future__ import annotations

from collections.abc import Sequence

from broker.domain.enquiries.contact_details import Problem
from broker.domain.enquiries.stored_records import StoredEnquiry
from broker.domain.questionnaire.answers import Line
from broker.presenters.enquiry_form import problem_list
from broker.presenters.enquiry_summary import allowed, record, sent
from broker.presenters.marks import Value, Values

REFERENCE, DIGITS, LINK, STEP = "reference", "digits", "link", "step"
"""Fields of the form: what an enquiry is found by, and what is to be done."""

SHOW, ASK, DELETE = "show", "ask", "delete"
"""Steps: what is kept is shown, then somebody asks to delete it, and does."""

GROUPS = {"sent": "What you sent us", "allowed": "What you agreed to", "record": "What we noted"}
"""The lists of what is kept, with their headings."""


def lines(entries: Sequence[Line]) -> list[Values]:
    """Return what fills a list of facts."""
    return [{"label": each.label, "words": each.words} for each in entries]


def found_values(kept: StoredEnquiry, *, asked: bool) -> dict[str, Value]:
    """Return what fills the page of an enquiry that was found; `asked` where it is to be deleted."""
    groups = {"sent": sent(kept), "allowed": allowed(kept.enquiry.consent), "record": record(kept)}
    return {
        "heading": "Delete your enquiry" if asked else "Your enquiry",
        "lead": f"Everything that we keep under the reference {kept.reference}.",
        "asked": [{}] if asked else [],
        "offered": [] if asked else [{}],
        "found": [{name: lines(entries) for name, entries in groups.items()}],
    }


def problem_values(problems: Sequence[Problem]) -> dict[str, Value]:
    """Return what fills the page where nothing can be shown."""
    return {
        "heading": "Your enquiry",
        "lead": "We could not show it. You can look again below.",
        "look": [{}],
        **problem_list(problems, {}),
    }


def gone_values() -> dict[str, Value]:
    """Return what fills the page once an enquiry is deleted."""
    return {"heading": "Your enquiry is deleted", "lead": "We keep nothing of it.", "gone": [{}]}
