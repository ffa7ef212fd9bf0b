"""What the site stands: forged socket events, other origins, a flood, and a server that goes away and comes back."""

import json
from contextlib import suppress
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect
from simple_websocket import Client, ConnectionClosed
from wsproto.events import TextMessage
from wsproto.utilities import LocalProtocolError

from broker import routes
from broker.lending.money import pounds_and_pence
from broker.lending.mortgage import monthly_payment
from broker.log_format import MAX_LINES
from broker.state.questionnaire import QuestionnaireState, SavedAnswersState
from broker.state.rates.search import RatesState
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import Problems, visit
from tests.e2e.questionnaire_page import TO_Q19
from tests.e2e.rates_page import RatesPage, answer, ids
from tests.integration.enquiry_site import EnquirySite
from tests.timeouts import ANSWER_TIMEOUT
from tools.server import Server

PERSON = "Jane Doe 07700 900123 jane@doe.example"
STATE = RatesState.get_full_name()
STATES = {
    RatesState: ("customer", "typed", "order", "wanted", "product_id", "var_name", "value"),
    QuestionnaireState: ("form", "replace", "var_name", "value", "self", PERSON),
    SavedAnswersState: ("form", "replace", "var_name", "value", "self", PERSON),
}
HANDLERS = {
    f"{state.get_full_name()}.{name}": names for state, names in STATES.items() for name in state.event_handlers
}
"""The handlers that a tab may call, each with the names of its arguments and of some that it has not."""

COOKIE_VAR = f"{QuestionnaireState.get_full_name()}.journey_rx_state_"
KEEP = "reflex___state____state.reflex___state____update_vars_internal_state.update_vars_internal"
ADDRESSES: list[Any] = ["/questionnaire/q19/", "", "//evil.example", "x" * 5_000, "/questionnaire/saved/#", None, 7, {}]
FORGED: list[Any] = [
    None,
    True,
    -1,
    1e308,
    PERSON,
    PERSON * 200,
    "\x00\ud83c\udfe0",
    [],
    [[PERSON]] * 50,
    {},
    {"price": {"price": [PERSON]}, "rate": 7, "term": None, PERSON: PERSON},
    {"price": "9" * 5_000, "amount": "-1", "sort": "__class__", "period": "2; drop table"},
]
UNKNOWN = ["", PERSON, "open", f"{STATE}._begin", f"{STATE}.nobody", f"{STATE}.__init__", "_redirect", "a." * 500]
BROKEN = ["hello", "42", '42/_event,["event"', "45/_event,", "9", '42/_event,["event",7]', '42/_event,[["event"],{}]']
TOO_LARGE = 1_100_000


class Tab:
    """A forged tab: a bare socket that says what a browser's would, and what it would never."""

    def __init__(self, server: Server, name: str) -> None:
        address = f"{server.url.replace('http', 'ws')}/_event/?token={name}&EIO=4&transport=websocket"
        self._socket: Any = Client(address, headers=[(b"Origin", server.url.encode())])
        self.say("40/_event,{}")

    def say(self, packet: str) -> None:
        """Send a packet as it is, all of it: the library's own `send` leaves off where the system's buffer ends.

        Raises ConnectionClosed once the server has closed the socket, or is about to.
        """
        try:
            self._socket.sock.sendall(self._socket.ws.send(TextMessage(data=packet)))
        except (LocalProtocolError, OSError) as gone:
            raise ConnectionClosed from gone

    def call(self, name: str, payload: Any, *, address: Any = None) -> None:
        place = {"pathname": address, "asPath": address, "query": {}} if address is not None else {}
        self.say("42/_event," + json.dumps(["event", {"name": name, "payload": payload, "router_data": place}]))

    def answers(self, customer: str, *, patience: float = ANSWER_TIMEOUT) -> bool:
        """Say whether the server still answers this tab: it reads a page's address, after all that was sent before."""
        self.call(f"{STATE}.open", {"customer": customer})
        while (told := self._socket.receive(timeout=patience)) is not None:
            if f'"customer_rx_state_":"{customer}"' in str(told):
                return True
        return False

    def close(self) -> None:
        self._socket.close()


def assert_quiet(server: Server, *, lines: int, logged: int) -> None:
    """Check that the server lives, that it logged few lines since, and nothing that a sender wrote."""
    assert httpx.get(f"{server.url}/ping", timeout=ANSWER_TIMEOUT).status_code == 200
    said = server.said()[logged:]
    assert "Traceback" not in said
    assert [part for part in ("Jane", "07700", "doe.example", "drop table", "99999") if part in said] == []
    assert len(said.splitlines()) <= lines, said


