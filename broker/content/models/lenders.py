"""What the site says of lenders and kinds of deal beside their figures (specification 2 and 3, "Lender page").

Every `html` field is safe to draw as it is. A text is written for all lenders of a kind and has `{lender}` where the
name goes; `named` puts it there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from html import escape

from broker.content.models.pages import Faq
from broker.content.models.safe_html import SafeHtml

NAME = "{lender}"
"""What stands for the lender's name in a text."""


class LenderKind(StrEnum):
    """The kinds of lender that have a text; the last are those that lend on let property only."""

    BANK = "bank"
    BUILDING_SOCIETY = "building-society"
    SPECIALIST = "specialist"
    BUY_TO_LET = "buy-to-let"


class RateDisplay(StrEnum):
    """What stands in the rates area of a lender page: its three best deals, or a button a customer type."""

    TOP_3 = "top3"
    BUTTONS = "buttons"


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderSection:
    """A detail section: `anchor` is the id for its heading, the same for every lender; both are empty without one."""

    heading: str
    anchor: str
    html: SafeHtml
    cta_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LtvText:
    """What stands above the rate table of a loan to value, in whole percent, and on its call to action."""

    ltv: int
    description: str
    cta_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderText:
    """The words of a lender page; `name` and `lender_id`, its id in the feed, where they are of one lender alone.

    `banner_content` and `fixed_section_content` are html, the latter empty where the side has its usual block;
    `small_desc` is one plain sentence that fits a meta description; `view_all_link` is a path of ours.
    """

    updated: date
    banner_content: SafeHtml
    small_desc: str
    rate_display_preference: RateDisplay
    calculators: tuple[str, ...]
    fixed_section_content: SafeHtml
    details: tuple[LenderSection, ...]
    rates_tables: tuple[LtvText, ...]
    view_all_link: str
    customers: tuple[str, ...] = ()
    """The customer types that the page offers searches for (specification 3, rates_show); none for the usual ones."""
    labels: tuple[tuple[str, str], ...] = ()
    """Customer types with what their button says, where the content has words for it."""
    name: str = ""
    lender_id: int = 0

    def named(self, name: str) -> LenderText:
        """Return these words for one lender, its name escaped wherever it stands in html."""
        in_html = escape(name)
        return replace(
            self,
            banner_content=_named(self.banner_content, in_html),
            small_desc=self.small_desc.replace(NAME, name),
            fixed_section_content=_named(self.fixed_section_content, in_html),
            details=tuple(
                replace(
                    section,
                    heading=section.heading.replace(NAME, name),
                    html=_named(section.html, in_html),
                    cta_text=section.cta_text.replace(NAME, name),
                )
                for section in self.details
            ),
            rates_tables=tuple(
                replace(
                    table,
                    description=table.description.replace(NAME, name),
                    cta_text=table.cta_text.replace(NAME, name),
                )
                for table in self.rates_tables
            ),
        )

    def label(self, customer: str) -> str:
        """Return what the button of a customer type says; empty where the content has no words for it."""
        return dict(self.labels).get(customer, "")

    def table(self, ltv: int) -> LtvText | None:
        """Return what stands above the rate table of a loan to value in percent, or None where nothing does."""
        return next((table for table in self.rates_tables if table.ltv == ltv), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTypeText:
    """Whom a kind of deal suits and what its risk is: `slug` is that of its `DealType`, `title` is `2-year fixed`."""

    slug: str
    title: str
    html: SafeHtml
    faq: Faq
    updated: date


def _named(html: SafeHtml, escaped_name: str) -> SafeHtml:
    return SafeHtml(html.replace(NAME, escaped_name))
