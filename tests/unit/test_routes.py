"""Every path that has moved: where to, in one hop, with and without the prefixes of the content service."""

import pytest

from broker import routes
from broker.rates.customers import RULES

MOVED = {
    "/my-local-mortgage-broker/": "/mortgage-broker-near-me/",
    "/tools/my-local-mortgage-broker/": "/mortgage-broker-near-me/",
    "/tools/mortgage-broker-near-me/": "/mortgage-broker-near-me/",
    "/mortgage-guides/should-i-remortgage-with-the-same-lender/": (
        "/mortgage-guides/should-i-remortgage-with-same-lender/"
    ),
    "/mortgage-guides/is-a-35-year-mortgage-normal/": "/mortgage-guides/is-a-35-years-mortgage-normal/",
    "/mortgage-guides/no-fee-mortgage-broker/": "/mortgage-guides/no-fees-mortgage-broker/",
    "/remortgaging/best-rates/": "/remortgages/",
    "/remortgaging/compare-best-rates/": "/remortgages/",
    "/best-remortgage-deals/": "/remortgages/",
    "/first-time-buyer-rates/": "/mortgages-first-time-buyer/",
    "/halifax-mortgage-rates/": "/lenders/halifax/2-years-fixed/",
    "/home/": "/",
    "/rates/": "/tools/rates/",
    "/calculators/": "/tools/calculators/",
    "/mortgage-faqs/": "/tools/mortgage-faqs/",
    "/mortgage-guide-home/": "/tools/mortgage-guides/",
    "/local-mortgage-broker/": "/mortgage-broker-near-me/",
}
"""Specification 2 and decisions 1 to 7."""

OURS = {
    "/mortgage-guides/": "/tools/mortgage-guides/",
    "/protection-needs/rates/": "/tools/rates/",
    "/contractor-mortgage/rates/": "/tools/rates/",
    "/self-employed/rates/": "/tools/rates/",
}
"""Besides: the folder of the guides, which has no page of its own, and the deals of services without their own."""


def test_redirects_are_these_and_no_others() -> None:
    assert {**MOVED, **OURS} == routes.REDIRECTS


@pytest.mark.parametrize("prefix", ["", "/promotion", "/api", "/api/promotion", "/promotion/promotion"])
@pytest.mark.parametrize(("path", "target"), {**MOVED, **OURS}.items())
def test_moved_path_has_one_hop_to_its_target(path: str, target: str, prefix: str) -> None:
    assert routes.permanent(prefix + path) == target
    assert routes.permanent(prefix + path.rstrip("/")) == target
    assert routes.permanent(target) is None


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/promotion/contact/", "/contact/"),
        ("/promotion/contact", "/contact/"),
        ("/api/about-us", "/about-us/"),
        ("/promotion/tools/rates/", "/tools/rates/"),
        ("/promotion//evil.example/", "/evil.example/"),
        ("/promotion////evil.example", "/evil.example/"),
    ],
)
def test_prefix_of_the_content_service_is_taken_off(path: str, target: str) -> None:
    assert routes.permanent(path) == target


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "",
        "/promotion/",
        "/promotion",
        "/api/",
        "/promotions/contact/",
        "/apiary/",
        "/tools/rates/",
        "/tools/calculators/",
        "/tools/mortgage-guides/",
        "/tools/mortgage-faqs/",
        "/mortgage-broker-near-me/",
        "/mortgage-guides/apr-explained/",
        "/remortgages/",
        "/buy-to-let-deals/",
        "/updateLenders/",
        "/RATES/",
        "/rates/2/",
        "rates",
    ],
)
def test_other_paths_have_not_moved(path: str) -> None:
    assert routes.permanent(path) is None


def test_every_path_of_ours_begins_and_ends_with_a_slash() -> None:
    pages = [
        value for name, value in vars(routes).items() if name.isupper() and name[0] != "_" and isinstance(value, str)
    ]
    without = {value for value in pages if not (value.startswith("/") and value.endswith("/"))}
    assert without <= {
        *(routes.COOKIE_NOTICE, routes.SUBMIT_FORM, routes.RATES_CSV, routes.CALLBACK, routes.PING),
        *(routes.FIRST_QUESTION, routes.CONTENT_HOOK, routes.REMORTGAGE_REMINDER, routes.RESULT_PDF),
        *(routes.COMPARISON_PDF, routes.STAFF_RESULT, routes.PAGE_DATA, routes.SEARCH_INDEX),
    }
    assert all(target.startswith("/") and target.endswith("/") for target in routes.REDIRECTS.values())


@pytest.mark.parametrize(
    ("built", "path"),
    [
        (routes.service("first-time-buyer"), "/first-time-buyer/"),
        (routes.deals(""), "/tools/rates/"),
        (routes.deals("buy-to-let"), "/buy-to-let/rates/"),
        (routes.guides("remortgaging"), "/remortgaging/guides/"),
        (routes.guide("ltv"), "/mortgage-guides/ltv/"),
        (routes.lender("halifax"), "/lenders/halifax/"),
        (routes.lender_product("halifax", "5-years-fixed"), "/lenders/halifax/5-years-fixed/"),
        (routes.with_query("/tools/rates/", {}), "/tools/rates/"),
        (routes.with_query("/tools/rates/", {"term": "30", "for": "a b&c"}), "/tools/rates/?term=30&for=a+b%26c"),
    ],
)
def test_builders_make_canonical_paths(built: str, path: str) -> None:
    assert built == path


def test_deals_pages_are_one_a_customer_type() -> None:
    assert len({routes.deals(customer) for customer in RULES}) == len(RULES)


@pytest.mark.parametrize(
    ("step", "path"), [("q1", "/questionnaire/"), ("q2", "/questionnaire/q2/"), ("q108", "/questionnaire/q108/")]
)
def test_question_has_its_page_and_the_page_its_question(step: str, path: str) -> None:
    assert (routes.question(step), routes.question_at(path), routes.question_at(path.rstrip("/"))) == (path, step, step)


@pytest.mark.parametrize(
    "path", ["", "/", "/questionnaires/", "/tools/rates/", "questionnaire/q2/", "//questionnaire/"]
)
def test_other_paths_are_no_questions(path: str) -> None:
    assert routes.question_at(path) == ""
