from urllib.parse import urlencode

import pytest

from broker import routes
from broker.rates.customers import RULES


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/promotion/contact/", "/contact/"),
        ("/promotion/contact", "/contact/"),
        ("/api/about-us", "/about-us/"),
        ("/promotion/tools/rates/", "/tools/rates/"),
        ("/api/promotion/rates", "/tools/rates/"),
        ("/promotion/promotion/home/", "/"),
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
        *(routes.FIRST_QUESTION, routes.CONTENT_HOOK, routes.MAIL_HOOK, routes.REMORTGAGE_REMINDER, routes.RESULT_PDF),
        *(routes.COMPARISON_PDF, routes.STAFF_RESULT, routes.PAGE_DATA, routes.SEARCH_INDEX, routes.RATE_HISTORY_CSV),
        *(routes.YOUR_APPOINTMENT_FILE, routes.STAFF_FIGURES_FILE, routes.STAFF_LOGOS_FILE, routes.STAFF_CALLER),
        routes.STOP_WATCH,
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


def test_first_value_of_each_name_is_read() -> None:
    assert routes.parameters_in("") == routes.parameters_in("&") == {}
    assert routes.parameters_in("a=1&b=&a=2&c") == {"a": "1", "b": "", "c": ""}
    assert routes.parameters_in("a=%ff&%C2%A3=x+y") == {"a": "\ufffd", "£": "x y"}


def test_what_is_read_of_a_long_query_is_bounded() -> None:
    assert list(routes.parameters_in(urlencode({f"n{place}": "1" for place in range(60)}))) == [
        f"n{place}" for place in range(49, -1, -1)
    ]
    assert routes.parameters_in("a=" + "+" * 16_000 + "x") == {"a": " " * 1_998}
