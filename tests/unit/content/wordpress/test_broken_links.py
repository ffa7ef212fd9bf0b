from dataclasses import replace

from broker.content.menus import Menu, MenuItem
from broker.content.snapshot.snapshot import Severity, Snapshot
from broker.content.wordpress.broken_links import without_broken_links
from tests.our_content import STORE
from tests.unit.content.wordpress.answering import snapshot

FOUND: Snapshot = snapshot()[0]
LENDERS = {34: "halifax"}


def item(label: str, path: str, *children: MenuItem) -> MenuItem:
    return MenuItem(id=label, label=label, path=path, children=children)


def with_main(*items: MenuItem) -> Snapshot:
    return replace(FOUND, menus=replace(FOUND.menus, main=Menu(id="main", items=items)))


def test_entries_that_lead_nowhere_are_left_out_and_an_empty_menu_is_fatal() -> None:
    downloaded = with_main(
        item("Home", "/home/"),
        item("Lost", "/lost/", item("Rates", "/rates/")),
        item("Empty", "", item("Gone", "/gone/")),
        item("Portal", "https://portal.example.com/"),
    )
    found, issues = without_broken_links(downloaded, STORE, lenders=LENDERS)
    assert found.menus.main
    assert found.menus.main.items == (
        item("Home", "/"),
        item("Lost", "", item("Rates", "/tools/rates/")),
        item("Portal", "https://portal.example.com/"),
    )
    assert [str(issue) for issue in issues if issue.item == "menu main"] == [
        "note: menu main: 'Lost' leads to /lost/, where there is no page, left out",
        "note: menu main: 'Gone' leads to /gone/, where there is no page, left out",
    ]
    _, issues = without_broken_links(with_main(item("Gone", "/gone/")), STORE, lenders=LENDERS)
    assert "unusable: menu main: leads to no page at all" in {str(issue) for issue in issues}


def test_words_for_a_lender_stand_on_the_page_of_the_same_id() -> None:
    text = FOUND.lenders["alder-mutual"]
    texts = {"halifax": text, "halifax-bank": replace(text, lender_id=34), "alder-mutual": text}
    downloaded = replace(FOUND, lenders=texts | {"nobody": replace(text, lender_id=0)})
    found, issues = without_broken_links(downloaded, STORE, lenders=LENDERS)
    assert list(found.lenders) == ["halifax", "alder-mutual"]
    assert [str(issue) for issue in issues if issue.item.startswith("lender")] == [
        "note: lender nobody: is none of ours and names no lender id, left out",
        "note: lender halifax-bank: is the second page of halifax, left out",
    ]


def test_text_has_the_feeds_id_for_its_name_and_a_clash_is_a_fault() -> None:
    text = FOUND.lenders["alder-mutual"]
    texts = {
        "alder-mutual": text,
        "tipton": replace(text, name="Tipton & Coseley", lender_id=105),
        "birch": replace(text, name="Birch & Stone", lender_id=105),
        "cedar": replace(text, name="Cedar Bank", lender_id=7),
        "oak": replace(text, name="Oak", lender_id=0),
    }
    feed = {101: "Alder Mutual Building Society", 105: "Elm Tree Home Loans", 300: "Birch and Stone", 301: "Oak Bank"}
    found, issues = without_broken_links(replace(FOUND, lenders=texts), STORE, lenders={}, feed=feed)
    ids = {slug: each.lender_id for slug, each in found.lenders.items()}
    assert ids == {"alder-mutual": 101, "tipton": 0, "birch": 300, "cedar": 0, "oak": 301}
    clash = "names the lender id 105, which is Elm Tree Home Loans in the feed"
    assert [str(issue) for issue in issues if issue.item.startswith("lender")] == [
        f"{Severity.FAULT}: lender tipton: {clash}: its page shows no rates",
        f"{Severity.FAULT}: lender birch: {clash}: the rates of id 300, Birch and Stone, are shown",
        "note: lender cedar: is no lender of the feed: its page shows no rates",
    ]


def test_view_all_link_that_leads_nowhere_is_the_usual_one() -> None:
    text = replace(FOUND.lenders["alder-mutual"], view_all_link="/all-of-them/")
    found, issues = without_broken_links(replace(FOUND, lenders={"alder-mutual": text}), STORE, lenders=LENDERS)
    assert found.lenders["alder-mutual"].view_all_link == "/tools/rates/"
    words = "view_all_link leads to /all-of-them/, where there is no page; /tools/rates/ is used"
    assert f"note: lender alder-mutual: {words}" in {str(issue) for issue in issues}
