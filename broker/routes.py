"""Every path of the site, once: constants, builders and the redirect table.

Canonical paths end in a slash (decision 1).
"""

from __future__ import annotations

from urllib.parse import urlencode

HOME = "/"
CALCULATORS = "/tools/calculators/"
RATES = "/tools/rates/"
GUIDES = "/tools/mortgage-guides/"
FAQS = "/tools/mortgage-faqs/"
LOCAL = "/mortgage-broker-near-me/"
LENDERS = "/lenders/"
SITE_MAP = "/sitemap/"
SEARCH = "/search/"
CONTACT = "/contact/"
SUBMIT_FORM = "/#doors"
"""Where "Submit the form" leads: the home page (specification 2), at the question of which door is yours."""
ABOUT = "/about-us/"
USEFUL = "/useful-information/"
REVIEWS = "/client-reviews/"
JOIN = "/join-us/"
PRIVACY = "/privacy-notice/"
COOKIES = "/cookie-policy/"
COMPLAINTS = "/complaints-procedure/"
TERMS = "/terms-of-business/"
ACCESSIBILITY = "/accessibility/"
QUESTIONNAIRE = "/questionnaire/"
THANK_YOU = "/thankyou/"
TEST = "/test/"
HOME2 = "/home2/"
UPDATE_LENDERS = "/updateLenders/"
NOT_FOUND = "/not-found/"

GUIDE_PAGES = "/mortgage-guides/"
"""Where every guide lives."""

COOKIE_NOTICE = "/cookie-notice/accept"
"""Where the cookie notice posts to without scripts."""

RATES_CSV = "/rates.csv"
"""The list of a rates search as a file."""

STRIPPED_PREFIXES = ("/promotion/", "/api/")
"""Prefixes of the content service that no page of ours keeps (decision 2)."""

RENAMED_GUIDES = {
    "should-i-remortgage-with-the-same-lender": "should-i-remortgage-with-same-lender",
    "is-a-35-year-mortgage-normal": "is-a-35-years-mortgage-normal",
    "no-fee-mortgage-broker": "no-fees-mortgage-broker",
}
"""Earlier slugs of three guides, and the slugs they live at (decision 5)."""

CANONICAL = {
    "/home/": HOME,
    "/rates/": RATES,
    "/calculators/": CALCULATORS,
    "/mortgage-faqs/": FAQS,
    "/mortgage-guide-home/": GUIDES,
    "/mortgage-guides/": GUIDES,
    "/local-mortgage-broker/": LOCAL,
}
"""Menu paths that have their page elsewhere (decisions 2 and 3)."""

WITHOUT_DEALS = ("protection-needs", "contractor-mortgage", "self-employed")
"""Services that are no customer type (specification 3): their deals are those of the general search."""


def service(slug: str) -> str:
    """Return the page of a service."""
    return f"/{slug}/"


def deals(customer: str) -> str:
    """Return the deals page of a customer type; the general search for an empty one."""
    return f"/{customer}/rates/" if customer else RATES


def guides(slug: str) -> str:
    """Return the list of guides of a service."""
    return f"/{slug}/guides/"


def guide(slug: str) -> str:
    """Return the page of a guide."""
    return f"{GUIDE_PAGES}{slug}/"


def guide_slug(path: str) -> str:
    """Return the last part of a guide's address, with a slash behind it or not; empty for any other path."""
    return path.removeprefix(GUIDE_PAGES).removesuffix("/") if path.startswith(GUIDE_PAGES) else ""


def unfilled(name: str) -> str:
    """Return the slug of a page that the edge fills with a guide published after the build; `name` tells which."""
    return f"unfilled-{name}"


def is_unfilled(path: str) -> bool:
    """Tell whether a path is that of an exported page which the edge fills; nobody sees such a page as it is."""
    return guide_slug(path).startswith(unfilled(""))


def town(slug: str) -> str:
    """Return the page of a town."""
    return f"/mortgage-broker-{slug}/"


def lender(slug: str) -> str:
    """Return the page of a lender."""
    return f"/lenders/{slug}/"


def lender_product(slug: str, rate_type: str) -> str:
    """Return a lender's product page: `rate_type` is for example `2-years-fixed`."""
    return f"/lenders/{slug}/{rate_type}/"


def with_query(path: str, parameters: dict[str, str]) -> str:
    """Return a path with its parameters; the bare path where there are none."""
    return f"{path}?{urlencode(parameters)}" if parameters else path


REDIRECTS: dict[str, str] = {
    "/my-local-mortgage-broker/": LOCAL,
    "/tools/my-local-mortgage-broker/": LOCAL,
    "/tools/mortgage-broker-near-me/": LOCAL,
    **{guide(old): guide(new) for old, new in RENAMED_GUIDES.items()},
    "/remortgaging/best-rates/": "/remortgages/",
    "/remortgaging/compare-best-rates/": "/remortgages/",
    "/best-remortgage-deals/": "/remortgages/",
    "/first-time-buyer-rates/": "/mortgages-first-time-buyer/",
    "/halifax-mortgage-rates/": lender_product("halifax", "2-years-fixed"),
    **{deals(slug): RATES for slug in WITHOUT_DEALS},
    **CANONICAL,
}
"""Every permanent redirect, from and to canonical paths (specification 2, decisions 1 to 7)."""


def permanent(path: str) -> str | None:
    """Return where a path has moved for good, in one hop and with a slash at its end, or None."""
    slashed = path if path.endswith("/") else path + "/"
    for prefix in STRIPPED_PREFIXES:
        if slashed.startswith(prefix) and len(slashed) > len(prefix):
            rest = "/" + slashed[len(prefix) :].lstrip("/")
            return permanent(rest) or rest
    return REDIRECTS.get(slashed)
