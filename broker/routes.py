"""Paths of the site: constants, builders and the redirect table.

Canonical paths end in a slash (decision 1).
"""

from urllib.parse import parse_qsl, urlencode

HOME = "/"
CALCULATORS = "/tools/calculators/"
PLANS = "/plan/"
BUYING_PLAN, REMORTGAGE_PLAN = f"{PLANS}buying/", f"{PLANS}remortgaging/"
REMORTGAGE_REMINDER = f"{REMORTGAGE_PLAN}reminder.ics"
START_WATCH = f"{REMORTGAGE_PLAN}watch/"
"""The form that starts a watch on a mortgage; the plan posts its figures to it."""
WATCH_SENT = f"{START_WATCH}sent/"
RATES = "/tools/rates/"
RATE_HISTORY = "/tools/rate-history/"
RATE_HISTORY_CSV = f"{RATE_HISTORY}averages.csv"
GUIDES = "/tools/mortgage-guides/"
FAQS = "/tools/mortgage-faqs/"
ART, CONTENT_PICTURES = "/art/", "/content-pictures/"
"""Parent paths of drawings, and of the pictures of a content service."""
RESULT_PDF, COMPARISON_PDF = "result.pdf", "comparison.pdf"
"""PDFs of a page's result, below the page's path, with its parameters."""
LOCAL = "/mortgage-broker-near-me/"
LENDERS = "/lenders/"
SITE_MAP, SEARCH = "/sitemap/", "/search/"
SEARCH_INDEX = "/search/index.json"
"""The search index for the browser."""
HOW_WE_CALCULATE = "/how-we-calculate/"
GLOSSARY = "/glossary/"
CONTACT = "/contact/"
CALLBACK = "/contact/#callback"
"""The callback request form."""
ABOUT = "/about-us/"
USEFUL = "/useful-information/"
REVIEWS = "/client-reviews/"
JOIN = "/join-us/"
PRIVACY, COOKIES = "/privacy-notice/", "/cookie-policy/"
COMPLAINTS = "/complaints-procedure/"
TERMS = "/terms-of-business/"
ACCESSIBILITY = "/accessibility/"
QUESTIONNAIRE = "/questionnaire/"
SUBMIT_FORM = QUESTIONNAIRE
"""Target of "Submit the form": the first question. Specification 2 names the home page, which has no form."""
FIRST_QUESTION = "q1"
"""The first question, whose page is QUESTIONNAIRE itself (specification 4)."""
CHECK_ANSWERS = "/questionnaire/check/"
SAVED_ANSWERS = "/questionnaire/saved/"
"""Target of a saved link; its token is in the fragment, so that no log or referrer has it."""
SEND_ANSWERS = "/questionnaire/send/"
"""Form action of the check-your-answers page."""
GIVE_ANSWER = "/questionnaire/answer/"
"""Form action of a question, used without scripts or before they start."""
JOURNEY_COOKIE = "/questionnaire/cookie/"
"""Sets the cookie of a journey for the page that posts a code."""
FORM_TOKEN = "/form-token/"
"""Returns a signed token for a form when the visitor starts to fill it in."""
CONTENT_HOOK = "/hooks/content"
"""Webhook of the content service, called when an editor has saved something."""
MAIL_HOOK = "/hooks/mail"
"""Webhook for reports of mail that came back."""
CALL_TIMES = "/contact/times/"
"""The free times of a form alone, for scripts that change them on its page."""
THANK_YOU = "/thankyou/"
YOUR_ENQUIRY = "/your-enquiry/"
"""Where visitors see and delete their enquiry; the parameter `link` of a mail opens one."""
YOUR_APPOINTMENT = "/your-appointment/"
"""Where visitors move and cancel their appointment; the parameter `link` of a mail opens one."""
YOUR_APPOINTMENT_FILE = f"{YOUR_APPOINTMENT}appointment.ics"
"""The appointment of a link as a calendar file."""
MY_WATCH, STOP_WATCH = "/my-watch/", "/my-watch/stop"
"""Where visitors see, change and stop their watch, by the parameter `link` of a mail; and the address that stops it by
one click of a mail program (RFC 8058), by the parameter `stop`."""
TEST, HOME2 = "/test/", "/home2/"
UPDATE_LENDERS = "/updateLenders/"
STAFF = "/staff/"
"""Root of the staff area, which also has `/updateLenders/`; the edge requires a session."""
STAFF_CALLER = f"{STAFF}?caller=1"
"""Today with the form of somebody who telephones."""
STAFF_ENQUIRIES = "/staff/enquiries/"
STAFF_ENQUIRY, STAFF_RESULT = "/staff/enquiry/", f"/staff/enquiry/{RESULT_PDF}"
"""One enquiry, and the PDF of its attached result; the `reference` parameter is not personal data."""
STAFF_RECORD, STAFF_HEALTH = "/staff/record/", "/staff/health/"
STAFF_SIGN_IN, STAFF_SIGN_IN_CODE = "/staff/sign-in/", "/staff/sign-in/code/"
STAFF_ACCOUNT = "/staff/account/"
STAFF_ACCOUNTS = "/staff/accounts/"
"""People with an account; the parameter `who` names the one whose details are open."""
STAFF_LINK = "/staff/link/"
"""Where a one-time `link` of an invitation or a reset sets up signing in; it needs no session."""
STAFF_LOGOS_FILE = "/staff/logos/all.zip"
"""The current logos of all lenders."""
STAFF_WINDOWS = "/staff/windows/"
"""How early lenders let their own borrowers book; the parameter `lender` opens the form of one."""
STAFF_MAIL = "/staff/mail/"
"""Mail that waits, and mail that was given up."""
STAFF_DIARY = "/staff/diary/"
"""Appointments of a `week` or a `day`, of an `adviser`."""
STAFF_APPOINTMENT, STAFF_HOURS, STAFF_ABSENCES, STAFF_BOOK = (
    f"{STAFF_DIARY}{each}/" for each in ("appointment", "hours", "absences", "book")
)
"""One appointment, by its `number`; hours and absences of an `adviser`; booking one for the case of a `reference`.

Without a reference the case is looked for first; `with` and `day` are the adviser and the day to begin with.
"""
STAFF_FEED = "/staff/diary/feed/"
"""The calendar feed of an account; below it are the feeds themselves, which need no session."""
STAFF_WATCHES = "/staff/watches/"
"""Watches whose owner agreed to a call, by the month in which the deal ends."""
STAFF_DUTIES = "/staff/duties/"
"""Complaints, a person's data, promotions, retention and support needs."""
STAFF_FIGURES, STAFF_FIGURES_FILE = "/staff/figures/", "/staff/figures/file"
STAFF_PROMOTIONS = "/staff/duties/promotions/"
"""Public pages with rates, and when they were approved."""
STAFF_FORMS = {
    "sign-in": "/staff/sign-in",
    "code": "/staff/sign-in/code",
    "sign-out": "/staff/sign-out",
    "sign-out-everywhere": "/staff/sign-out-everywhere",
    "password": "/staff/password",
    "codes": "/staff/codes",
    "link": "/staff/link",
    "sessions": "/staff/account/sessions",
    "look": "/staff/account/look",
    "passkey-ask": "/staff/sign-in/passkey/ask",
    "passkey-sign-in": "/staff/sign-in/passkey",
    "passkey-begin": "/staff/account/passkey/begin",
    "passkey-add": "/staff/account/passkey",
    "passkey-remove": "/staff/account/passkey/remove",
    "logo": "/staff/logo",
    "logos": "/staff/logos",
    "windows": "/staff/windows",
    "mail": "/staff/mail",
    "lift-address": "/staff/mail/lift",
    "enquiries-file": "/staff/enquiries/file",
    "diary-hours": "/staff/diary/hours",
    "diary-absence": "/staff/diary/absences",
    "diary-hand-over": "/staff/diary/hand-over",
    "diary-find": "/staff/diary/find",
    "diary-book": "/staff/diary/book",
    "diary-move": "/staff/diary/move",
    "diary-cancel": "/staff/diary/cancel",
    "diary-outcome": "/staff/diary/outcome",
    "diary-feed": "/staff/diary/feed",
    "complaints-file": "/staff/duties/complaints",
    "person-file": "/staff/duties/person",
}
"""Form actions of the staff area."""
NOT_FOUND = "/not-found/"

