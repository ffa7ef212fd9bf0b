"""10,000 mails, through a server that refuses one in five and is away at times, by senders that are killed."""

import pytest

from broker.settings import Settings
from tests.integration.mail_run import SENDERS, deliver

COUNT, KILLS = 10_000, 4


@pytest.mark.soak
def test_each_of_many_mails_arrives_and_none_is_lost(db_settings: Settings) -> None:
    delivery = deliver(db_settings, COUNT, kills=KILLS)
    assert (delivery.delivered, delivery.standing.waiting, delivery.standing.given_up) == (COUNT, 0, 0)
    assert delivery.repeated <= SENDERS * KILLS
    assert delivery.refused > COUNT // 10
