"""The glossary: terms of the mortgage trade, each with a plain definition."""

from dataclasses import dataclass, field

from broker.content.models.pages import PageMeta

LINKED_TERMS = {
    "aprc": "APRC",
    "erc": "early repayment charge",
    "follow-on-rate": "follow-on rate",
    "ltv": "loan to value",
    "product-fee": "product fee",
    "rental-cover": "rental cover",
    "svr": "standard variable rate",
}
"""Slugs of terms that the program links to, which every glossary has, and their words in a sentence."""

MAX_DEFINITION = 320
"""Maximum characters of a definition, which must fit a small screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """An entry of the glossary: `slug` is its anchor, `see` the path of a guide or calculator, empty for none.

    `forms` are the spellings that texts use, plurals included: one in lower case is found in any case, any other as it
    is written. A longer phrase of `exceptions` means something else.
    """

    slug: str
    title: str
    forms: tuple[str, ...]
    text: str
    exceptions: tuple[str, ...] = ()
    see: str = ""
    line: int = field(default=0, compare=False)
    """Its line in the file, for faults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Glossary(PageMeta):
    """The words of the glossary's page, and its terms in the order of their titles."""

    terms: tuple[Term, ...]