PAGES_IN_CODE = (
    *(HOME, CALCULATORS, BUYING_PLAN, REMORTGAGE_PLAN, RATES, LENDERS, SITE_MAP, SEARCH, HOW_WE_CALCULATE),
    *(RATE_HISTORY, QUESTIONNAIRE, YOUR_ENQUIRY, GLOSSARY, START_WATCH, MY_WATCH),
)
"""Pages of modules below `broker/pages/` that menus and texts may link to; a content service has none there."""

DATA_PAGES = {
    "lenders": "/lenders",
    "lender": "/lenders/[lender_slug]",
    "lender-deals": "/lenders/[lender_slug]/[deal_slug]",
    "guide": "/mortgage-guides/[guide_slug]",
    "guides": "/tools/mortgage-guides",
    "service-guides": "/[service_slug]/guides",
    "site-map": "/sitemap",
    "rate-history": "/tools/rate-history",
}
"""Paths of data pages, by the name of their template."""

PAGE_DATA = "page.json"
"""The view of a data page as JSON, below the page's path."""

GUIDE_PAGES = "/mortgage-guides/"
"""Parent path of every guide."""

COOKIE_NOTICE = "/cookie-notice/accept"
"""Form action of the cookie notice, used without scripts."""
PING = "/ping"
"""Health check; scripts call it before a form leaves its page."""
EVENTS = ("/_event", "/_event/")
"""The socket of Reflex's events; nothing else of Reflex is reachable."""

