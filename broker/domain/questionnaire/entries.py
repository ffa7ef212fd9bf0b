"""Where in the flow a visitor begins, by the page they come from (specification 4, decision 28)."""

from __future__ import annotations

from broker.domain.questionnaire.flow import START

ENTRIES: dict[str, str] = {
    "first-time-buyer": "q96",
    "home-mover": "q66",
    "buy-to-let": "q97",
    "buy-to-let-remortgage": "q3",
    "buy-to-let-purchase": "q33",
    "remortgaging": "q2",
    "purchase": "q32",
    "residential-purchase": "q52",
    "contractor-mortgage": START,
    "self-employed": START,
}
"""The first step by service or customer type; `purchase` and `residential-purchase` are for links of their own.

Contractors and the self-employed may remortgage as well as buy, so they begin with the first question.
"""

ENTRY_STEPS = tuple(dict.fromkeys((START, *ENTRIES.values())))
"""Every step at which a visitor may begin."""


def entry_for(slug: str) -> str:
    """Return the step that a service's or customer type's pages begin with; the first one for any other."""
    return ENTRIES.get(slug, START)
