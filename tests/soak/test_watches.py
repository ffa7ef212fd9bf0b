"""10,000 watches against a new catalogue, and half a year of watches with a mail server that fails one in five."""

import gc

import pytest

from broker.settings import Settings
from tests.integration.watch_run import assert_right, check_many, live_half_a_year

COUNT, MAX_SECONDS = 10_000, 3.0
OWNERS = 200


@pytest.mark.soak
def test_many_watches_are_checked_against_a_new_catalogue_in_seconds(db_settings: Settings) -> None:
    gc.freeze()  # as tools.web_server does
    first, second = check_many(db_settings, COUNT)
    for name, each in (("first reading", first), ("second reading, with mails", second)):
        print(f"{name}: {each.checked}, {each.processor:.2f} s of the processor, {each.wall:.2f} s")  # noqa: T201 - the soak's table
    assert (first.checked.watches, second.checked.watches) == (COUNT, COUNT)
    assert first.processor < MAX_SECONDS


@pytest.mark.soak
def test_half_a_year_of_watches_tells_each_thing_once_and_nothing_after_a_stop(db_settings: Settings) -> None:
    lived = live_half_a_year(db_settings, OWNERS)
    print(f"{len(lived.mails)} mails, {len(lived.stopped)} stopped, {lived.refused} refused at first")  # noqa: T201 - the soak's table
    assert_right(lived)
    assert lived.refused > len(lived.mails) // 10
