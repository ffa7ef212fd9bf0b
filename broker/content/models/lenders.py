"""Texts of lenders (specification 2 and 3, "Lender page").

A text is for all lenders of a kind: it has `{lender}` for the name, which `named` fills in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from html import escape

from broker.content.models.pictures import SafeHtml

NAME = "{lender}"
"""Placeholder of the lender's name."""

VIEW_ALL = "/tools/rates/"
"""Default target of the "view all" link (specification 2)."""


class LenderKind(StrEnum):
    """Kinds of lender with a text of their own; the last kind lends on let property only."""

    BANK = "bank"
    BUILDING_SOCIETY = "building-society"
    SPECIALIST = "specialist"
    BUY_TO_LET = "buy-to-let"


class RateDisplay(StrEnum):
    """Content of the rates area of a lender page: its three best deals, or a button for each customer type."""

    TOP_3 = "top3"
    BUTTONS = "buttons"


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderSection:
    """A detail section; `anchor` is the id of its heading, the same for every lender. Both may be empty."""

    heading: str
    anchor: str
    html: SafeHtml
    cta_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LtvText:
    """Description and call to action of the rate table of a loan to value, in whole percent."""

    ltv: int
    description: str
    cta_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderText:
    """Text of a lender page; `name` and `lender_id`, its id in the feed, are set for a text of one lender.

    An empty `fixed_section_content` leaves the usual side block; `small_desc` is a sentence that fits a meta
    description; `view_all_link` is a path of this site.
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
    """Customer types that the page offers searches for (specification 3, rates_show); empty for the default ones."""
    labels: tuple[tuple[str, str], ...] = ()
    """Button labels by customer type, where the content has them."""
    name: str = ""
    lender_id: int = 0

    def named(self, name: str) -> LenderText:
        """Return this text with a lender's name filled in, escaped in HTML."""
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
        """Return the button label of a customer type; empty for the default one."""
        return dict(self.labels).get(customer, "")

    def table(self, ltv: int) -> LtvText | None:
        return next((table for table in self.rates_tables if table.ltv == ltv), None)


def _named(html: SafeHtml, escaped_name: str) -> SafeHtml:
    return SafeHtml(html.replace(NAME, escaped_name))
