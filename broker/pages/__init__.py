"""The pages of the site, one module a family; `all_pages` joins them."""

from __future__ import annotations

from broker.pages import (
    calculators,
    content,
    deals,
    guides,
    home,
    lenders,
    not_found,
    questionnaire,
    rates,
    search,
    services,
    site_map,
    staff_desk,
    staff_enquiries,
    staff_lenders,
    test_sheet,
    thank_you,
    towns,
    your_enquiry,
)
from broker.pages.registry import BuildInputs, Page, joined


def all_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return every page of the site; raises DuplicateRouteError."""
    families = (
        home,
        calculators,
        rates,
        services,
        deals,
        lenders,
        guides,
        towns,
        site_map,
        search,
        content,
        thank_you,
        your_enquiry,
        questionnaire,
        staff_desk,
        staff_enquiries,
        staff_lenders,
        test_sheet,
        not_found,
    )
    return joined(*(family.pages(inputs) for family in families))
