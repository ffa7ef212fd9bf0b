"""The first step of a journey, by the page that links to the questionnaire (specification 4, decision 28)."""

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
"""The first step by service or customer type; `purchase` and `residential-purchase` have links of their own.

Contractors and the self-employed may remortgage or buy, so they start at the first question.
"""

ENTRY_STEPS = tuple(dict.fromkeys((START, *ENTRIES.values())))
"""Every possible first step."""
