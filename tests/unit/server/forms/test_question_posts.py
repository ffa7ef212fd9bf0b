import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie

import pytest
from markupsafe import escape
from starlette.datastructures import FormData, Headers

from broker import routes, services
from broker.questionnaire.answers import Value
from broker.questionnaire.forms import CODE, DIGEST, JOURNEY_COOKIE
from broker.questionnaire.journeys import RETENTION
from broker.server.forms.posts import Sender
from broker.server.forms.question_forms import (
    NO_COOKIE,
    journey_cookie,
    journey_cookie_check,
    journey_cookie_post,
    journey_token,
    question_post,
)
from broker.server.releases import LiveExport
from broker.server.response import Answer
from broker.services import Services
from tests.unit.questionnaire.flows import FLOW
from tests.unit.questionnaire.journeys import scripted_journey
from tests.unit.server.enquiry_pages import HOSTILE, live_export, text
from tests.unit.state.asking import Asked, asking, broken, form

FORGED = "x" * 43


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """Posts forms to services of its own, and looks into them."""

    runner: asyncio.Runner
    asked: Asked
    live: LiveExport

    @property
    def services(self) -> Services:
        return self.asked.services

    def post(self, fields: Mapping[str, object], *, token: str = "", referer: str = "") -> Answer:
        headers = Headers({"accept-encoding": "identity", "cookie": f"a=b; journey={token}", "referer": referer})
        posted = FormData({name: str(value) for name, value in fields.items()})

        async def answered() -> Answer:
            post = question_post(lambda: self.services.journeys, self.live)
            return await post.answer(posted, Sender(address="192.0.2.7", headers=headers))

        return self.runner.run(answered())

    def token_after(self, replies: str) -> str:
        token = ""
        for step, words in scripted_journey(replies, flow=FLOW).replies:
            answer = self.post(form(step, words), token=token)
            assert answer.status == 303, (step, answer.body)
            token = token_of(answer)
        return token

    @contextmanager
    def without_journeys(self) -> Iterator[None]:
        away = broken(self.asked.database)
        self.runner.run(away.__aenter__())
        yield
        self.runner.run(away.__aexit__(None, None, None))

    def answers(self, token: str) -> Mapping[str, Value]:
        found = self.runner.run(self.services.journeys.find(token))
        return found.journey.answers if found else {}


def token_of(answer: Answer) -> str:
    """Return the token in the cookie that an answer sets; empty where it sets none."""
    return SimpleCookie(answer.cookies[0])[JOURNEY_COOKIE].value if answer.cookies else ""


@pytest.fixture(scope="module")
def posting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Posting]:
    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        patch.setattr(services, "_installed", [])
        opened = asking(tmp_path_factory.mktemp("posting"))
        live = live_export(tmp_path_factory.mktemp("export"))
        yield Posting(runner=runner, asked=runner.run(opened.__aenter__()), live=live)
        runner.run(opened.__aexit__(None, None, None))


def test_first_answer_begins_a_journey_and_leads_on(posting: Posting) -> None:
    answer = posting.post(form("q1", "remortgage"))
    assert (answer.status, answer.headers["location"]) == (303, "/questionnaire/q2/")
    assert posting.answers(token_of(answer)) == {"q1": "remortgage"}
    assert answer.cookies == (
        f"{JOURNEY_COOKIE}={token_of(answer)}; Max-Age={30 * 86_400}; Path=/; HttpOnly; SameSite=Lax",
    )


def test_figures_lead_on_with_the_same_token(posting: Posting) -> None:
    token = posting.token_after("q1 remortgage, q2 residential, q18 save-money")
    answer = posting.post({"step": "q19", "01": "£400,000.00", "02": " 120 000 "}, token=token)
    assert (answer.headers["location"], token_of(answer)) == ("/questionnaire/q108/", token)
    assert posting.answers(token)["q19"] == {"01": 400_000, "02": 120_000}


def test_last_press_counts_but_for_an_older_version_of_the_question(posting: Posting) -> None:
    token = posting.token_after("q1 remortgage")
    assert posting.post({**form("q1", "purchase"), "version": "1"}, token=token).status == 303
    assert posting.answers(token) == {"q1": "purchase"}
    answer = posting.post({**form("q1", "remortgage"), DIGEST: "0" * 12}, token=token)
    assert answer.status == 422
    assert "This question has changed since you opened it" in text(answer)
    assert posting.answers(token) == {"q1": "purchase"}


CHANGED = {
    "of a page where it is changed": ("http://localhost:3000/questionnaire/?change=yes", "/questionnaire/q18/"),
    "of a page on the way": ("http://localhost:3000/questionnaire/", "/questionnaire/q2/"),
    "nonsense": ("http://[", "/questionnaire/q2/"),
    "none": ("", "/questionnaire/q2/"),
}


@pytest.mark.parametrize(("referer", "location"), CHANGED.values(), ids=CHANGED)
def test_changed_answer_leads_back_to_where_the_visitor_was(posting: Posting, referer: str, location: str) -> None:
    token = posting.token_after("q1 remortgage, q2 residential")
    answer = posting.post(form("q1", "remortgage"), token=token, referer=referer)
    assert answer.headers["location"] == location


