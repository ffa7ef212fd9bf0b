"""Traces of the real server at a collector: what each visit leaves there, and that nothing of the visitor does."""

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from signal import SIGKILL
from urllib.parse import urlencode

import httpx
import pytest

from broker import routes
from tests.collector import Collector, SentSpan
from tests.integration.enquiry_site import FORM, post
from tests.integration.mail_server import MailServer
from tests.integration.tabs import Tab
from tests.standin import running
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project
from tools.server import Server, free_port, start

ADDRESS, TAB = "203.0.113.77", "tab-of-ada-0123456789abcdef"
SEARCH = {"price": "412345", "amount": "309876"}
HEADERS = {
    "x-forwarded-for": ADDRESS,
    "x-request-id": "one-of-the-tests",
    "user-agent": "Adas browser",
    "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
}


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    collector = Collector()
    with collector.up():
        yield collector


@pytest.fixture(scope="module")
def mail() -> Iterator[MailServer]:
    server = MailServer()
    with server.up():
        yield server


@pytest.fixture(scope="module")
def server(
    site: Path, project: Project, collector: Collector, mail: MailServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    del site
    folder = tmp_path_factory.mktemp("traced")
    with running() as feed:
        settings = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_BSP_SCHEDULE_DELAY": "200",
            "OTEL_SERVICE_NAME": "broker-of-the-tests",
            "BROKER_API_URL": feed.url,
            "BROKER_STATE_DIR": str(folder),
            "BROKER_TRUSTED_PROXIES": "1",
            "BROKER_LOG_FORMAT": "json",
            "BROKER_SMTP_URL": mail.url,
            "BROKER_MAIL_TO": "a@b.example",
            "BROKER_MAIL_FROM": "c@b.example",
        }
        started = start(project, free_port(), log=folder / "log", settings=settings)
        yield started
        started.stop()


@pytest.fixture(scope="module")
def visited(server: Server, mail: MailServer) -> list[str]:
    """Visit the site as Ada would, and return what is hers and must not be in a trace."""
    with httpx.Client(base_url=server.url, headers={**HEADERS, "origin": server.url}, timeout=ANSWER_TIMEOUT) as client:
        assert client.get(f"{routes.ABOUT}?email={FORM['email']}").status_code == 200
        assert client.get(f"{routes.RATES}?{urlencode(SEARCH)}").status_code == 200
        thanks = post(client)
        assert thanks.status_code == 303
        client.get(thanks.headers["location"])
        client.get("/enquiries/ada-lovelace/")
    token = asyncio.run(_answer(server.url))
    reference = str(mail.next()["Subject"]).split()[-1]
    credentials = thanks.headers["location"].partition("?")[2] or thanks.headers["set-cookie"].partition("=")[2][:20]
    own = [FORM[name] for name in ("name", "telephone", "email", "message")]
    sent = [HEADERS["user-agent"], HEADERS["traceparent"].split("-")[1], "lovelace", ADDRESS, TAB]
    return [*own, *SEARCH.values(), *sent, token, reference, credentials]


async def _answer(url: str) -> str:
    async with asyncio.timeout(ANSWER_TIMEOUT):
        tab = await Tab.connected(url, TAB)
        await tab.answer("q1", "remortgage")
        await tab.leave()
    return tab.token


def parent_of(child: SentSpan, collector: Collector, name: str) -> SentSpan:
    (parent,) = [each for each in collector.named(name) if each.span_id == child.parent]
    return parent


@pytest.mark.usefixtures("visited")
def test_page_is_a_trace_by_its_route(collector: Collector) -> None:
    (page,) = collector.named(f"GET {routes.ABOUT}")
    assert (page.parent, page.failed, collector.services) == ("", False, {"broker-of-the-tests"})
    assert page.attributes == {
        "http.request.method": "GET",
        "http.route": routes.ABOUT,
        "broker.request_id": "one-of-the-tests",
        "http.response.status_code": 200,
    }


@pytest.mark.usefixtures("visited")
def test_search_is_traced_from_its_request_to_the_feed(collector: Collector) -> None:
    (request,) = collector.named(f"GET {routes.RATES}")
    calls = [each for each in collector.named("feed get_rates") if each.trace_id == request.trace_id]
    assert len(calls) == 2, "the search, and the next lower band"
    for call in calls:
        assert call.attributes == {"http.response.status_code": 200}
        search = parent_of(call, collector, "search")
        assert (search.attributes, search.parent) == ({"broker.answered_by": "source"}, request.span_id)


@pytest.mark.usefixtures("visited")
def test_event_of_a_tab_and_jobs_are_traces_of_their_own(collector: Collector) -> None:
    (event,) = collector.named("event QuestionnaireState.answer")
    handler = {"code.function.name": "broker.state.questionnaire.QuestionnaireState.answer"}
    assert (event.attributes, event.parent) == (handler, "")
    for job in ("send note to staff", "delete what is due", "refresh rates by customer type"):
        assert [(each.parent, each.failed) for each in collector.named(job)] == [("", False)]


@pytest.mark.usefixtures("visited")
def test_log_line_of_a_request_names_its_trace(server: Server, collector: Collector) -> None:
    (page,) = collector.named(f"GET {routes.ABOUT}")
    lines = [json.loads(line) for line in server.said().splitlines()]
    assert [line["trace_id"] for line in lines if line.get("route") == routes.ABOUT] == [page.trace_id]


def test_nothing_of_a_visitor_reaches_the_collector(visited: list[str], collector: Collector) -> None:
    collector.named("event QuestionnaireState.answer")
    collector.named("send note to staff")
    assert b"one-of-the-tests" in collector.received
    assert all(visited)
    assert [each for each in visited if each.encode() in collector.received] == []


def test_silent_collector_delays_neither_pages_nor_the_stop(site: Path, project: Project, tmp_path: Path) -> None:
    del site
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": address, "BROKER_STATE_DIR": str(tmp_path)}
        settings |= {"OTEL_BSP_SCHEDULE_DELAY": "50", "OTEL_EXPORTER_OTLP_TIMEOUT": "600"}
        server = start(project, free_port(), settings=settings)
        try:
            with httpx.Client(base_url=server.url, timeout=ANSWER_TIMEOUT) as client:
                assert [client.get(routes.ABOUT).status_code for _ in range(200)] == [200] * 200
        finally:
            server.stop()
        assert server.process.returncode != -SIGKILL, "it was killed, as it had not stopped after ten seconds"
