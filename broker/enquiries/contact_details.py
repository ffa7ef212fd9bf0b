"""Contact details: a name, a UK telephone number, an optional email address, and when to call (decision 30).

Form input is untrusted: an invalid field becomes a `Problem`. Invisible characters (control characters, direction marks
and surrogates) are removed.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

NAME, TELEPHONE, EMAIL, WHEN = "name", "telephone", "email", "when"
"""Names of fields in forms and problems."""

MAX_NAME, MAX_EMAIL = 100, 254
_MAX_TELEPHONE, _MAX_LOCAL_PART = 40, 64
"""Characters."""

_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}
_BREAKS = dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n") | {"\t": " "}

_UK = re.compile(r"(?:(?:\+|00)?44(?:0)?|0)(1[0-9]{8,9}|[23578][0-9]{9}|800[0-9]{6}|500[0-9]{6})")
_EXTENSION = re.compile(r"(.*[0-9])[\s,;(]*(?:extension|extn|ext|x|#)[\s.:=]*([0-9]{1,6})\)?", re.IGNORECASE)
_SPOKEN = (r"(02[0-9])([0-9]{4})([0-9]{4})", r"(011[0-9]|01[0-9]1|0[358][0-9]{2})([0-9]{3})([0-9]{3,4})")
_LOCAL = re.compile(r"""[^\s@<>()\[\]\\,;:"]+""")
_DOMAIN = re.compile(r"[^\W_](?:[^\W_]|-)*")
_LINK = re.compile(r"://|www\.", re.IGNORECASE)

Word = TypeVar("Word", bound=StrEnum)


class CallTime(StrEnum):
    """The preferred time of a call, within office hours."""

    ANY = "any"
    MORNING = "morning"
    AFTERNOON = "afternoon"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An invalid field, with an error message for the visitor."""

    field: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactDetails:
    """Valid contact details: the telephone number is +44 and digits; its extension and the email may be empty."""

    name: str
    telephone: str
    email: str = ""
    when: CallTime = CallTime.ANY
    extension: str = ""

    @property
    def telephone_shown(self) -> str:
        """Return the number in UK format: `020 7946 0123`, `020 7946 0123 ext. 45`."""
        return " ".join((uk_format(self.telephone), *(("ext.", self.extension) if self.extension else ())))


def uk_format(telephone: str) -> str:
    """Return a number of +44 and digits as it is written in the UK: `020 7946 0123`."""
    national = "0" + telephone.removeprefix("+44")
    found = (re.fullmatch(pattern, national) for pattern in _SPOKEN)
    return " ".join(next((each.groups() for each in found if each), (national[:5], national[5:])))


def parse_contact_details(given: Mapping[str, object], *, whose: str = "your") -> ContactDetails | tuple[Problem, ...]:
    """Return valid contact details, or the problem of each invalid field.

    `whose` stands before "name" in a problem: staff enter the details of somebody else.
    """
    name, email = single_line(given.get(NAME), MAX_NAME), single_line(given.get(EMAIL), MAX_EMAIL)
    (telephone, extension), when = uk_telephone(given.get(TELEPHONE)), given.get(WHEN) or CallTime.ANY
    reasons = {
        NAME: _name_problem(name, whose),
        TELEPHONE: "" if telephone else "Enter a UK telephone number, for example 07700 900123",
        EMAIL: email_problem(email),
        WHEN: "" if parse_word(when, CallTime) else "Choose one of the times to call",
    }
    if problems := problems_of(reasons):
        return problems
    local, at, domain = (email or "").rpartition("@")
    return ContactDetails(
        name=name or "",
        telephone=telephone,
        email=f"{local}{at}{domain.lower()}",
        when=parse_word(when, CallTime) or CallTime.ANY,
        extension=extension,
    )


def problems_of(reasons: Mapping[str, str]) -> tuple[Problem, ...]:
    """Return the problems of a form from the reason of each field, empty for a good one."""
    return tuple(Problem(field=field, reason=reason) for field, reason in reasons.items() if reason)


def _name_problem(name: str | None, whose: str) -> str:
    """Return the error message for a name from `single_line`, empty for a good one."""
    if name is None:
        return f"Enter {whose} name in at most {MAX_NAME} characters"
    if _LINK.search(name):
        return f"Enter {whose} name, without a link"
    return "" if any(character.isalpha() for character in name) else f"Enter {whose} name"


def email_problem(email: str | None) -> str:
    """Return the error message for an email address from `single_line`, empty for a good one or for none."""
    if email is None:
        return f"Enter an email address of at most {MAX_EMAIL} characters"
    local, _, domain = email.rpartition("@")
    parts = domain.split(".")
    fits = (
        _LOCAL.fullmatch(local)
        and len(local) <= _MAX_LOCAL_PART
        and "" not in local.split(".")
        and len(parts) > 1
        and all(_DOMAIN.fullmatch(part) and not part.endswith("-") for part in parts)
        and len(parts[-1]) > 1
    )
    return "" if fits or not email else "Enter an email address like name@example.com, or leave it empty"


def uk_telephone(value: object) -> tuple[str, str]:
    """Return a UK telephone number as +44 and digits, and its extension; both empty for anything else.

    Spaces, brackets, dots and dashes are ignored; `+44`, `0044`, `44` and `+44 (0)` replace the 0. Premium-rate numbers
    (09) are refused.
    """
    text = unicodedata.normalize("NFKC", single_line(value, _MAX_TELEPHONE) or "")
    number, extension = parts.groups() if (parts := _EXTENSION.fullmatch(text)) else (text, "")
    found = _UK.fullmatch(re.sub(r"[\s().\-‐‑–—/]", "", number))
    return (f"+44{found[1]}", extension) if found else ("", "")


def single_line(value: object, most: int) -> str | None:
    """Return a text as one line without invisible characters; None if it is too long, empty if it is no text."""
    text = visible_text(value, most)
    return None if text is None else " ".join(text.split())


def visible_text(value: object, most: int) -> str | None:
    """Return a text without invisible characters, with uniform line breaks; None if it is too long."""
    text = value if isinstance(value, str) else ""
    if len(text) > 4 * most:
        return None
    plain = unicodedata.normalize("NFC", text.replace("\r\n", "\n"))
    if not plain.isprintable():
        kept = (_BREAKS.get(each, each) for each in plain)
        plain = "".join(each for each in kept if each == "\n" or unicodedata.category(each) not in _INVISIBLE)
    shown = plain.strip()
    return shown if len(shown) <= most else None


def isolated(name: str) -> str:
    """Return a name for a sentence, whose words it leaves in their order if it is written from right to left.

    The signs around it are those of an isolate (UAX 9). A name has none itself: `single_line` removes them.
    """
    return "\u2068" + name + "\u2069"


def parse_word(value: object, kind: type[Word]) -> Word | None:
    """Return a member of an enumeration by its value, or None."""
    return kind(value) if isinstance(value, str) and value in set(kind) else None