RATES_CSV = "/rates.csv"
"""Results of a rates search as CSV."""

STRIPPED_PREFIXES = ("/promotion/", "/api/")
"""Prefixes of the content service, stripped from every path (decision 2)."""

RENAMED_GUIDES = {
    "should-i-remortgage-with-the-same-lender": "should-i-remortgage-with-same-lender",
    "is-a-35-year-mortgage-normal": "is-a-35-years-mortgage-normal",
    "no-fee-mortgage-broker": "no-fees-mortgage-broker",
}
"""Former slugs of three guides, with their current slugs (decision 5)."""

_LENDER_RATES = "-mortgage-rates/"
"""End of a lender's former page, after its name."""

_LENDER_ENDINGS = ("", "-building-society", "-bank", "-uk")
"""Endings of lenders' slugs after the short name."""

CANONICAL = {
    "/home/": HOME,
    "/rates/": RATES,
    "/calculators/": CALCULATORS,
    "/mortgage-faqs/": FAQS,
    "/mortgage-guide-home/": GUIDES,
    "/mortgage-guides/": GUIDES,
    "/local-mortgage-broker/": LOCAL,
}
"""Menu paths with a canonical page elsewhere (decisions 2 and 3)."""

WITHOUT_DEALS = ("protection-needs", "contractor-mortgage", "self-employed")
"""Services without a customer type (specification 3), which use the general rates search."""


def calculator(slug: str) -> str:
    return BUYING_PLAN if slug == "buying-plan" else f"{CALCULATORS}{slug}/"


def term(slug: str) -> str:
    """Return the address of an entry of the glossary."""
    return f"{GLOSSARY}#{slug}"


def service(slug: str) -> str:
    return f"/{slug}/"


def deals(customer: str) -> str:
    """Return the rates search of a customer type, the general one for an empty `customer`."""
    return f"/{customer}/rates/" if customer else RATES


def guides(slug: str) -> str:
    return f"/{slug}/guides/"


def guide(slug: str) -> str:
    return f"{GUIDE_PAGES}{slug}/"


def edge_template(name: str) -> str:
    """Return the slug of a page that is exported as a template."""
    return f"edge-template-{name}"


def is_edge_template(path: str) -> bool:
    """Return whether a page is exported as a template, which has no URL."""
    return path.rstrip("/").rpartition("/")[2].startswith(edge_template(""))


def calculator_template(slug: str) -> str:
    """Return the slug of the template of a calculator's page."""
    return edge_template(f"calculator-{slug}")


def search_template(customer: str) -> str:
    """Return the slug of the template of a customer type's rates page."""
    return edge_template(f"rates-{customer or 'all'}")


def template_keeps_scripts(path: str) -> bool:
    """Return whether a template keeps its page's scripts."""
    name = path.rstrip("/").rpartition("/")[2]
    starts = tuple(map(edge_template, ("calculator-", "rates-", "plan-", "search")))
    return name.startswith(starts) or bool(data_pattern(path))


def data_pattern(path: str) -> str:
    """Return the pattern of the data pages of a template's path; empty for any other path."""
    name = path.strip("/").rpartition("/")[2]
    return next((pattern for page, pattern in DATA_PAGES.items() if name == edge_template(page)), "")


