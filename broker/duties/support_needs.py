"""Support needs of a person: what makes a call easier for them, asked once, optional, with consent (FG21/1).

The need is recorded, never its reason: "large print", not a diagnosis.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum

from broker.enquiries.contact_details import Problem, parse_word, problems_of, single_line
from broker.staff.audit import VISITOR

MAX_WORDS = 200
"""Characters of a need in words."""

SMALL = 5
"""Counts of people below this are not shown."""

QUESTION = "Is there anything that would make a call easier for you?"
CONSENT_VERSION = "2026-11"
CONSENT_WORDS = "You may keep this and show it to whoever calls me. I can ask you to delete it at any time."
"""The wording that is agreed to, and its version."""

TO_AGREE = "We keep this only if you agree: tick the box, or leave the question empty"
TO_ASK = "Ask whether they agree, and tick the box: it is kept only then"
"""What a visitor and staff are told where nobody agreed."""

NEEDS, NEEDS_WORDS, AGREED = "needs", "needs_words", "needs_agreed"
"""Names of fields in forms and problems."""


class Need(StrEnum):
    IN_WRITING = "in-writing"
    LARGE_PRINT = "large-print"
    MORE_TIME = "more-time"
    SOMEBODY = "somebody"
    INTERPRETER = "interpreter"
    TIMES = "times"
    OTHER = "other"


NEED_WORDS: Mapping[Need, str] = {
    Need.IN_WRITING: "Everything in writing afterwards",
    Need.LARGE_PRINT: "Large print",
    Need.MORE_TIME: "More time, one thing after the other",
    Need.SOMEBODY: "Somebody else on the call",
    Need.INTERPRETER: "An interpreter or a relay service",
    Need.TIMES: "Calls at certain times only",
    Need.OTHER: "Something else",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportNeeds:
    """Needs with the wording agreed to, when, and who recorded them: an account, or the visitor."""

    needs: tuple[Need, ...]
    words: str
    consent: str
    at: datetime
    who: str

    @property
    def sentence(self) -> str:
        """Return the needs in words: `Large print; calls in the morning`."""
        listed = [NEED_WORDS[need] for need in self.needs if need is not Need.OTHER or not self.words]
        return "; ".join([*listed, *([self.words] if self.words else [])])


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseNeeds:
    """The needs of a case, None for none, and the version of the case that they were read from."""

    version: int
    needs: SupportNeeds | None


def parse_needs(given: Mapping[str, object], *, at: datetime, who: str) -> SupportNeeds | tuple[Problem, ...] | None:
    """Return the needs of a form, the problem of each invalid field, or None where nothing was said."""
    typed = given.get(NEEDS)
    listed = [typed] if isinstance(typed, str) else list(typed) if isinstance(typed, list | tuple) else []
    ticked = [need.value for need in Need if given.get(f"{NEEDS}-{need}") in ("on", "true", True)]
    needs = tuple(need for need in Need if any(parse_word(each, Need) is need for each in (*listed, *ticked)))
    words = single_line(given.get(NEEDS_WORDS), MAX_WORDS)
    if not needs and words == "":
        return None
    agreed = given.get(AGREED) in ("on", "yes", "true", True)
    reasons = {
        NEEDS_WORDS: f"Write at most {MAX_WORDS} characters" if words is None else "",
        AGREED: "" if agreed else TO_AGREE if who == VISITOR else TO_ASK,
    }
    if problems := problems_of(reasons):
        return problems
    return SupportNeeds(needs=needs or (Need.OTHER,), words=words or "", consent=CONSENT_VERSION, at=at, who=who)


def write_needs(needs: SupportNeeds) -> str:
    """Return needs as the JSON text that is stored, encrypted."""
    return json.dumps({**asdict(needs), "at": needs.at.isoformat()}, ensure_ascii=False)


def read_needs(text: str) -> SupportNeeds | None:
    """Return the needs of a stored text, None for an empty one."""
    if not text:
        return None
    held = json.loads(text)
    needs, at = tuple(map(Need, held["needs"])), datetime.fromisoformat(held["at"])
    return SupportNeeds(**{**held, "needs": needs, "at": at})


def count_needs(found: Iterable[SupportNeeds]) -> tuple[tuple[str, str], ...]:
    """Return each kind in words with how many people have it; small counts are not given."""
    counted = Counter(need for each in found for need in each.needs)
    return tuple((NEED_WORDS[need], _shown(counted[need])) for need in Need)


def _shown(count: int) -> str:
    if count >= SMALL:
        return str(count)
    return f"fewer than {SMALL}" if count else "0"
