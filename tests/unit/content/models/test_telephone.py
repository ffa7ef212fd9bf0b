"""Telephone numbers and the numbers that their links dial."""

from dataclasses import replace

import pytest

from broker.content.models.telephone import e164
from tests.our_content import STORE

LONDON = "+442079460123"

DIALLED = {
    "020 7946 0123": LONDON,
    "(020) 7946-0123": LONDON,
    "+44 (0)20 7946 0123": LONDON,
    "0044 20 7946 0123": LONDON,
    "+353 1 234 5678": "+35312345678",
    "": "",
    "ask us": "",
    "0123": "",
    "1" * 16: "",
}


@pytest.mark.parametrize("phone", DIALLED)
def test_number_is_dialled_in_e164_form(phone: str) -> None:
    assert e164(phone) == DIALLED[phone]


def test_change_of_the_phone_changes_what_its_links_dial() -> None:
    site = STORE.site()
    assert (site.phone, site.tel) == ("020 7946 0123", LONDON)
    assert replace(site, phone="0161 496 0123").tel == "+441614960123"
