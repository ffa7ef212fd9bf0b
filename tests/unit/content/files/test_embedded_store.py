"""The embedded content loads, and each fault stops it with its file named."""

import json
from pathlib import Path

import pytest

from broker.content.errors import ContentError, UnknownContentError
from broker.content.files.consistency import find_faults
from broker.content.files.content_reader import read_content
from broker.content.files.embedded_store import EmbeddedStore
from broker.content.store import HOME_FAQS, find_page, service_for
from broker.domain.calculators.registry import CALCULATORS
from broker.domain.money import number_word
from tests.our_content import CONTENT, STORE
from tests.unit.content.faulty_content import first_fault, not_named

SERVICES = (
    "first-time-buyer",
    "remortgaging",
    "home-mover",
    "buy-to-let",
    "protection-needs",
    "contractor-mortgage",
    "self-employed",
)
PAGES = (
    "/about-us/",
    "/accessibility/",
    "/client-reviews/",
    "/complaints-procedure/",
    "/contact/",
    "/cookie-policy/",
    "/how-we-are-paid/",
    "/join-us/",
    "/mortgage-broker-near-me/",
    "/privacy-notice/",
    "/terms-of-business/",
    "/tools/mortgage-faqs/",
    "/tools/mortgage-guides/",
    "/useful-information/",
)
NEWER = ("deals", "lenders", "rate-types", "guides", "towns")
BUYER = "services/first-time-buyer.md"
ABOUT = "pages/about-us.md"
LONG_TITLE = "meta_title: " + "a" * 61
LONG_DESCRIPTION = "description: " + "a" * 156

FAULTS = [
    ("services/remortgaging.md", "slug: remortgaging", "slug: first-time-buyer", "duplicate slug 'first-time-buyer'"),
    (BUYER, "slug: first-time-buyer", "slug: First_Time", "bad slug 'First_Time'"),
    (BUYER, "slug: first-time-buyer", "slug: 7", "slug must be a text, not 7"),
    (BUYER, "theme: first-time-buyer", "theme: mauve", "unknown theme 'mauve'"),
    (BUYER, "door: ajar", "door: shut", "unknown door 'shut'"),
    (BUYER, "calculators: [borrow,", "calculators: [abacus,", "unknown calculator"),
    (BUYER, "customers: [first-time-buyer]", "customers: [squatter]", "unknown customer type squatter"),
    (
        "services/home-mover.md",
        "customers: [home",
        "customers: [first-time-buyer, home",
        "duplicate customer type 'first-time-buyer'",
    ),
    (BUYER, "updated: 2026-11-16", "updated: 2026-13-16", "updated must be a date"),
    (BUYER, "updated: 2026-11-16", "updated: last week", "updated must be a date"),
    (BUYER, "order: 1\n", "order: first\n", "order must be a number"),
    (BUYER, "order: 1\n", "order: 1\ncolour: red\n", "unknown field colour"),
    (BUYER, "# section_2", "# section_3", "unknown part section_3"),
    (BUYER, "# footer_disclaimer", "", "missing part footer_disclaimer"),
    (BUYER, "# faqs", "# faqs\n\nStray words", "text before the first question"),
    (BUYER, "### Can my parents help?", "### Why?\n\n### Can my parents help?", "no answer to 'Why?'"),
    (ABOUT, "path: /about-us/", "path: about-us", "bad path 'about-us'"),
    (ABOUT, "path: /about-us/", "path: /self-employed/", "duplicate path '/self-employed/'"),
    (ABOUT, "kind: about", "kind: misc", "unknown kind 'misc'"),
    (ABOUT, "description: Who we are", "summary_2: Who we are", "unknown field summary_2"),
    (ABOUT, "meta_title: About {{ firm }} | Fee-free mortgage broker", LONG_TITLE, "meta_title has 61 characters"),
    (ABOUT, "description: Who we are", LONG_DESCRIPTION, "description has "),
    (ABOUT, "{{ sample }}", "{{ samples }}", "unknown placeholder"),
    (ABOUT, "## How we are paid", "# How we are paid", "a heading of level 1"),
    (ABOUT, "---\npath", "path", "must begin with front matter"),
    (ABOUT, "kind: about", "kind: about\ncalculators: [abacus]", "unknown calculator abacus; known are borrow, "),
    (ABOUT, "kind: about", "kind: [about", "front matter is not YAML"),
    ("site.json", '"phone": "020 7946 0123"', '"phone": "ask us"', "phone must be a telephone number such as"),
    ("site.json", '"phone": "', '"tel": "+442079460123",\n"phone": "', "unknown field tel"),
    ("site.json", '"risk_warning"', '"risk_warnings"', "unknown field risk_warnings"),
    ("site.json", '"name": "Hearthgate Mortgages"', '"name": ""', "missing name"),
    ("menus.json", '"path": "/contact/"}', '"path": "contact"}', "path must begin with /"),
    ("menus.json", '"id": "join-us"', '"id": "about-us"', "duplicate id 'about-us'"),
    ("menus.json", '"target": "_blank"', '"target": "_top"', "target must be _blank"),
    ("reviews.json", '"sample": true', '"sample": "yes"', "sample must be true or false"),
    ("reviews.json", "{", "[", "not JSON"),
    ("faqs/home.md", "updated: 2026-11-16", "updated: soon", "updated must be a date"),
]


