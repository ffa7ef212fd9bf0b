import pytest

from broker.enquiries.enquiry import SIGNS, format_reference, parse_reference

TYPED = {
    "as it is written": ("HG-7K3M-Q2XD", "HG-7K3M-Q2XD"),
    "small, with blanks": (" hg 7k3m q2xd ", "HG-7K3M-Q2XD"),
    "without its beginning": ("7k3mq2xd", "HG-7K3M-Q2XD"),
    "with longer dashes": ("HG–7K3M—Q2XD", "HG-7K3M-Q2XD"),
    "letters for the figures they look like": ("HG-BS3M-QZXD", "HG-853M-Q2XD"),
    "too short": ("HG-7K3M-Q2X", ""),
    "too long": ("HG-7K3M-Q2XDD", ""),
    "a sign that none has": ("HG-7K3M-Q2X0", ""),
    "another beginning": ("GH-7K3M-Q2XD", ""),
    "a long text": ("7" * 1_000_000, ""),
    "nothing": (None, ""),
    "a number": (23456789, ""),
}


@pytest.mark.parametrize(("typed", "meant"), TYPED.values(), ids=TYPED)
def test_reference_is_found_in_what_is_typed(typed: object, meant: str) -> None:
    assert parse_reference(typed) == meant


def test_references_use_no_signs_that_look_alike_or_spell_words() -> None:
    assert set(SIGNS) & set("01ILOBSZUAE") == set()
    assert (len(set(SIGNS)), parse_reference(format_reference(SIGNS[:8]))) == (len(SIGNS), format_reference(SIGNS[:8]))
