import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from broker.content.errors import ContentError
from broker.content.files import markdown_files
from broker.content.files.content_folder import EmbeddedStore, find_faults, read_content
from broker.content.files.json_files import read_facts, read_menus, read_reviews, read_site
from broker.content.files.markdown_files import read_front_page, read_guide, read_lender_text, read_town
from broker.content.files.validated_record import Record, read_document, read_json
from tests.our_content import CONTENT

CORRECT = read_content(CONTENT)
READERS: Mapping[str, Callable[[Record, str], Any]] = {
    "services": markdown_files.read_service,
    "front_pages": read_front_page,
    "pages": markdown_files.read_page,
    "deals": markdown_files.read_deal_page,
    "guides": read_guide,
    "towns": read_town,
    "lenders": read_lender_text,
    "faqs": markdown_files.read_faq_document,
}
JSON_READERS: Mapping[str, Callable[[Record], Any]] = {
    "site.json": read_site,
    "menus.json": read_menus,
    "reviews.json": read_reviews,
    "facts.json": read_facts,
}


def first_fault(folder: Path, file: str, *, old: str, new: str) -> str:
    """Return the first fault after one change to a file, which it must name; `folder` is written to."""
    text = (CONTENT / file).read_text(encoding="utf-8")
    assert old in text, (file, old)
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    fault = next(_json_faults(path) if path.suffix == ".json" else _document_faults(path))
    assert Path(fault.source.split(",")[0]) == path, fault
    return fault.fault


def _json_faults(path: Path) -> Iterator[ContentError]:
    faults: list[ContentError] = []
    try:
        JSON_READERS[path.name](read_json(path, CORRECT.placeholders, found=faults))
    except ContentError as error:
        faults.append(error)
    return iter(faults)


def _document_faults(path: Path) -> Iterator[ContentError]:
    kind, original = path.parent.name.replace("-", "_"), CONTENT / path.parent.name / path.name
    faults: list[ContentError] = []
    entries = {(path if key == original else key): entry for key, entry in getattr(CORRECT, kind).items()}
    try:
        entries[path] = READERS[kind](*read_document(path, CORRECT.placeholders, found=faults))
    except ContentError as error:
        faults.append(error)
        del entries[path]
    faulty = frozenset({path} if faults else ())
    return find_faults(replace(CORRECT, **{kind: entries}, faults=tuple(faults), faulty=faulty))


BUYER, MOVER = "services/first-time-buyer.md", "services/home-mover.md"
ABOUT = "pages/about-us.md"
REMORTGAGES, FIRST_HOMES = "deals/remortgages.md", "deals/mortgages-first-time-buyer.md"
BANK = "lenders/bank.md"
HOME, SUMS, RATES = "front-pages/home.md", "front-pages/calculators.md", "front-pages/rates.md"
LTV = "guides/what-is-ltv.md"
TOWN = "towns/barking.md"
LISA = '"https://www.gov.uk/lifetime-isa"'

TOP_3, TABLE = "rate_display_preference: top3\n", "{ltv: 60, description: Low., cta_text: Ask.}"
DETAILS, CTA = "# details_sections\n\n", "cta_text: Ask us.\n"
META_TITLE = "meta_title: About {{ firm }} | Fee-free mortgage broker"
RELATED = "related: [saving-for-a-deposit,"
NEAR, CENTRE = "near: [east-ham,", "centre: [51.538, 0.079]"
GUIDE_LINK, TOWN_LINK = "/mortgage-guides/agreement-in-principle/", "/mortgage-broker-atlantis/"

