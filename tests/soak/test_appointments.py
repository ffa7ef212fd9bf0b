"""1,000 presses at the same moment on 20 slots, by visitors of three processes."""

import sys

import pytest

from tests.databases.cluster import Cluster
from tests.databases.fixtures import TEMPLATE
from tests.integration.slot_presser import GIVEN, TOLD
from tests.integration.slot_presses import Presses, press_at_once

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
