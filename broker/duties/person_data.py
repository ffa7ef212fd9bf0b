"""A person's data: how a person is found, and what of it a deletion keeps, until when and why.

A person is found by telephone numbers and email addresses. Advice is kept for three years (MCOB 4.7A.25R), a complaint
for three years from receipt (DISP 1.9), and the hash of an address to which no mail may be sent for as long as the
outbox needs it; each is an exception of Article 17(3) of the UK GDPR or holds no name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from broker.cases.case import Stage
from broker.enquiries.contact_details import (
    MAX_EMAIL,
    MAX_NAME,
    Problem,
    email_problem,
    problems_of,
    single_line,
    uk_format,
    uk_telephone,
)

MAX_WANTED = 10
"""Telephone numbers and email addresses of one search."""


class Kind(StrEnum):
    """What is held of a person."""

    ENQUIRIES = "enquiries"
    NOTES = "notes"
    MAILS = "mails"
    APPOINTMENTS = "appointments"
    WATCHES = "watches"
    COMPLAINTS = "complaints"
    ADVICE = "advice"
    REQUESTS = "requests"
    SUPPRESSED = "suppressed"
    RECORD = "record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How a person is found: telephone numbers of +44 and digits, and email addresses."""

    telephones: frozenset[str] = frozenset()
    emails: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.telephones or self.emails)

    def covers(self, telephone: str, email: str) -> bool:
        """Return whether somebody with a telephone number and an email address is the one, in any case of letters."""
        return telephone in self.telephones or folded(email) in set(map(folded, self.emails))

    @property
    def words(self) -> tuple[str, ...]:
        """Return them as they are written, telephone numbers first."""
        return (*sorted(map(uk_format, self.telephones)), *sorted(self.emails))


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Records of a kind: how many, which, and what a deletion keeps of them (`until` None for without a date)."""

    kind: Kind
    count: int
    which: str = ""
    is_kept: bool = False
    until: date | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """What is held under telephone numbers and email addresses.

    `also` are others found in the same records, which were not searched for. `records` are the rows by table, their
    encrypted columns as they were before encryption; `found_at` is when. `under_way` are the open cases that are with a
    lender, from the application to the exchange of contracts, each with its stage.
    """

    wanted: Wanted
    found_at: datetime
    names: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    under_way: tuple[tuple[str, Stage], ...] = ()
    held: tuple[Held, ...] = ()
    records: Mapping[str, tuple[Mapping[str, object], ...]] = field(default_factory=dict, repr=False)

    @property
    def deleted(self) -> int:
        """Return how many records a deletion deletes."""
        return sum(each.count for each in self.held if not each.is_kept)

    @property
    def kept(self) -> int:
        """Return how many records a deletion keeps."""
        return sum(each.count for each in self.held if each.is_kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """New values of a person's name, telephone number and email address; an empty one stays as it is."""

    name: str = ""
    telephone: str = ""
    email: str = ""


class RequestKind(StrEnum):
    """What a person asks for: a copy, a correction, or deletion."""

    COPY = "copy"
    CORRECTION = "correction"
    DELETION = "deletion"


REQUESTS: Mapping[RequestKind, str] = {
    RequestKind.COPY: "A copy of their data (Article 15)",
    RequestKind.CORRECTION: "A correction (Article 16)",
    RequestKind.DELETION: "Deletion (Article 17)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRequest:
    """A request, to be answered by `due`; `words` are what the person is found by, none once their data are deleted."""

    id: int
    kind: RequestKind
    asked: date
    due: date
    done: date | None
    words: tuple[str, ...]
    who: str


def folded(email: str) -> str:
    """Return an email address as it is compared."""
    return email.strip().casefold()


def parse_wanted(text: object) -> Wanted:
    """Return the telephone numbers and email addresses in a text, separated by commas or line ends; none for others."""
    typed = text if isinstance(text, str) else ""
    parts = [part.strip() for part in typed[:2_000].replace("\n", ",").replace(";", ",").split(",")][:MAX_WANTED]
    telephones = {uk_telephone(part)[0] for part in parts if "@" not in part}
    emails = {
        known for part in parts if "@" in part and (known := single_line(part, MAX_EMAIL)) and not email_problem(known)
    }
    return Wanted(telephones=frozenset(telephones - {""}), emails=frozenset(emails))


def parse_correction(given: Mapping[str, object]) -> Correction | tuple[Problem, ...]:
    """Return the correction of a form, or the problem of each invalid field."""
    name, email = single_line(given.get("name"), MAX_NAME), single_line(given.get("email"), MAX_EMAIL)
    typed, telephone = given.get("telephone"), uk_telephone(given.get("telephone"))[0]
    reasons = {
        "name": f"Enter at most {MAX_NAME} characters" if name is None else "",
        "telephone": "Enter a UK telephone number, or leave it empty" if typed and not telephone else "",
        "email": email_problem(email),
    }
    if not any(reasons.values()) and not (name or telephone or email):
        reasons = {"name": "Enter what is to be corrected"}
    return problems_of(reasons) or Correction(name=name or "", telephone=telephone, email=email or "")
