"""Links of a snapshot that lead nowhere: taken out, and reported by name."""

from dataclasses import replace

from broker.content.models.menu import Menu, MenuItem
from broker.content.snapshot.snapshot import Snapshot
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
        "note: lender halifax-bank: is the second page of halifax, left out",
        "note: lender nobody: is none of ours and names no lender id, left out",
    ]


def test_view_all_link_that_leads_nowhere_is_the_usual_one() -> None:
    text = replace(FOUND.lenders["alder-mutual"], view_all_link="/all-of-them/")
    found, issues = without_broken_links(replace(FOUND, lenders={"alder-mutual": text}), STORE, lenders=LENDERS)
    assert found.lenders["alder-mutual"].view_all_link == "/tools/rates/"
    words = "view_all_link leads to /all-of-them/, where there is no page; /tools/rates/ is used"
    assert f"note: lender alder-mutual: {words}" in {str(issue) for issue in issues}