@pytest.mark.parametrize("handler", HANDLERS)
def test_forged_events_write_nothing_end_no_tab_and_leave_a_few_lines(
    asked_site: AnsweringSite, logged: int, handler: str
) -> None:
    token, tab = asked_site.given(TO_Q19), Tab(asked_site.server, f"forged-{handler}")
    before = asked_site.journey(token)
    tab.call(KEEP, {"vars": {COOKIE_VAR: token}})
    for value in FORGED:
        tab.call(handler, dict.fromkeys(HANDLERS[handler], value), address=routes.question("q19"))
        tab.call(KEEP, {"vars": {COOKIE_VAR: value}})
    assert tab.answers("home-mover")
    for payload in (PERSON, [PERSON], None, {"customer": PERSON, PERSON: PERSON}):
        tab.call(handler, payload)
    for address in ADDRESSES:
        tab.call(handler, {"form": {"step": "q19", "answer": PERSON}}, address=address)
    assert tab.answers("remortgaging")
    tab.close()
    assert asked_site.journey(token) == before
    assert_quiet(asked_site.server, logged=logged, lines=MAX_LINES * (len(HANDLERS) + 6))


def test_unknown_events_and_broken_packets_leave_a_few_lines(running_site: EnquirySite, logged: int) -> None:
    tab = Tab(running_site.server, "unknown")
    for name in UNKNOWN:
        tab.call(name, {"typed": PERSON})
    assert tab.answers("remortgaging")
    for packet in BROKEN:
        end_by(Tab(running_site.server, "broken"), packet)
    end_by(tab, "42/_event," + json.dumps(["event", {"name": STATE, "payload": {"typed": "x" * TOO_LARGE}}]))
    after = Tab(running_site.server, "after")
    assert after.answers("home-mover")
    after.close()
    assert_quiet(running_site.server, logged=logged, lines=6 * MAX_LINES)


def end_by(tab: Tab, packet: str) -> None:
    """Send a packet that the server may close the socket over, or wait on for more; then leave."""
    try:
        tab.say(packet)
        tab.answers("buy-to-let", patience=0.2)
        tab.close()
    except ConnectionClosed:
        return


def test_flood_of_one_tab_does_not_hold_up_another(running_site: EnquirySite, logged: int) -> None:
    flood, quiet = Tab(running_site.server, "flood"), Tab(running_site.server, "quiet")
    with suppress(ConnectionClosed):  # the server closes a socket of too many frames
        for _ in range(1_000):
            flood.call(f"{STATE}.show_details", {})
    assert quiet.answers("home-mover")
    with suppress(ConnectionClosed):
        flood.close()
    quiet.close()
    assert_quiet(running_site.server, logged=logged, lines=2 * MAX_LINES)


def test_socket_of_another_origin_is_refused(server: str) -> None:
    handshake = {"connection": "Upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
    address = f"{server}/_event/?token=evil&EIO=4&transport=websocket"
    for origin in ("https://evil.example", "null", "http://localhost.evil.example"):
        headers = {**handshake, "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==", "origin": origin}
        assert (origin, httpx.get(address, headers=headers, timeout=ANSWER_TIMEOUT).status_code) == (origin, 403)


def test_page_keeps_working_without_its_server(
    running_site: EnquirySite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("WebSocket connection|ERR_CONNECTION_REFUSED")
    rates, sums = RatesPage(page=open_page()), open_page()
    visit(sums, routes.calculator("repayment"))
    rates.open(period="5")
    rates.expect_cards(ids(answer(period="5")))
    rates.box("Mortgage amount").fill("150000")
    expect(rates.list).to_have_attribute("data-answered", f"{routes.RATES}?period=5")
    expect(rates.page.get_by_text("No signal.")).to_have_count(0)
    running_site.stop()
    for page in (rates.page, sums):
        expect(page.get_by_role("status").filter(has_text="Connection lost.")).to_be_visible()
    sums.locator("#repayment-loan").fill("100000")
    expect(sums.locator("#repayment .plate")).to_contain_text(pounds_and_pence(monthly_payment(100_000, 5.99, 25)))
    expect(rates.box("Mortgage amount")).to_have_value("150000")
    rates.expect_cards(ids(answer(period="5")))
    running_site.start()
    expect(rates.page.get_by_text("Connection lost.")).to_have_count(0)
    expect(rates.box("Mortgage amount")).to_have_value("150000")
    rates.update()
    rates.expect_address(amount="150000", period="5")
    rates.expect_cards(ids(answer(amount="150000", period="5")))
