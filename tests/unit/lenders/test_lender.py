import pytest

from broker.lenders.lender import KnownLender, has_same_name, is_compatible, lenders_of_feed

TIPTON = KnownLender(lender_id=105, name="Tipton & Coseley Building Society", slug="tipton", kind="building-society")
HALIFAX = KnownLender(lender_id=42, name="Halifax", slug="halifax")


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("Halifax", "HALIFAX Bank plc", True),
        ("Tipton & Coseley Building Society", "Tipton and Coseley BS", True),
        ("The Mortgage Works", "The Mortgage Lender", False),
        ("Bank of Scotland", "Bank of Ireland UK", False),
        ("Bank of Scotland", "Royal Bank of Scotland", False),
        ("Hinckley & Rugby", "Hinckley &amp Rugby", False),
        ("The Bank", "the bank", True),
        ("", "Halifax", False),
    ],
)
def test_names_of_one_lender_differ_in_how_a_firm_is_written(name: str, other: str, same: bool) -> None:
    assert has_same_name(name, other) is same


def test_longer_name_under_the_same_id_is_the_same_lender() -> None:
    assert is_compatible("Halifax", "Halifax Intermediaries Direct")
    assert not is_compatible("Tipton & Coseley", "Elm Tree Home Loans")


def test_lender_of_the_feed_takes_our_page_by_its_name_and_never_by_its_id() -> None:
    names = {105: "Elm Tree Home Loans", 300: "Tipton & Coseley", 42: "Halifax plc", 43: "Halifax"}
    assert lenders_of_feed(names, [TIPTON, HALIFAX]) == (
        KnownLender(lender_id=105, name="Elm Tree Home Loans", slug="", kind=""),
        KnownLender(lender_id=300, name="Tipton & Coseley", slug="tipton", kind="building-society"),
        KnownLender(lender_id=42, name="Halifax plc", slug="halifax"),
        KnownLender(lender_id=43, name="Halifax", slug="", kind=""),
    )
