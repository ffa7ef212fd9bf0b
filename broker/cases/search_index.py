"""Search of cases in memory: reference, name, telephone, email, and words of messages and notes.

It holds personal data in plain text, so it is only ever in the memory of a process that has the keys.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from broker.enquiries.contact_details import ContactDetails
from broker.site_search.index import without_accents

MAX_SEARCH_LENGTH = 100
"""Characters of a search that are read."""

_MIN_DIGITS = 3
"""Digits from which a number may be a part of a telephone number."""

_APOSTROPHES = str.maketrans("", "", "'’‘`´ʼ")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchText:
    """What a case is found by: its folded words, a line for each field, and the digits of its telephone number.

    `digits` has no leading zeros and no British country code, and is empty without a number. `name` and `action`, the
    next action, are what the list is sorted by; both are folded.
    """

    words: str
    digits: str = ""
    name: str = ""
    action: str = ""


def folded(text: str) -> str:
    """Return a text without case, accents and apostrophes: `O’Brién` is `obrien`."""
    return without_accents(text.translate(_APOSTROPHES)).translate(_APOSTROPHES)


def search_text(
    reference: str, contact: ContactDetails | None, *, message: str = "", notes: Iterable[str] = (), action: str = ""
) -> SearchText:
    """Return what a case is found by; only its reference where its contact cannot be decrypted."""
    if contact is None:
        return SearchText(words=folded(reference))
    held = (reference, contact.name, contact.email, message, *notes)
    return SearchText(
        words=folded("\n".join(held)),
        digits=_significant(contact.telephone),
        name=folded(contact.name),
        action=folded(action),
    )


class SearchIndex:
    """The texts of cases by the id of their row; a case that was merged is found as the one it was merged into."""

    def __init__(self) -> None:
        self._texts: dict[int, SearchText] = {}
        self._merged: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, case_id: int) -> bool:
        return case_id in self._texts

    def put(self, case_id: int, text: SearchText, *, merged_into: int | None = None) -> None:
        self._texts[case_id] = text
        if merged_into is None:
            self._merged.pop(case_id, None)
        else:
            self._merged[case_id] = merged_into

    def keep(self, case_ids: Iterable[int]) -> None:
        """Drop every case but these."""
        kept = frozenset(case_ids)
        for gone in [each for each in self._texts if each not in kept]:
            self.drop(gone)

    def drop(self, case_id: int) -> None:
        self._texts.pop(case_id, None)
        self._merged.pop(case_id, None)

    def in_order(self, case_ids: Iterable[int], by: Literal["name", "action"], *, descending: bool) -> list[int]:
        """Return ids by the name or the next action of their cases, empty ones last, the newest of equal ones first."""
        keyed = {each: getattr(self._texts[each], by) if each in self._texts else "" for each in case_ids}
        newest_first = sorted(keyed, reverse=True)
        filled = [each for each in newest_first if keyed[each]]
        filled.sort(key=keyed.__getitem__, reverse=descending)
        return filled + [each for each in newest_first if not keyed[each]]

    def find(self, text: str) -> frozenset[int]:
        """Return the ids of the cases that have every word of a text, or the telephone number that it is."""
        sought = text[:MAX_SEARCH_LENGTH]
        words, number = folded(sought).split(), _telephone_digits(sought)
        if not words:
            return frozenset()
        found = (
            self._merged.get(case_id, case_id)
            for case_id, held in tuple(self._texts.items())
            if (number and number in held.digits) or all(word in held.words for word in words)
        )
        return frozenset(found)


def _telephone_digits(text: str) -> str:
    """Return the digits of a text that may be a part of a telephone number, in any spelling; else empty."""
    if any(sign.isalpha() for sign in text) or sum(sign.isdigit() for sign in text) < _MIN_DIGITS:
        return ""
    return _significant(text)


def _significant(telephone: str) -> str:
    """Return the digits of a number without trunk prefix and British country code: `+44 (0)7700` is `7700`."""
    digits = "".join(str(int(sign)) for sign in telephone if sign.isdecimal())
    international = digits.removeprefix("00") if digits.startswith("00") else digits
    return international.removeprefix("44").lstrip("0")
