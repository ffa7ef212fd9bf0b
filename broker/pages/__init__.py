"""The pages of the site, one module a family; `all_pages` joins them."""

from __future__ import annotations

from broker.pages import calculators, questionnaire, thank_you, your_enquiry
from broker.pages.articles import guides, services, text_pages, towns
from broker.pages.rates import deals, lenders
from broker.pages.rates import search as rates_search
from broker.pages.registry import BuildInputs, Page, joined
from broker.pages.site import home, not_found, search, site_map, test_sheet
from broker.pages.staff import enquiries, overview
from broker.pages.staff import lenders as staff_lenders


def all_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return every page of the site; raises DuplicateRouteError."""
    families = (
        home,
        calculators,
        rates_search,
        services,
        deals,
        lenders,
        guides,
        towns,
        site_map,
        search,
        text_pages,
        thank_you,
        your_enquiry,
        questionnaire,
        overview,
        enquiries,
        staff_lenders,
        test_sheet,
        not_found,
    )
    return joined(*(family.pages(inputs) for family in families))
