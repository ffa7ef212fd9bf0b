"""The page on which visitors see and delete an enquiry: its form's fields and steps, and its template's values."""

from collections.abc import Mapping, Sequence

from broker.domain.enquiries.contact_details import Problem
from broker.domain.enquiries.stored_records import StoredEnquiry
from broker.presenters.enquiry_form import ERROR_TITLE, listed_problems
from broker.presenters.enquiry_summary import allowed, record, sent

REFERENCE, DIGITS, STEP = "reference", "digits", "step"
"""Fields of the form: the credentials of an enquiry, and the step to take."""

CREDENTIALS = (REFERENCE, DIGITS)

BEGIN, SHOW, ASK, DELETE = "begin", "show", "ask", "delete"
"""Steps: ask for the digits, show the enquiry, ask whether to delete it, delete it."""

GROUPS = {"sent": "What you sent us", "allowed": "What you agreed to", "record": "About this enquiry"}
"""Lists of the page, with their headings."""

_NOTHING: Mapping[str, object] = {
    "problems": (),
    ERROR_TITLE: "",
    "is_deleted": False,
    "is_asked": False,
    "is_found": False,
    "is_searched": False,
    "error_reference": "",
    "error_digits": "",
    **dict.fromkeys((*CREDENTIALS, *GROUPS), ""),
}


def found_values(enquiry: StoredEnquiry, credentials: Mapping[str, str], *, asked: bool) -> dict[str, object]:
    """Return the values of an enquiry that was found; `asked` when the visitor must confirm its deletion."""
    return {
        **_NOTHING,
        **credentials,
        "heading": "Delete your enquiry" if asked else "Your enquiry",
        "lead": f"These are the details we hold about you under the reference {enquiry.reference}.",
        "is_asked": asked,
        "is_found": True,
        "sent": sent(enquiry),
        "allowed": allowed(enquiry.enquiry.consent),
        "record": record(enquiry),
    }


def search_values(credentials: Mapping[str, str]) -> dict[str, object]:
    """Return the values of the form that asks for the credentials, with those that are known."""
    lead = "Enter the last four digits of your telephone number to see or delete it."
    return {**_NOTHING, **credentials, "heading": "Your enquiry", "lead": lead, "is_searched": True}


def problem_values(problems: Sequence[Problem], credentials: Mapping[str, str]) -> dict[str, object]:
    """Return the values of the page that shows no enquiry and says why."""
    return {
        **_NOTHING,
        **credentials,
        "heading": "Your enquiry",
        "lead": "We could not show your enquiry. Please try again below.",
        "is_searched": True,
        "problems": listed_problems(problems, {}),
        ERROR_TITLE: "Error: ",
    }


def deleted_values() -> dict[str, object]:
    """Return the values of the page once an enquiry is deleted."""
    return {
        **_NOTHING,
        "heading": "Your enquiry has been deleted",
        "lead": "We no longer hold any of it.",
        "is_deleted": True,
    }
