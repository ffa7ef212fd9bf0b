from dataclasses import replace

from broker.lenders.directory import LenderDirectory, known_lenders
from broker.lenders.lender import KnownLender
from tests.our_content import STORE
from tests.unit.content.wordpress.answering import snapshot

HALIFAX = KnownLender(lender_id=34, name="Halifax", slug="halifax")
TEXT = snapshot()[0].lenders["alder-mutual"]
FEED = {34: "Halifax plc", 105: "Elm Tree Home Loans", 101: "Alder Mutual Building Society"}


def test_lender_of_the_content_has_a_page_unless_id_or_slug_is_taken() -> None:
    texts = {
        **STORE.lender_texts(),
        "alder-mutual": TEXT,
        "halifax": TEXT,
        "halifax-bank": replace(TEXT, lender_id=34),
        "nobody": replace(TEXT, lender_id=0),
    }
    assert known_lenders([HALIFAX], texts, names={}) == (
        HALIFAX,
        KnownLender(lender_id=101, name="Alder Mutual", slug="alder-mutual", kind=""),
    )


def test_lenders_are_the_feeds_and_other_texts_are_pages_without_rates() -> None:
    tipton = KnownLender(lender_id=105, name="Tipton & Coseley", slug="tipton")
    texts = {"alder-mutual": TEXT, "tipton": replace(TEXT, name="Tipton & Coseley", lender_id=0)}
    assert known_lenders([HALIFAX, tipton], texts, names=FEED) == (
        replace(HALIFAX, name="Halifax plc"),
        KnownLender(lender_id=105, name="Elm Tree Home Loans", slug="", kind=""),
        KnownLender(lender_id=101, name="Alder Mutual Building Society", slug="alder-mutual", kind=""),
        KnownLender(lender_id=0, name="Tipton & Coseley", slug="tipton", kind=""),
    )


def test_page_whose_id_is_another_lenders_has_no_rates_and_no_logo() -> None:
    tipton = KnownLender(lender_id=105, name="Tipton & Coseley", slug="tipton")
    directory = LenderDirectory([HALIFAX, tipton, KnownLender(lender_id=0, name="None", slug="none")])
    assert directory.by_slug("tipton") == tipton
    directory.learn_names(FEED)
    directory.learn_logos({105: "/logos/105-elm.png"})
    assert (directory.by_slug("tipton"), directory.by_mark("/art/lender-tipton.svg")) == (None, None)
    assert (directory.by_slug("none"), directory.by_slug("")) == (None, None)
    assert directory.by_mark("/art/lender-halifax.svg") == HALIFAX
    assert dict(directory.clashes) == {105: "Tipton & Coseley is Elm Tree Home Loans in the feed"}
    assert directory.logos() == {34: "/art/lender-halifax.svg", 105: "/logos/105-elm.png"}
    assert (directory.name(105), directory.name(34), directory.name(999)) == ("Elm Tree Home Loans", "Halifax", "")
    directory.update(known_lenders([HALIFAX, tipton], {}, names=FEED))
    assert (dict(directory.clashes), directory.by_slug("tipton")) == ({}, None)


def test_lenders_are_sorted_and_have_a_picture_by_id() -> None:
    directory = LenderDirectory(
        [
            KnownLender(lender_id=7, name="Cedar", slug="cedar"),
            KnownLender(lender_id=42, name="Alder Bank", slug="alder-bank"),
        ]
    )
    assert [lender.name for lender in directory.lenders] == ["Alder Bank", "Cedar"]
    assert directory.logos() == {7: "/art/lender-cedar.svg", 42: "/art/lender-alder-bank.svg"}