FAULTS = [
    # file, what is replaced, its replacement, and the fault
    ("services/remortgaging.md", "slug: remortgaging", "slug: first-time-buyer", "duplicate slug 'first-time-buyer'"),
    (BUYER, "slug: first-time-buyer", "slug: First_Time", "bad slug 'First_Time'"),
    (BUYER, "slug: first-time-buyer", "slug: 7", "slug must be a text, not 7"),
    (BUYER, "theme: first-time-buyer", "theme: mauve", "unknown theme 'mauve'"),
    (BUYER, "door: ajar", "door: shut", "unknown door 'shut'"),
    (BUYER, "calculators: [borrow,", "calculators: [abacus,", "unknown calculator"),
    (BUYER, "customers: [first-time-buyer]", "customers: [squatter]", "unknown customer type squatter"),
    (MOVER, "customers: [", "customers: [first-time-buyer, ", "duplicate customer type 'first-time-buyer'"),
    (BUYER, "updated: 2026-11-24", "updated: 2026-13-16", "updated must be a date"),
    (BUYER, "order: 1\n", "order: first\n", "order must be a number"),
    (BUYER, "order: 1\n", "order: 1\ncolour: red\n", "unknown field colour"),
    (BUYER, "# section_2", "# section_3", "unknown part section_3"),
    (BUYER, "# section_2", "", "missing part section_2"),
    (BUYER, "# faqs", "# faqs\n\nStray words", "text before the first question"),
    (BUYER, "### Can my parents help?", "### Why?\n\n### Can my parents help?", "no answer to 'Why?'"),
    (ABOUT, "path: /about-us/", "path: about-us", "bad path 'about-us'"),
    (ABOUT, "path: /about-us/", "path: /self-employed/", "duplicate path '/self-employed/'"),
    (ABOUT, "kind: about", "kind: misc", "unknown kind 'misc'"),
    (ABOUT, "description: Who we are", "summary_2: Who we are", "unknown field summary_2"),
    (ABOUT, META_TITLE, "meta_title: " + "a" * 61, "meta_title has 61 characters"),
    (ABOUT, "description: Who we are", "description: " + "a" * 156, "description has "),
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
    ("facts.json", LISA, '"http://x.uk"', "is not secure"),
    ("faqs/home.md", "updated: 2026-11-24", "updated: soon", "updated must be a date"),
    # deal pages and kinds of deal
    (REMORTGAGES, "path: /remortgages/", "path: remortgages", "bad path 'remortgages'"),
    (REMORTGAGES, "path: /remortgages/", "path: /remortgaging/", "duplicate path '/remortgaging/'"),
    (REMORTGAGES, "path: /remortgages/", "path: /home-mover-deals/", "duplicate path '/home-mover-deals/'"),
    (REMORTGAGES, "customer: remortgaging", "customer: squatter", "unknown customer 'squatter'"),
    (REMORTGAGES, "customer: remortgaging", "customer: home-mover", "duplicate customer type 'home-mover'"),
    (REMORTGAGES, "summary: ", "lead: ", "unknown field lead"),
    (REMORTGAGES, "author: the {{ firm }} advice team\n", "", "missing author"),
    (REMORTGAGES, "{{ debt_warning }}", "{{ debt_waning }}", "unknown placeholder {{ debt_waning }}"),
    # front pages
    (HOME, "path: /\n", "path: /house/\n", "unknown path '/house/'; known are /, /tools/calculators/, "),
    (HOME, "title: A good", "heading: A good", "unknown field heading"),
    (HOME, "summary: We", "summary: 7 #", "summary must be a text, not 7"),
    (HOME, "  steps:\n    heading", "  stages:\n    heading", "unknown field stages"),
    (HOME, "    heading: How we find your mortgage\n", "", "missing heading"),
    (HOME, "        text: See each rate", "        words: See each rate", "unknown field words"),
    (HOME, "points:\n", "points: one\nother:\n", "unknown field other"),
    (SUMS, "updated: ", "calculators: [abacus]\nupdated: ", "unknown calculator abacus; known are borrow, "),
    (SUMS, "updated: ", "sections: {}\nupdated: ", "sections are for / alone"),
    (RATES, "path: /tools/rates/", "path: /tools/calculators/", "duplicate path '/tools/calculators/'"),
    (RATES, "title: Mortgage rates\n", "title: Mortgage calculators\n", "duplicate title 'Mort"),
    # lenders
    (BANK, "kind: bank", "kind: shark", "unknown kind 'shark'"),
    (BANK, "kind: bank\n", "", "needs a kind or a slug, and not both"),
    (BANK, "kind: bank", "kind: bank\nslug: halifax", "needs a kind or a slug, and not both"),
    (BANK, "kind: bank", "slug: Halifax", "bad slug 'Halifax'"),
    (BANK, "kind: bank", "slug: specialist", "slug 'specialist' is a kind of lender"),
    ("lenders/building-society.md", "kind: building-society", "kind: bank", "duplicate kind or slug 'bank'"),
    (BANK, "rate_display_preference: top3", "rate_display_preference: top4", "unknown rate_display_preference 'top4'"),
    (BANK, TOP_3, f"{TOP_3}calculators: [abacus]\n", "unknown calculator"),
    (BANK, TOP_3, f"{TOP_3}view_all_link: tools\n", "bad view_all_link 'tools'"),
    (BANK, TOP_3, f"{TOP_3}history: long\n", "unknown field history"),
    (BANK, TOP_3, f"{TOP_3}rates_tables: [{TABLE}]\n".replace("60", "0"), "ltv must be a whole number of percent"),
    (BANK, TOP_3, f"{TOP_3}rates_tables: [{TABLE}, {TABLE}]\n", "rates_tables has a loan to value twice"),
    (BANK, "Deals from {lender}", "Deals from {name}", "unknown placeholder {name}; {lender} is the only one"),
    (BANK, "rates from **{lender}", "rates of **{{ lender }}", "unknown placeholder {{ lender }}"),
    (BANK, "# banner_content", "# banner", "unknown part banner"),
    (BANK, "# banner_content", f"{DETAILS}Stray.\n\n# banner_content", "must be sections that each begin with ##"),
    (BANK, "# banner_content", f"{DETAILS}## Kind\n\nA.\n{CTA}{CTA}# banner_content", "section 'Kind' must have"),
    # guides
    (LTV, "slug: what-is-ltv", "slug: what-is-aprc", "duplicate slug 'what-is-aprc'"),
    (LTV, "slug: what-is-ltv", "slug: What is LTV", "bad slug 'What is LTV'"),
    (LTV, "categories: [", "categories: [houses, ", "categories must be some of property, first-time-buyer, remort"),
    (LTV, "picture: fanlight", "picture: moon", "unknown picture 'moon'; known are balance, calendar, "),
    (MOVER, "- porting-your-mortgage", "- carrying-it", "guides that are not there: carrying-it"),
    (LTV, RELATED, "related: [nowhere,", "related guides that are not there: nowhere"),
    (LTV, RELATED, "related: [what-is-ltv,", "related guides that are not there: what-is-ltv"),
    (LTV, "created: ", "created: 31/02/2026 #", "created must be a day such as 05/03/2026, not '31/02/2026'"),
    (LTV, "updated: 2026-11-21", "updated: 21/11/2026", "updated must be a date such as 2026-11-21, not '21/11/2026'"),
    (LTV, "author: ", "writer: ", "unknown field writer"),
    (LTV, "{{= ", "{{= rent() + ", "unknown function rent"),
    (LTV, "| pounds }}", "| shillings }}", "unknown format shillings"),
    (LTV, "{{ risk_warning }}", "[M](/mortgage-guides/no/)", "dead link '/mortgage-guides/no/': no such page"),
    (LTV, "{{ risk_warning }}", "[M](/contact/#no)", "dead link '/contact/#no': no such place on that page"),
    (LTV, "{{ risk_warning }}", "#### Too deep", "headings out of order: h2 to h4"),
    # towns
    ("towns/barnet.md", "slug: barnet", "slug: barking", "duplicate slug 'barking', already in barking.md"),
    (TOWN, NEAR, "near: [atlantis,", "towns near that are not there: atlantis"),
    (TOWN, CENTRE, "centre: [51.538]", "centre must be a latitude and a longitude"),
    (TOWN, CENTRE, "centre: [51.538, true]", "centre must be a latitude and a longitude"),
    (TOWN, CENTRE, "centre: [51.538, .inf]", "centre must be a latitude and a longitude"),
    (TOWN, "## Questions people ask in", "## Questions of", "no questions; they stand under ## Questions people ask"),
    (TOWN, "### Do all landlords", "Do all landlords", "text before the first question"),
    (TOWN, GUIDE_LINK, TOWN_LINK, "dead link '/mortgage-broker-atlantis/'"),
]


