import json
from pathlib import Path

import pytest

from broker.calculators.registry import CALCULATORS
from broker.content.errors import ContentError, UnknownContentError
from broker.content.files.content_folder import EmbeddedStore, find_faults, read_content
from broker.content.store import HOME_FAQS, find_page, service_for
from broker.lending.money import number_word
from tests.our_content import CONTENT, STORE

TYPES = ("first-time-buyer", "remortgaging", "home-mover", "buy-to-let")
SERVICE_OF = {
    **{slug: slug for slug in TYPES},
    **dict.fromkeys(("buy-to-let-purchase", "buy-to-let-remortgage"), "buy-to-let"),
}
NEWER = ("deals", "front-pages", "lenders", "guides", "towns")


def append(path: Path, text: str) -> None:
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{text}\n", encoding="utf-8")


def test_customer_types_have_their_service_and_topics_their_questions() -> None:
    found = {customer: service_for(STORE, customer) for customer in SERVICE_OF}
    assert {customer: service and service.slug for customer, service in found.items()} == SERVICE_OF
    topics = (HOME_FAQS, "remortgaging", "/tools/mortgage-faqs/", "nowhere")
    assert [len(STORE.faqs(topic)) for topic in topics] == [5, 6, 27, 0]
    assert EmbeddedStore(CONTENT).content == STORE.content


def test_missing_files_and_folders_are_named(copy: Path) -> None:
    names = ("site.json", "menus.json", "reviews.json", "services", "pages", "faqs", *NEWER)
    for name in names:
        (copy / name).rename(copy / f"no {name}")
    with pytest.raises(ContentError) as caught:
        EmbeddedStore(copy)
    assert Path(caught.value.source) == copy / "site.json"
    faults = {fault.source.split(",")[0] for fault in find_faults(read_content(copy))}
    assert {str(copy / name) for name in names} <= faults


def test_main_menu_may_be_missing_html_is_escaped_and_counts_filled_in(copy: Path) -> None:
    menus = json.loads((copy / "menus.json").read_text(encoding="utf-8"))
    del menus["main"]
    (copy / "menus.json").write_text(json.dumps(menus), encoding="utf-8")
    append(copy / "pages/about-us.md", "<script>alert(1)</script>")
    counted = "{{ count.calculators }}, {{ count.guides }}, {{ count.services }}, {{ count.towns }}"
    append(copy / "pages/join-us.md", counted)
    store = EmbeddedStore(copy)
    html = find_page(store, "/about-us/").html
    assert (store.menus().main, "<script" in html, "&lt;script&gt;" in html) == (None, False, True)
    numbers = (len(CALCULATORS), len(store.guides()), len(store.services()), len(store.towns()))
    assert find_page(store, "/join-us/").html.endswith(f"<p>{', '.join(map(number_word, numbers))}</p>")


def test_page_is_found_by_its_path_and_another_is_refused() -> None:
    assert find_page(STORE, "/contact/").title == "Contact us"
    with pytest.raises(UnknownContentError):
        find_page(STORE, "nowhere")