def slashed(path: str) -> str:
    return path.rstrip("/") + "/"


def question(step: str) -> str:
    return QUESTIONNAIRE if step == FIRST_QUESTION else f"{QUESTIONNAIRE}{step}/"


def question_at(path: str) -> str:
    """Return the step id in a question's path, with or without trailing slash; empty for other paths."""
    if not slashed(path).startswith(QUESTIONNAIRE):
        return ""
    return slashed(path).removeprefix(QUESTIONNAIRE).rstrip("/") or FIRST_QUESTION


def town(slug: str) -> str:
    return f"/mortgage-broker-{slug}/"


def lender(slug: str) -> str:
    return f"/lenders/{slug}/"


def former_lender_pages(path: str) -> tuple[str, ...]:
    """Return the lender pages that a former path, `/nationwide-mortgage-rates/`, may mean (decision 50)."""
    name = path.removeprefix("/").removesuffix(_LENDER_RATES)
    slugs = (*(name + ending for ending in _LENDER_ENDINGS), f"the-{name}")
    return tuple(map(lender, slugs)) if path.endswith(_LENDER_RATES) else ()


def lender_product(slug: str, rate_type: str) -> str:
    """Return a lender's product page: `rate_type` is for example `2-years-fixed`."""
    return f"/lenders/{slug}/{rate_type}/"


def enquiry_link(token: str) -> str:
    """Return the address of the enquiry of a mail's token."""
    return with_query(YOUR_ENQUIRY, {"link": token})


def appointment_link(token: str) -> str:
    """Return the address of the appointment of a mail's token."""
    return with_query(YOUR_APPOINTMENT, {"link": token})


def watch_link(token: str) -> str:
    """Return the address of the watch of a mail's token."""
    return with_query(MY_WATCH, {"link": token})


def watch_stop(token: str) -> str:
    """Return the address that stops a watch by one click of a mail program."""
    return with_query(STOP_WATCH, {"stop": token})


def staff_appointment(number: int) -> str:
    return with_query(STAFF_APPOINTMENT, {"number": str(number)})


def staff_book(reference: str) -> str:
    return with_query(STAFF_BOOK, {"reference": reference})


def diary_feed(token: str) -> str:
    return f"{STAFF_FEED}{token}.ics"


def staff_account_of(name: str) -> str:
    """Return the address of the page of accounts with the details of one."""
    return with_query(STAFF_ACCOUNTS, {"who": name})


def staff_record_of(name: str) -> str:
    """Return the address of the record of what an account did."""
    return with_query(STAFF_RECORD, {"who": name})


def staff_link(token: str) -> str:
    """Return the address of a one-time link."""
    return with_query(STAFF_LINK, {"link": token})


def staff_enquiry(reference: str) -> str:
    return with_query(STAFF_ENQUIRY, {"reference": reference})


def staff_complaint(reference: str) -> str:
    """Return the address of the page of duties with the form for a complaint about a case."""
    return with_query(STAFF_DUTIES, {"reference": reference})


def staff_complaint_of(number: int) -> str:
    """Return the address of the page of duties with a complaint open."""
    return with_query(STAFF_DUTIES, {"complaint": str(number)})


MAX_QUERY_LENGTH, MAX_PARAMETERS = 2_000, 50
"""Characters and parameters of a query string; the rest is ignored."""


def parameters_in(query: str) -> dict[str, str]:
    """Return the first value of each parameter of a query string, as the browser's `URLSearchParams.get` does."""
    parts = query[:MAX_QUERY_LENGTH].split("&")[:MAX_PARAMETERS]
    return dict(reversed(parse_qsl("&".join(parts), keep_blank_values=True, errors="replace")))


def with_query(path: str, parameters: dict[str, str]) -> str:
    """Return a path with a query string, or the bare path without parameters."""
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
"""Permanent redirects between canonical paths (specification 2, decisions 1 to 7)."""


def permanent(path: str) -> str | None:
    """Return the final target of a permanent redirect, with a trailing slash, or None."""
    slashed = path if path.endswith("/") else path + "/"
    for prefix in STRIPPED_PREFIXES:
        if slashed.startswith(prefix) and len(slashed) > len(prefix):
            rest = "/" + slashed[len(prefix) :].lstrip("/")
            return permanent(rest) or rest
    return REDIRECTS.get(slashed)