def test_refused_answer_is_shown_again_with_every_reason(posting: Posting) -> None:
    token = posting.token_after("q1 remortgage, q2 residential, q18 save-money")
    answer = posting.post({"step": "q19", "01": "twelve", "02": HOSTILE}, token=token)
    assert (answer.status, answer.cookies, answer.headers["cache-control"]) == (422, (), "no-store")
    first, second = (f"Enter an amount in whole pounds, from £{low} to £1,000,000" for low in ("50,000", "21,000"))
    page = text(answer)
    assert f"01=twelve <u>error</u>{first}" in page
    assert f"02={escape(HOSTILE)} <u>error</u>{second}" in page
    assert f"{first} <u>problem</u>figure-01" in page
    assert f"{routes.GIVE_ANSWER} q19" in page
    assert "q19" not in posting.answers(token)
    page = text(posting.post({"step": "q1", "answer": "rent"}))
    assert "Choose one of the answers <u>problem</u>remortgage" in page
    assert '<b checked="true">' not in page


def test_answer_that_is_changed_is_so_when_it_is_asked_again(posting: Posting) -> None:
    token = posting.token_after("q1 remortgage, q2 residential, q18 save-money, q19 400000 120000")
    place = "http://localhost:3000/questionnaire/q19/?change=yes"
    page = text(posting.post({"step": "q19", "01": "", "02": "9"}, token=token, referer=place))
    assert f"{routes.GIVE_ANSWER}?change=yes q19" in page
    assert posting.answers(token)["q19"] == {"01": 400_000, "02": 120_000}


def test_answer_without_a_journey_or_off_its_path_leads_to_ones_question(posting: Posting) -> None:
    for step in ("q18", "", "../../etc"):
        answer = posting.post({"step": step, "answer": "save-money"}, token=FORGED)
        assert (answer.status, answer.headers["location"], answer.cookies) == (303, routes.QUESTIONNAIRE, ()), step
    token = posting.token_after("q1 remortgage")
    answer = posting.post({"step": "q50", "answer": "repayment"}, token=token)
    assert (answer.status, answer.headers["location"]) == (303, "/questionnaire/q2/")
    assert posting.answers(token) == {"q1": "remortgage"}


def test_unreachable_database_is_a_503_that_keeps_the_answer(posting: Posting) -> None:
    with posting.without_journeys():
        answer = posting.post(form("q1", "remortgage"), token=FORGED)
        figures = posting.post({"step": "q19", "01": "400000", "02": "9"}, token=FORGED)
        rates = posting.post({"step": "q109", "answer": "seen"}, token=FORGED)
        nowhere = posting.post({"step": "q0"}, token=FORGED)
    assert (answer.status, answer.cookies, answer.headers["retry-after"]) == (503, (), "60")
    assert "We could not save this answer just now. Please try again in a minute, or call us" in text(answer)
    assert '<b checked="true">remortgage</b>' in text(answer)
    assert "01=400000" in text(figures)
    assert "answer=seen" in text(rates)
    assert f"or call us. Try again {routes.QUESTIONNAIRE}" in text(nowhere)


def test_code_of_a_page_is_exchanged_for_the_cookie_within_a_minute(posting: Posting) -> None:
    cookies, post = (
        posting.services.journeys.cookies,
        journey_cookie_post(lambda: posting.services.journeys, posting.live),
    )
    token = posting.token_after("q1 remortgage")
    sender = Sender(address="192.0.2.7", headers=Headers({}))

    def exchanged(code: str) -> Answer:
        async def answered() -> Answer:
            return await post.answer(FormData({CODE: code}), sender)

        return posting.runner.run(answered())

    codes = {value: cookies.code(value) for value in (token, "")}
    assert token not in codes[token]
    for value, code in codes.items():
        answer = exchanged(code)
        assert (answer.status, answer.cookies) == (204 if value else 200, (journey_cookie(value, secure=False),))
    link = posting.runner.run(posting.services.journeys.link(token))
    posting.asked.calendar.forward(days=1)
    for code in (codes[token], str(link), token, ""):
        answer = exchanged(code)
        assert (answer.status, answer.cookies) == (410, ()), code


@pytest.mark.parametrize("step", ["q18", "", "../../etc"])
def test_answer_without_the_cookie_has_a_page_that_says_so_and_no_redirect_loop(posting: Posting, step: str) -> None:
    answer = posting.post({"step": step, "answer": "save-money"})
    assert (answer.status, answer.cookies) == (422, ())
    assert escape(f"{NO_COOKIE} Start the questions {routes.QUESTIONNAIRE}") in text(answer)


@pytest.mark.parametrize(("cookie", "status"), [("a=b; journey=x", 204), ("a=b", 404), ("journey=", 404), ("", 404)])
def test_page_learns_whether_the_browser_has_the_cookie(posting: Posting, cookie: str, status: int) -> None:
    answer = posting.runner.run(journey_cookie_check({"headers": [(b"cookie", cookie.encode())]}))
    assert (answer.status, answer.headers["cache-control"]) == (status, "no-store")


def test_token_is_that_of_a_cookie_that_lasts_as_long_as_the_answers() -> None:
    for cookie in ("journey=abc", "a=1; journey=abc; b=2"):
        assert journey_token(Headers({"cookie": cookie})) == "abc"
    for cookie in ("", "journey", "xjourney=abc", "journey=", "=; ;;\x00="):
        assert journey_token(Headers({"cookie": cookie})) == "", cookie
    seconds = int(RETENTION.total_seconds())
    assert (
        journey_cookie("abc", secure=True) == f"journey=abc; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax; Secure"
    )
    assert journey_cookie("", secure=False) == "journey=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"
