"""Two workers over Redis and PostgreSQL as an operator sees them: figures, log lines, limits and stops."""

import asyncio
import json
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from broker import routes
from broker.services.enquiries.enquiries import Limits
from tests.databases.cluster import Cluster
from tests.integration.enquiry_site import post
from tests.integration.hostile import connections
from tests.integration.tabs import Tab
from tests.integration.workers_site import METRICS_TOKEN, WorkersSite, workers_site
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project

SOCKETS = 40


@pytest.fixture(scope="module")
def workers(
    site: Path, project: Project, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WorkersSite]:
    del site
    with workers_site(project, tmp_path_factory.mktemp("workers"), cluster, BROKER_LOG_FORMAT="json") as running:
        yield running


def client(workers: WorkersSite, address: str) -> httpx.Client:
    headers = {"x-forwarded-for": address, "origin": workers.url}
    return httpx.Client(base_url=workers.url, headers=headers, timeout=ANSWER_TIMEOUT)


def test_figures_are_those_of_all_workers(workers: WorkersSite) -> None:
    for _ in range(40):  # each over a connection of its own, which either worker may take
        assert httpx.get(workers.url + routes.ABOUT, timeout=ANSWER_TIMEOUT).status_code == 200
    told = httpx.get(
        f"{workers.url}/metrics", headers={"authorization": f"Bearer {METRICS_TOKEN}"}, timeout=ANSWER_TIMEOUT
    )
    families = {each.name: each for each in text_string_to_metric_families(told.text)}
    counted = [each for each in families["broker_http_requests"].samples if each.labels.get("route") == routes.ABOUT]
    assert [(each.labels["status"], each.value) for each in counted if each.name.endswith("_total")] == [("200", 40.0)]
    assert httpx.get(f"{workers.url}/metrics", timeout=ANSWER_TIMEOUT).status_code == 401


def test_network_is_limited_over_all_workers(workers: WorkersSite) -> None:
    statuses = []
    for number in range(Limits().sent + 2):
        with client(workers, "198.51.100.7") as one:
            statuses.append(post(one, name=f"Visitor {number}").status_code)
    assert statuses.count(303) <= Limits().sent
    assert statuses[-1] == 429


def test_log_has_a_line_for_each_request_and_nobody_in_it(workers: WorkersSite) -> None:
    with client(workers, "203.0.113.77") as one:
        one.get(f"{routes.ABOUT}?email=ada@example.com", headers={"x-request-id": "one-of-the-tests"})
        post(one, name="Zebedee Quillfeather")
    lines = [json.loads(line) for line in workers.server.said().splitlines()]
    (told,) = [line for line in lines if line["request_id"] == "one-of-the-tests"]
    figures = {name: told[name] for name in ("level", "message", "method", "route", "status")}
    assert figures == {"level": "INFO", "message": "request", "method": "GET", "route": routes.ABOUT, "status": 200}
    for personal in ("203.0.113.77", "ada@example", "Zebedee", "email="):
        assert personal not in workers.server.said()


async def opened_one_by_one(workers: WorkersSite, sockets: int) -> list[int]:
    """Return how many of some sockets each worker has."""
    before = [connections(each) for each in workers.workers()]
    tabs = [await Tab.connected(workers.url, f"one-by-one-{each}") for each in range(sockets)]
    opened = [connections(each) - then for each, then in zip(workers.workers(), before, strict=True)]
    for tab in tabs:
        await tab.leave()
    return opened


def test_sockets_are_spread_over_the_workers(workers: WorkersSite) -> None:
    opened = asyncio.run(opened_one_by_one(workers, SOCKETS))
    assert min(opened) >= SOCKETS // 8, opened  # less than half: on a busy machine one worker may get little of it


def test_no_request_is_lost_while_the_workers_are_killed(workers: WorkersSite) -> None:
    for worker in workers.workers():
        workers.kill(worker)
        for _ in range(20):
            assert httpx.get(workers.url + routes.HOME, timeout=ANSWER_TIMEOUT).status_code == 200
        workers.wait_for_workers()


def test_workers_are_replaced_with_no_request_lost(workers: WorkersSite) -> None:
    before, failed = set(workers.workers()), []
    is_over = threading.Event()

    def ask() -> int:
        asked = 0
        while not is_over.is_set():
            asked += 1
            try:
                answer = httpx.get(workers.url + routes.HOME, timeout=ANSWER_TIMEOUT)
            except httpx.HTTPError as error:
                failed.append(repr(error))
            else:
                failed.extend([] if answer.status_code == 200 else [answer.status_code])
        return asked

    with ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(ask) for _ in range(4)]
        try:
            workers.server.process.send_signal(signal.SIGHUP)
            workers.wait_until_replaced(before)
        finally:
            is_over.set()
    assert failed == []
    assert sum(each.result() for each in asking) > 100