def test_each_fault_and_missing_field_is_named_with_its_file(tmp_path: Path) -> None:
    found = [first_fault(tmp_path / str(at), file, old=old, new=new) for at, (file, old, new, _) in enumerate(FAULTS)]
    unnamed = [(fault[0], fault[3], named) for fault, named in zip(FAULTS, found, strict=True) if fault[3] not in named]
    assert unnamed == []
    lines = (CONTENT / ABOUT).read_text(encoding="utf-8").splitlines(keepends=True)
    for name in ("meta_title", "description", "title", "summary", "updated", "kind", "path"):
        (line,) = [line for line in lines if line.startswith(f"{name}:")]
        assert name in first_fault(tmp_path, ABOUT, old=line, new="")


def test_deal_page_shares_no_line_of_search_results(tmp_path: Path) -> None:
    for name in ("meta_title", "description"):
        line = re.compile(rf"^{name}: .*$", re.MULTILINE)
        own = line.search((CONTENT / REMORTGAGES).read_text(encoding="utf-8"))
        for other in ("services/remortgaging.md", ABOUT, FIRST_HOMES):
            taken = line.search((CONTENT / other).read_text(encoding="utf-8"))
            assert taken and own
            assert f"duplicate {name}" in first_fault(tmp_path, REMORTGAGES, old=own[0], new=taken[0])


def test_every_kind_of_lender_needs_its_document(copy: Path) -> None:
    (copy / BANK).unlink()
    with pytest.raises(ContentError, match="lenders: no document of the kind bank"):
        EmbeddedStore(copy)
