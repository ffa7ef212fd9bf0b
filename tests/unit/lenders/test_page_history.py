from collections.abc import Mapping
from dataclasses import replace

from broker.content.store import ContentStore, History
from broker.lenders.directory import LenderDirectory
from broker.lenders.lender import KnownLender
from broker.lenders.page_history import PageHistory
from broker.rates.deal_types import DEAL_TYPES
from tests.our_content import STORE

HALIFAX = KnownLender(lender_id=42, name="Halifax", slug="halifax")
ALDER = KnownLender(lender_id=101, name="Alder Mutual", slug="alder")
UNKNOWN_TO_THE_FEED = KnownLender(lender_id=0, name="Alder Mutual", slug="alder")
KINDS = [kind.slug for kind in DEAL_TYPES]


def history(
    *lenders: KnownLender, moved: Mapping[str, str] | None = None, removed: tuple[str, ...] = ()
) -> PageHistory:
    store = ContentStore(replace(STORE.content, history=History(moved=moved or {}, removed=removed)))
    return PageHistory(store, LenderDirectory(lenders), ours=[HALIFAX])


def test_deals_of_a_renamed_lender_lead_to_its_deals() -> None:
    found = history(HALIFAX, ALDER, moved={"/lenders/elm/": "/lenders/alder/", "/a/": "/b/"}).current()
    assert found.moved == {
        "/a/": "/b/",
        "/lenders/elm/": "/lenders/alder/",
        **{f"/lenders/elm/{kind}/": f"/lenders/alder/{kind}/" for kind in KINDS},
    }
    assert found.removed == ()


def test_deals_lead_to_the_page_of_a_lender_that_has_none() -> None:
    found = history(HALIFAX, UNKNOWN_TO_THE_FEED, moved={"/lenders/elm/": "/lenders/alder/"}).current()
    assert {found.moved[f"/lenders/elm/{kind}/"] for kind in KINDS} == {"/lenders/alder/"}


def test_all_pages_of_a_removed_lender_are_gone() -> None:
    found = history(HALIFAX, removed=("/gone/", "/lenders/elm/")).current()
    assert set(found.removed) == {"/gone/", "/lenders/elm/", *(f"/lenders/elm/{kind}/" for kind in KINDS)}


def test_lender_that_left_the_feed_is_gone_until_it_is_back() -> None:
    made = history(ALDER)
    assert "/lenders/halifax/2-years-fixed/" in made.current().removed
    made = history(ALDER, HALIFAX)
    assert made.current().removed == ()


def test_history_follows_the_lenders_of_the_moment() -> None:
    directory = LenderDirectory([ALDER])
    made = PageHistory(STORE, directory, ours=[HALIFAX])
    assert "/lenders/halifax/" in made.current().removed
    assert made.current() is made.current()
    directory.update([ALDER, HALIFAX])
    assert "/lenders/halifax/" not in made.current().removed


def test_lender_that_has_its_page_without_the_content_keeps_it() -> None:
    gone = history(HALIFAX, removed=("/lenders/halifax/",)).current()
    assert (gone.moved, gone.removed) == ({}, ())
    renamed = history(HALIFAX, moved={"/lenders/halifax/": "/lenders/halifax-plc/"}).current()
    assert (renamed.moved, renamed.removed) == ({}, ())


def test_page_that_is_back_answers_as_before_until_it_is_compiled() -> None:
    before = History(moved={"/a/": "/b/", "/guide/": "/b/"}, removed=("/gone/", "/ended/"))
    store = ContentStore(replace(STORE.content, history=before))
    served = {"/guide/"}
    made = PageHistory(store, LenderDirectory([HALIFAX]), ours=[HALIFAX], is_served=served.__contains__)
    made.current()
    store.content = replace(STORE.content, history=History(moved={"/b/": "/a/"}, removed=("/ended/",)))
    assert made.current().moved == {"/a/": "/b/", "/b/": "/a/"}
    assert made.current().removed == ("/ended/", "/gone/")
    served |= {"/a/", "/gone/"}
    store.content = replace(store.content)
    assert (made.current().moved, made.current().removed) == ({"/b/": "/a/"}, ("/ended/",))
