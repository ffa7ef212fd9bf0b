"""1,000 presses at one moment on 20 slots, by visitors of three processes; how soon a page with slots answers."""

import statistics
import sys
import time
from pathlib import Path

import pytest

from broker import routes
from tests.databases.cluster import Cluster
from tests.databases.fixtures import TEMPLATE
from tests.integration.adviser_hours import add_adviser, times_in
from tests.integration.enquiry_site import enquiry_site
from tests.integration.slot_presser import GIVEN, TOLD
from tests.integration.slot_presses import Presses, press_at_once
from tools.project import Project

PRESSES, SLOTS = 1_000, 20


def check(presses: Presses, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{presses.line(name)}\n")
    assert presses.outcomes == {GIVEN: SLOTS, TOLD: PRESSES - SLOTS}
    assert (presses.appointments, presses.doubled) == (SLOTS, 0)


@pytest.mark.soak
def test_many_presses_on_few_slots_on_sqlite(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(press_at_once(sqlite_url, presses=PRESSES, slots=SLOTS), "SQLite", capsys)


@pytest.mark.soak
def test_many_presses_on_few_slots_on_postgresql(cluster: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    url = cluster.create("many_slot_presses", template=TEMPLATE)
    check(press_at_once(url, presses=PRESSES, slots=SLOTS), "PostgreSQL", capsys)


@pytest.mark.soak
def test_page_with_slots_answers(
    site: Path, project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del site
    taken = list[float]()
    with enquiry_site(project, tmp_path) as running, running.client() as client:
        add_adviser(running.state_dir, "grace")
        assert len(times_in(client.get(routes.CONTACT).text)) > SLOTS
        for _ in range(101):
            start = time.perf_counter()
            client.get(routes.CONTACT)
            taken.append(1_000 * (time.perf_counter() - start))
    with capsys.disabled():
        sys.stdout.write(f"\na page with slots: median {statistics.median(taken):.1f} ms, most {max(taken):.1f} ms\n")
