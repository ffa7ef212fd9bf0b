"""The filters of a search, by lender and by highest fees: their options, and how a page says that they are on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from broker.domain.money import pounds
from broker.domain.rates.customers import default_query
from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.query import RatesQuery

LENDER, MAX_FEES = "lender", "fees"
"""The parameters of the page's address: a lender's id, and pounds."""

FEES_OFFERED = (500, 1_000, 1_500, 2_000)
"""The highest fees that a visitor may choose, in pounds."""

FEES_OPTIONS = (("", "Any"), *((str(most), f"Up to {pounds(most)}") for most in FEES_OFFERED))
"""Each value of the parameter with its words; the first filters nothing."""

_MAX_ID_LENGTH = 9


def offered_lenders(customer: str, lenders: Iterable[KnownLender]) -> dict[int, str]:
    """Return the names of the lenders that a customer type may choose, by id, in the order of the alphabet.

    They are those that lend on its kind of property; the general search has both kinds.
    """
    residential = default_query(customer).residential
    return {
        lender.lender_id: lender.name
        for lender in sorted(lenders, key=lambda lender: lender.name.casefold())
        if not customer or (lender.residential if residential else lender.buy_to_let)
    }


def is_lender(value: str) -> bool:
    """Tell whether a text may be a lender's id, or is the empty one that stands for any lender."""
    return not value or (value.isascii() and value.isdigit() and len(value) <= _MAX_ID_LENGTH and value[0] != "0")


def known_lender(given: Mapping[str, object], names: Mapping[int, str]) -> dict[str, object]:
    """Return what was given, without a lender that is not offered; `names` maps the id of each that is to its name."""
    asked = given.get(LENDER)
    known = isinstance(asked, str) and is_lender(asked) and (not asked or int(asked) in names)
    return {name: value for name, value in given.items() if name != LENDER or known}


def filters_words(query: RatesQuery, names: Mapping[int, str]) -> str:
    """Say which filters are on: `from Halifax, with fees up to £1,000`; empty where none is."""
    lender = f"from {names.get(query.lender_id, 'one lender')}" if query.lender_id is not None else ""
    fees = f"with fees up to {pounds(query.most_fees)}" if query.most_fees is not None else ""
    return ", ".join(words for words in (lender, fees) if words)


def unfiltered(query: RatesQuery) -> RatesQuery:
    """Return the search without its filters."""
    return replace(query, lender_id=None, most_fees=None)
