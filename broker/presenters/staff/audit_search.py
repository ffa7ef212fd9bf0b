"""Filters of the audit record, in the page's address: nothing in them is personal."""

from collections.abc import Mapping, Sequence

from broker import routes
from broker.domain.enquiries.contact_details import parse_word, single_line
from broker.domain.staff.audit import COMMAND_LINE, MAX_ACTOR_LENGTH, MAX_SUBJECT_LENGTH, UNKNOWN_ACTOR, VISITOR
from broker.domain.staff.audit_search import ActKind, AuditFilter

WHO, ABOUT, KIND, BEFORE = "who", "about", "kind", "before"
"""The names of what is asked for."""

NAMED: Mapping[str, str] = {UNKNOWN_ACTOR: "Somebody unknown", COMMAND_LINE: "The command line", VISITOR: "The visitor"}
"""Who is not an account, as people say it."""

KINDS = (
    ("", "Everything"),
    (ActKind.ENQUIRIES.value, "Enquiries"),
    (ActKind.LOGOS.value, "Logos"),
    (ActKind.SOURCES.value, "Sources read again"),
    (ActKind.SIGN_INS.value, "Signing in and out"),
    (ActKind.FAILURES.value, "Failures to sign in"),
    (ActKind.ACCOUNTS.value, "Accounts"),
)
"""The choices of the form, each value with its words."""


def filter_in(parameters: Mapping[str, object]) -> AuditFilter:
    """Return what an address asks for; what makes no sense is left out."""
    before = parameters.get(BEFORE)
    is_number = isinstance(before, str) and before.isascii() and before.isdigit() and len(before) < 16
    return AuditFilter(
        who=single_line(parameters.get(WHO), MAX_ACTOR_LENGTH) or "",
        about=single_line(parameters.get(ABOUT), MAX_SUBJECT_LENGTH) or "",
        kind=parse_word(parameters.get(KIND), ActKind),
        before=int(str(before)) if is_number else 0,
    )


def address_of(wanted: AuditFilter) -> str:
    parameters = {
        WHO: wanted.who,
        ABOUT: wanted.about,
        KIND: wanted.kind or "",
        BEFORE: str(wanted.before) if wanted.before else "",
    }
    return routes.with_query(routes.STAFF_RECORD, {name: str(value) for name, value in parameters.items() if value})


def form_of(wanted: AuditFilter) -> dict[str, str]:
    return {WHO: wanted.who, ABOUT: wanted.about, KIND: wanted.kind or ""}


def who_choices(names: Sequence[str], chosen: str) -> list[tuple[str, str]]:
    """Return everybody to choose from, whoever is asked for among them."""
    known = [*names, *([chosen] if chosen and chosen not in names else [])]
    return [("", "Anybody"), *((name, NAMED.get(name, name)) for name in known)]