@pytest.fixture
def store() -> EmbeddedStore:
    """The content of the project."""
    return STORE


def test_services_are_those_of_the_decisions_in_order(store: EmbeddedStore) -> None:
    assert tuple(service.slug for service in store.services()) == SERVICES


def test_pages_are_those_that_the_menus_need(store: EmbeddedStore) -> None:
    assert tuple(page.path for page in store.pages()) == PAGES


def test_making_a_store_twice_gives_the_same_content(store: EmbeddedStore) -> None:
    assert EmbeddedStore(CONTENT).content == store.content


def test_each_fault_is_named_with_its_file(tmp_path: Path) -> None:
    assert not_named(tmp_path, FAULTS) == []


def test_each_field_of_a_page_is_required(tmp_path: Path) -> None:
    lines = (CONTENT / ABOUT).read_text(encoding="utf-8").splitlines(keepends=True)
    for name in ("meta_title", "description", "title", "summary", "updated", "kind", "path"):
        (line,) = [line for line in lines if line.startswith(f"{name}:")]
        assert name in first_fault(tmp_path, ABOUT, old=line, new="")


def test_missing_files_and_folders_are_named(copy: Path) -> None:
    names = ("site.json", "menus.json", "reviews.json", "services", "pages", "faqs", *NEWER)
    for name in names:
        (copy / name).rename(copy / f"no {name}")
    with pytest.raises(ContentError) as caught:
        EmbeddedStore(copy)
    assert Path(caught.value.source) == copy / "site.json"
    faults = {fault.source.split(",")[0] for fault in find_faults(read_content(copy))}
    assert {str(copy / name) for name in names} <= faults


def test_main_menu_may_be_missing(copy: Path) -> None:
    path = copy / "menus.json"
    menus = json.loads(path.read_text(encoding="utf-8"))
    del menus["main"]
    path.write_text(json.dumps(menus), encoding="utf-8")
    assert EmbeddedStore(copy).menus().main is None


def test_raw_html_in_a_page_is_shown_and_not_run(copy: Path) -> None:
    path = copy / ABOUT
    path.write_text(path.read_text(encoding="utf-8") + "\n<script>alert(1)</script>\n", encoding="utf-8")
    html = find_page(EmbeddedStore(copy), "/about-us/").html
    assert ("<script" in html, "&lt;script&gt;" in html) == (False, True)


def test_finders_return_what_is_there_and_refuse_the_rest(store: EmbeddedStore) -> None:
    assert find_page(store, "/contact/").title == "Contact us"
    with pytest.raises(UnknownContentError):
        find_page(store, "nowhere")


@pytest.mark.parametrize(
    ("customer", "slug"),
    [
        ("first-time-buyer", "first-time-buyer"),
        ("home-mover", "home-mover"),
        ("remortgaging", "remortgaging"),
        ("buy-to-let", "buy-to-let"),
        ("buy-to-let-purchase", "buy-to-let"),
        ("buy-to-let-remortgage", "buy-to-let"),
    ],
)
def test_each_customer_type_has_the_service_that_answers_for_it(store: EmbeddedStore, customer: str, slug: str) -> None:
    service = service_for(store, customer)
    assert service is not None and service.slug == slug


def test_texts_count_what_the_site_has(copy: Path) -> None:
    counted = "{{ count.calculators }}, {{ count.guides }}, {{ count.services }}, {{ count.towns }}"
    (copy / "pages" / "join-us.md").write_text(
        (copy / "pages" / "join-us.md").read_text(encoding="utf-8") + f"\n{counted}\n", encoding="utf-8"
    )
    store = EmbeddedStore(copy)
    numbers = (len(CALCULATORS), len(store.guides()), len(store.services()), len(store.towns()))
    assert find_page(store, "/join-us/").html.endswith(f"<p>{', '.join(map(number_word, numbers))}</p>")


def test_faqs_are_found_by_topic(store: EmbeddedStore) -> None:
    counts = {
        topic: len(store.faqs(topic)) for topic in (HOME_FAQS, "remortgaging", "/tools/mortgage-faqs/", "nowhere")
    }
    assert counts == {HOME_FAQS: 5, "remortgaging": 6, "/tools/mortgage-faqs/": 20, "nowhere": 0}
