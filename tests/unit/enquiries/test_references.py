import pytest

from broker.enquiries.enquiry import REFERENCE_ALPHABET, format_reference, parse_reference

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


def test_references_have_no_look_alike_characters_and_no_words() -> None:
    reference = format_reference(REFERENCE_ALPHABET[:8])
    assert set(REFERENCE_ALPHABET) & set("01ILOBSZUAE") == set()
    assert (len(set(REFERENCE_ALPHABET)), parse_reference(reference)) == (len(REFERENCE_ALPHABET), reference)
