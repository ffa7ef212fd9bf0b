"""Watches through a real mail server over months of a moved clock, and many of them at once."""

from broker.settings import Settings
from tests.integration.watch_run import assert_right, check_many, live_half_a_year


def test_months_of_watches_tell_each_thing_once_and_nothing_after_a_stop(db_settings: Settings) -> None:
    lived = live_half_a_year(db_settings, 10, days=50)
    assert_right(lived)
    assert lived.mails
    assert lived.stopped


def test_many_watches_are_checked_and_told_what_their_plans_confirm(db_settings: Settings) -> None:
    first, second = check_many(db_settings, 60)
    assert (first.checked.watches, second.checked.watches) == (60, 60)
    assert first.checked.findings > 0
    assert second.checked.mails > 0
