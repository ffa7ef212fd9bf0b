import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from broker import routes
from broker.content.errors import ContentError
from broker.content.models.pages import Faq, ServiceLook
from broker.content.models.pictures import SafeHtml
from broker.content.snapshot.serialisation import from_plain, to_plain
from broker.content.snapshot.snapshot import Snapshot, changes
from broker.content.snapshot.snapshot_folder import (
    has_snapshot,
    read_download,
    read_snapshot,
    snapshot_folder,
    write_snapshot,
)
from broker.content.snapshot.snapshot_store import PROGRAM_KINDS, SnapshotStore
from broker.content.source import content_store
from broker.content.store import find_page
from broker.content.text.term_links import with_term_links
from broker.settings import Settings
from tests.our_content import STORE
from tests.unit.content.wordpress.answering import API, snapshot

FOUND: Snapshot = snapshot()[0]
DOWNLOAD = {"parts": {}, "pictures": {}}


def test_snapshot_is_missing_and_the_same_after_it_was_written(tmp_path: Path) -> None:
    assert not has_snapshot(tmp_path)
    with pytest.raises(ContentError, match="cannot be read"):
        read_snapshot(tmp_path)
    write_snapshot(tmp_path, FOUND, files={"a.png": b"picture"}, download=DOWNLOAD)
    assert read_snapshot(tmp_path) == FOUND
    assert read_download(tmp_path) == DOWNLOAD
    assert (tmp_path / "current/pictures/a.png").read_bytes() == b"picture"


def test_last_two_snapshots_are_kept_and_an_interrupted_write_leaves_them(tmp_path: Path) -> None:
    folders = [write_snapshot(tmp_path, FOUND, files={}) for _ in range(3)]
    assert [folder.exists() for folder in folders] == [False, True, True]
    assert read_download(tmp_path) is None
    with pytest.raises(OSError, match="No such file"):
        write_snapshot(tmp_path, replace(FOUND, guides=()), files={"no/such/folder.png": b""})
    assert read_snapshot(tmp_path) == FOUND
    write_snapshot(tmp_path, FOUND, files={})
    assert len(list((tmp_path / "versions").iterdir())) == 2


SPOILT: dict[str, Callable[[dict[str, Any]], object]] = {
    "unknown field $.new": lambda tree: tree.update(new=1),
    "unknown field $.guides[0].colour": lambda tree: tree["guides"][0].update(colour="red"),
    "missing required field `guides`": lambda tree: tree.pop("guides"),
    "Expected `str`, got `int` - at `$.guides[0].title`": lambda tree: tree["guides"][0].update(title=1),
}


@pytest.mark.parametrize("fault", SPOILT)
def test_snapshot_of_another_format_is_refused(fault: str) -> None:
    tree = json.loads(json.dumps(to_plain(FOUND)))
    SPOILT[fault](tree)
    with pytest.raises(ContentError) as raised:
        from_plain(Snapshot, tree, source="snapshot.json")
    assert fault in raised.value.fault
    assert raised.value.fault.endswith("; sync again")
    assert raised.value.source == "snapshot.json"


def test_snapshot_of_a_version_without_front_pages_is_read() -> None:
    tree = json.loads(json.dumps(to_plain(FOUND)))
    del tree["front_pages"]
    store = SnapshotStore(from_plain(Snapshot, tree, source="snapshot.json"), STORE)
    assert store.front_page(routes.CALCULATORS).title == "Mortgage calculators"


def test_changes_are_listed_by_kind_and_slug() -> None:
    first, *others = FOUND.guides
    renamed = replace(others[0], title="Renamed")
    after = replace(FOUND, guides=(replace(first, url="another"), renamed, *others[1:]))
    assert changes(FOUND, after) == ("new: guide another", f"changed: guide {renamed.url}", f"gone: guide {first.url}")
    assert changes(FOUND, FOUND) == ()
    assert {change.partition(":")[0] for change in changes(None, FOUND)} == {"new"}


def test_store_joins_the_snapshot_and_our_content_which_names_its_firm() -> None:
    store, ours = SnapshotStore(FOUND, STORE), STORE
    site = store.site()
    assert (site.phone, site.tel) == ("020 7946 0000", "+442079460000")
    assert (site.risk_warning, site.frn) == (ours.site().risk_warning, ours.site().frn)
    assert site.slogans == ("No broker fees", "Whole of market", ours.site().slogans[2])
    assert (site.reviews.total, site.reviews.sample, site.reviews.rating) == (344, False, 4.7)
    assert store.towns() == FOUND.towns
    assert {service.slug for service in store.services()} == {service.slug for service in FOUND.services}
    lists = {page.path for page in ours.pages() if page.kind in PROGRAM_KINDS}
    assert {page.path for page in store.pages()} == lists | {page.path for page in FOUND.pages}
    assert set(store.lender_texts()) == {*ours.lender_texts(), "alder-mutual"}
    assert store.faqs("home") == tuple(faqs[0] for faqs in FOUND.faqs.values() if faqs)
    assert {topic: store.faqs(topic) for topic in FOUND.faqs} == FOUND.faqs
    assert store.look("remortgaging") is not None
    without_pages = SnapshotStore(replace(FOUND, pages=()), STORE)
    before, after = (find_page(each, "/contact/").html for each in (ours, without_pages))
    assert ours.site().phone in before
    assert (ours.site().phone in after, site.phone in after) == (False, True)
    assert (site.social.instagram, site.social.whatsapp) == ("", "https://wa.me/447700900000")


def test_links_of_ours_to_guides_that_are_gone_are_words() -> None:
    store = SnapshotStore(replace(FOUND, guides=FOUND.guides[:1]), STORE)
    html = "".join(page.html for page in store.pages() if page not in FOUND.pages)
    links = set(re.findall('href="(/mortgage-guides/[^"#]*)', html))
    assert links <= {f"/mortgage-guides/{FOUND.guides[0].url}/"}


def test_colours_that_cannot_be_read_are_refused() -> None:
    look = ServiceLook(color="#ffd400", ground="#ffffff")
    with pytest.raises(ContentError, match="service remortgaging: words in #ffd400"):
        SnapshotStore(replace(FOUND, looks={"remortgaging": look}), STORE)


def test_site_is_built_from_the_snapshot_of_its_own_service(tmp_path: Path) -> None:
    here = Settings(state_dir=tmp_path, api_url=API + "/")
    ours = with_term_links(STORE.content)
    assert content_store(here).content == ours
    write_snapshot(snapshot_folder(here), FOUND, files={})
    assert content_store(here).content == with_term_links(SnapshotStore(FOUND, STORE).content)
    assert content_store(here).guides() != ours.guides
    assert content_store(Settings(state_dir=tmp_path)).content == ours
    with pytest.raises(ContentError, match="is a snapshot of"):
        content_store(Settings(state_dir=tmp_path, api_url="https://another.test/api"))


def test_page_of_all_questions_has_those_of_the_service_each_once() -> None:
    shared, other = Faq(question="Shared?", answer=SafeHtml("<p>Yes.</p>")), Faq(question="Other?", answer=SafeHtml(""))
    service = FOUND.services[0]
    found = replace(FOUND, faqs={service.slug: (shared,), "home": (shared, other), "first-time": (other,)})
    page = find_page(SnapshotStore(found, STORE), routes.FAQS)
    assert [(faq.question, faq.group) for faq in page.faqs] == [("Shared?", service.short_title), ("Other?", "Home")]
