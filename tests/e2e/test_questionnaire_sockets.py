"""Forged socket events on every handler of the questionnaire: nothing raises, nothing is written, little is logged."""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from broker import routes
from broker.log_format import MAX_LINES
from broker.state.questionnaire import QuestionnaireState, SavedAnswersState
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.questionnaire_page import TO_Q19
from tests.e2e.test_resilience import FORGED, PERSON, Tab, assert_quiet
from tests.timeouts import ANSWER_TIMEOUT

STATES = (QuestionnaireState, SavedAnswersState)
HANDLERS = sorted({f"{state.get_full_name()}.{name}" for state in STATES for name in state.event_handlers})
COOKIE_VAR = f"{QuestionnaireState.get_full_name()}.journey_rx_state_"
KEEP = "reflex___state____state.reflex___state____update_vars_internal_state.update_vars_internal"
_tabs = count(1)
ARGUMENTS = ("form", "replace", "var_name", "value", "self", PERSON)
STATE = QuestionnaireState.get_full_name()
MAX_LOGGED = MAX_LINES * (len(HANDLERS) + 6)
ADDRESSES: list[Any] = ["/questionnaire/q19/", "", "//evil.example", "x" * 5_000, "/questionnaire/saved/#" + PERSON]
ADDRESSES += [None, 7, ["/"], {"a": 1}]


class Asker(Tab):
    """A forged tab with a cookie, at whatever address it says."""

    def bring(self, token: Any) -> None:
        self.call(KEEP, {"vars": {COOKIE_VAR: token}})

    def call_at(self, name: str, payload: Any, *, address: Any) -> None:
        place = {"pathname": address, "asPath": address, "query": {}}
        self.say("42/_event," + json.dumps(["event", {"name": name, "payload": payload, "router_data": place}]))

    def shows(self, step: str, *, patience: float = ANSWER_TIMEOUT) -> bool:
        """Tell whether the server shows this tab a question, after all that was sent before."""
        path = routes.question(step)
        self.call_at(f"{STATE}.open", {}, address=path)
        while (told := self._socket.receive(timeout=patience)) is not None:
            if f'"path_rx_state_":"{path}"' in str(told):
                return True
        return False


@pytest.fixture
def tab(asked_site: AnsweringSite) -> Iterator[Asker]:
    """Return a forged tab that the server does not know yet."""
    forged = Asker(asked_site.server, f"forged-{next(_tabs)}")
    yield forged
    forged.close()


@pytest.mark.parametrize("handler", HANDLERS)
def test_forged_events_write_nothing_and_end_no_tab(
    asked_site: AnsweringSite, tab: Asker, logged: int, handler: str
) -> None:
    token = asked_site.given(TO_Q19)
    before = asked_site.journey(token)
    tab.bring(token)
    for value in FORGED:
        tab.call_at(handler, dict.fromkeys(ARGUMENTS, value), address=routes.question("q19"))
    assert tab.shows("q19")
    assert asked_site.journey(token) == before
    for value in (*FORGED, "x" * 43):
        tab.bring(value)
    assert tab.shows("q1")
    assert_quiet(asked_site.server, logged=logged, lines=MAX_LOGGED)


def test_forged_answers_reach_no_step_off_the_path(asked_site: AnsweringSite, tab: Asker) -> None:
    token = asked_site.given(TO_Q19)
    before = asked_site.journey(token)
    tab.bring(token)
    for step in ("q108", "q20", "q50", "submit", PERSON):
        for given in ({"answer": "yes"}, {"answer": "seen"}, {"01": "2"}, {"answer": "seen", "version": "1"}):
            tab.call_at(f"{STATE}.answer", {"form": {"step": step, **given}}, address=routes.question("q19"))
    assert tab.shows("q19")
    assert asked_site.journey(token) == before


@pytest.mark.parametrize("handler", HANDLERS)
def test_forged_addresses_end_no_tab(asked_site: AnsweringSite, tab: Asker, logged: int, handler: str) -> None:
    for address in ADDRESSES:
        tab.call_at(handler, {"form": {"step": "q19", "answer": PERSON}}, address=address)
    assert tab.shows("q1")
    assert_quiet(asked_site.server, logged=logged, lines=MAX_LOGGED)
