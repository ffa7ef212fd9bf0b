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
CALLBACK = "/contact/#callback"
"""The form that asks for a call."""
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
SUBMIT_FORM = QUESTIONNAIRE
"""Where "Submit the form" leads: to the first question. Specification 2 names the home page, which has no form."""
FIRST_QUESTION = "q1"
"""The question that stands at the beginning itself (specification 4)."""
CHECK_ANSWERS = "/questionnaire/check/"
SAVED_ANSWERS = "/questionnaire/saved/"
"""Where a saved link leads; what it holds stands behind a `#`, so that it is in no log and no referrer."""
SEND_ANSWERS = "/questionnaire/send/"
"""Where the page that checks the answers posts to."""
GIVE_ANSWER = "/questionnaire/answer/"
"""Where a question posts to before the scripts of its page have started, or without them."""
FORM_TICKET = "/form-ticket/"
"""Answers with a ticket for a form that somebody has begun to fill in."""
THANK_YOU = "/thankyou/"
YOUR_ENQUIRY = "/your-enquiry/"
"""Where visitors see and delete what is kept of them."""
TEST = "/test/"
HOME2 = "/home2/"
UPDATE_LENDERS = "/updateLenders/"
STAFF = "/staff/"
"""Below it is the staff area, with `/updateLenders/`; the edge lets nobody in who is not signed in."""
STAFF_ENQUIRIES = "/staff/enquiries/"
STAFF_ENQUIRY = "/staff/enquiry/"
"""One enquiry, by its reference in the address, which says nothing of anybody."""
STAFF_RECORD = "/staff/record/"
STAFF_SIGN_IN = "/staff/sign-in/"
STAFF_SIGN_IN_CODE = "/staff/sign-in/code/"
STAFF_ACCOUNT = "/staff/account/"
STAFF_FORMS = {
    "sign-in": "/staff/sign-in",
    "code": "/staff/sign-in/code",
    "sign-out": "/staff/sign-out",
    "sign-out-everywhere": "/staff/sign-out-everywhere",
    "password": "/staff/password",
    "codes": "/staff/codes",
    "logo": "/staff/logo",
    "logos": "/staff/logos",
    "enquiries-file": "/staff/enquiries/file",
}
"""Where the forms of the staff area post to."""
NOT_FOUND = "/not-found/"

GUIDE_PAGES = "/mortgage-guides/"
"""Where every guide lives."""

COOKIE_NOTICE = "/cookie-notice/accept"
"""Where the cookie notice posts to without scripts."""

PING = "/ping"
"""Answers where a server runs: scripts ask before a form leaves its page."""

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
    """Return the last part of the address of a page that the edge fills with what it learns; `name` tells which."""
    return f"unfilled-{name}"


def is_unfilled(path: str) -> bool:
    """Tell whether a path is that of an exported page which the edge fills; nobody sees such a page as it is."""
    return path.rstrip("/").rpartition("/")[2].startswith(unfilled(""))


def question(step: str) -> str:
    """Return the page of a question."""
    return QUESTIONNAIRE if step == FIRST_QUESTION else f"{QUESTIONNAIRE}{step}/"


def question_at(path: str) -> str:
    """Return the question whose page a path is, with a slash behind it or not; an empty text for any other path."""
    slashed = f"{path.rstrip('/')}/"
    if not slashed.startswith(QUESTIONNAIRE):
        return ""
    return slashed.removeprefix(QUESTIONNAIRE).rstrip("/") or FIRST_QUESTION


def town(slug: str) -> str:
    """Return the page of a town."""
    return f"/mortgage-broker-{slug}/"


def lender(slug: str) -> str:
    """Return the page of a lender."""
    return f"/lenders/{slug}/"


def lender_product(slug: str, rate_type: str) -> str:
    """Return a lender's product page: `rate_type` is for example `2-years-fixed`."""
    return f"/lenders/{slug}/{rate_type}/"


def staff_enquiry(reference: str) -> str:
    """Return the page of an enquiry, for staff."""
    return with_query(STAFF_ENQUIRY, {"reference": reference})


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
