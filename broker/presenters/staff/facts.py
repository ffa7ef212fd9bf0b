"""Facts for staff, and a tag that sums them up."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that is known, and what it says."""

    label: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Facts under a tag that sums them up."""

    tag: str = ""
    tone: str = ""
    facts: tuple[Fact, ...] = ()


NOT_KNOWN = Standing()
