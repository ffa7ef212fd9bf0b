"""Two processes behind nginx, with Redis and PostgreSQL, as an operator sees them: log lines, limits and restarts."""

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from broker import routes
from broker.enquiries.service import Limits
from tests.databases.cluster import Cluster
from tests.integration.enquiry_site import post
from tests.integration.hostile import connections
from tests.integration.processes_site import METRICS_TOKEN, ProcessesSite, processes_site
from tests.integration.tabs import Tab
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project

SOCKETS = 40


@pytest.fixture(scope="module")
def processes(
    site: Path, project: Project, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ProcessesSite]:
    del site
    with processes_site(
        project, tmp_path_factory.mktemp("processes"), cluster, given={"BROKER_LOG_FORMAT": "json"}
    ) as running:
        yield running


def client(processes: ProcessesSite, address: str) -> httpx.Client:
    headers = {"x-forwarded-for": address, "origin": processes.url}
    return httpx.Client(base_url=processes.url, headers=headers, timeout=ANSWER_TIMEOUT)


def test_each_process_reports_its_own_figures(processes: ProcessesSite) -> None:
    for url in processes.own_urls:
        assert httpx.get(url + routes.ABOUT, timeout=ANSWER_TIMEOUT).status_code == 200
        assert httpx.get(f"{url}/metrics", timeout=ANSWER_TIMEOUT).status_code == 401
        headers = {"authorization": f"Bearer {METRICS_TOKEN}"}
        told = httpx.get(f"{url}/metrics", headers=headers, timeout=ANSWER_TIMEOUT)
        families = {each.name: each for each in text_string_to_metric_families(told.text)}
        counted = [each for each in families["broker_http_requests"].samples if each.labels["route"] == routes.ABOUT]
        assert [each.value for each in counted if each.name.endswith("_total")] == [1.0]


def test_network_is_limited_over_all_processes(processes: ProcessesSite) -> None:
    statuses = []
    for number in range(Limits().sent + 2):
        with client(processes, "198.51.100.7") as one:
            statuses.append(post(one, name=f"Visitor {number}").status_code)
    assert statuses.count(303) <= Limits().sent
    assert statuses[-1] == 429


def test_log_has_a_line_for_each_request_without_personal_data(processes: ProcessesSite) -> None:
    with client(processes, "203.0.113.77") as one:
        headers = {"x-request-id": "one-of-the-tests"}  # nginx sends one of its own
        one.get(f"{processes.own_urls[0]}{routes.ABOUT}?email=ada@example.com", headers=headers)
        post(one, name="Zebedee Quillfeather")
    lines = [json.loads(line) for line in processes.said().splitlines()]
    (told,) = [line for line in lines if line["request_id"] == "one-of-the-tests"]
    figures = {name: told[name] for name in ("level", "message", "method", "route", "status")}
    assert figures == {"level": "INFO", "message": "request", "method": "GET", "route": routes.ABOUT, "status": 200}
    for personal in ("203.0.113.77", "ada@example", "Zebedee", "email="):
        assert personal not in processes.said()


async def opened_one_by_one(processes: ProcessesSite, sockets: int) -> list[int]:
    """Return how many of some sockets each process has."""
    before = [connections(each) for each in processes.running()]
    tabs = [await Tab.connected(processes.url, f"one-by-one-{each}") for each in range(sockets)]
    opened = [connections(each) - then for each, then in zip(processes.running(), before, strict=True)]
    for tab in tabs:
        await tab.leave()
    return opened


def test_sockets_are_spread_over_the_processes(processes: ProcessesSite) -> None:
    opened = asyncio.run(opened_one_by_one(processes, SOCKETS))
    assert min(opened) >= SOCKETS // 4, opened


def test_processes_are_restarted_with_no_request_lost(processes: ProcessesSite) -> None:
    failed: list[object] = []
    is_over = threading.Event()

    def visit(visitor: int) -> int:
        asked = 0
        while not is_over.is_set():
            asked += 1
            try:
                with client(processes, f"192.0.{visitor}.{asked % 250}") as one:
                    found = one.get(f"{routes.RATES}?price={100_000 + asked}").status_code
                    sent = post(one, name=f"Visitor {visitor}-{asked}").status_code
            except httpx.HTTPError as error:
                failed.append(repr(error))
            else:
                failed.extend([] if (found, sent) == (200, 303) else [(found, sent)])
        return asked

    with ThreadPoolExecutor(4) as pool:
        visiting = [pool.submit(visit, each) for each in range(4)]
        try:
            processes.restart()
        finally:
            is_over.set()
    assert failed == []
    assert sum(each.result() for each in visiting) > 50
