from dataclasses import replace

from broker.content.models.site import e164
from tests.our_content import STORE

LONDON = "+442079460123"

DIALLED = {
    "020 7946 0123": LONDON,
    "(020) 7946-0123": LONDON,
    "+44 (0)20 7946 0123": LONDON,
    "0044 20 7946 0123": LONDON,
    "+353 1 234 5678": "+35312345678",
    **dict.fromkeys(("", "ask us", "0123", "1" * 16), ""),
}


def test_number_is_dialled_in_e164_form() -> None:
    assert {phone: e164(phone) for phone in DIALLED} == DIALLED
    site = STORE.site()
    assert (site.phone, site.tel) == ("020 7946 0123", LONDON)
    assert replace(site, phone="0161 496 0123").tel == "+441614960123"
