"""Two workers over Redis and PostgreSQL: a visitor whose worker is killed goes on at the other, and loses nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.databases.cluster import Cluster
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import DESKTOP, Problems
from tests.e2e.rates_page import RatesPage, answer, ids
from tests.integration.workers_site import WorkersSite, workers_site
from tools.project import Project

WITHIN = 3_000
"""Milliseconds after which a visitor whose worker was killed goes on."""


@pytest.fixture(scope="module")
def workers(
    site: Path, project: Project, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WorkersSite]:
    del site
    with workers_site(project, tmp_path_factory.mktemp("workers"), cluster) as running:
        yield running


def test_search_goes_on_when_its_worker_is_killed(
    workers: WorkersSite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("WebSocket connection")
    rates = RatesPage(page=open_page(DESKTOP, base=workers.url))
    rates.open(period="5")
    for amount, worker in zip(("150000", "160000"), workers.workers(), strict=True):
        rates.box("Mortgage amount").fill(amount)
        workers.kill(worker)
        rates.update()
        rates.expect_address(amount=amount, period="5")
        expect(rates.cards.first).to_have_attribute(
            "data-product", ids(answer(amount=amount, period="5"))[0], timeout=WITHIN
        )
        rates.expect_cards(ids(answer(amount=amount, period="5")))
        workers.wait_for_workers()
