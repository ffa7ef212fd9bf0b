from tests.databases.cluster import Cluster
from tests.databases.fixtures import TEMPLATE
from tests.integration.slot_presser import GIVEN, TOLD
from tests.integration.slot_presses import press_at_once

CELLS = 6
"""Five-minute cells of an appointment of 20 minutes and its buffer."""


def test_each_slot_is_given_once_to_presses_of_several_processes_on_sqlite(sqlite_url: str) -> None:
    presses = press_at_once(sqlite_url, presses=60, slots=3)
    assert presses.outcomes == {GIVEN: 3, TOLD: 57}
    assert (presses.appointments, presses.doubled, presses.cells) == (3, 0, 3 * CELLS)


def test_each_slot_is_given_once_for_each_adviser_to_presses_of_several_processes_on_postgresql(
    cluster: Cluster,
) -> None:
    presses = press_at_once(cluster.create("slot_presses", template=TEMPLATE), presses=60, slots=3, advisers=2)
    assert presses.outcomes == {GIVEN: 6, TOLD: 54}
    assert (presses.appointments, presses.doubled, presses.cells) == (6, 0, 6 * CELLS)
