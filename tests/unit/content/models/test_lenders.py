"""What lender pages say: true of every lender of a kind, with the name in its place (specification 2 and 3)."""

import re
from pathlib import Path

import pytest

from broker.content.errors import ContentError, UnknownContentError
from broker.content.files.embedded_store import EmbeddedStore
from broker.content.models.lenders import LenderKind, RateDisplay
from broker.content.store import lender_text
from broker.domain.rates.deal_types import HOME_LTVS, LET_LTVS
from broker.market.lender_directory import read_directory
from broker.settings import Settings
from tests.our_content import STORE
from tests.unit.content.addresses import addresses
from tests.unit.content.faulty_content import not_named
from tests.unit.content.test_writing_rules import words

TEXTS = STORE.lender_texts()
LENDERS = tuple(read_directory(Settings().data_dir / "market"))
BANK = "lenders/bank.md"
CTA = "cta_text: Ask us whether {lender} suits a case like yours.\n"
HEADINGS = (
    "What kind of lender {lender} is",
    "What to check before you choose {lender}",
    "Income that needs explaining",
    "When your {lender} deal ends",
)

FAULTS = [
    (BANK, "kind: bank", "kind: shark", "unknown kind 'shark'"),
    (BANK, "kind: bank\n", "", "needs a kind or a slug, and not both"),
    (BANK, "kind: bank", "kind: bank\nslug: halifax", "needs a kind or a slug, and not both"),
    (BANK, "kind: bank", "slug: Halifax", "bad slug 'Halifax'"),
    (BANK, "kind: bank", "slug: specialist", "slug 'specialist' is a kind of lender"),
    ("lenders/building-society.md", "kind: building-society", "kind: bank", "duplicate kind or slug 'bank'"),
    (BANK, "rate_display_preference: top3", "rate_display_preference: top4", "unknown rate_display_preference 'top4'"),
    (BANK, "calculators: [borrow,", "calculators: [abacus,", "unknown calculator"),
    (BANK, "calculators:", "view_all_link: tools\ncalculators:", "bad view_all_link 'tools'"),
    (BANK, "calculators:", "history: long\ncalculators:", "unknown field history"),
    (BANK, "ltv: 60", "ltv: 0", "ltv must be a whole number of percent"),
    (BANK, "ltv: 60", "ltv: 75", "rates_tables has a loan to value twice"),
    (BANK, "small_desc: ", "small_text: ", "unknown field small_text"),
    (BANK, "Deals from {lender}", "Deals from {name}", "unknown placeholder {name}; {lender} is the only one"),
    (BANK, "We list {lender}", "We list {Lender}", "unknown placeholder {Lender}"),
    (BANK, "We list {lender}", "We list {{ lender }}", "unknown placeholder {{ lender }}"),
    (BANK, "# banner_content", "# banner", "unknown part banner"),
    (BANK, "# details_sections", "", "missing part details_sections"),
    (BANK, "# details_sections", "# details_sections\n\nStray.", "must be sections that each begin with ##"),
    (BANK, CTA, "", "section 'What kind of lender {lender} is' must have"),
    (BANK, CTA, CTA + CTA, "section 'What kind of lender {lender} is' must have"),
]


def test_each_fault_is_named_with_its_file(tmp_path: Path) -> None:
    assert not_named(tmp_path, FAULTS) == []


def test_every_kind_needs_its_document(copy: Path) -> None:
    (copy / BANK).unlink()
    with pytest.raises(ContentError, match="lenders: no document of the kind bank"):
        EmbeddedStore(copy)


def test_lender_may_have_words_of_its_own(copy: Path) -> None:
    text = (copy / BANK).read_text(encoding="utf-8").replace("kind: bank", "slug: halifax")
    (copy / "lenders/halifax.md").write_text(text.replace("top3", "buttons"), encoding="utf-8")
    store = EmbeddedStore(copy)
    shown = {
        slug: lender_text(store, slug=slug, name=slug, kind="bank", residential=True).rate_display_preference
        for slug in ("halifax", "barclays")
    }
    assert shown == {"halifax": RateDisplay.BUTTONS, "barclays": RateDisplay.TOP_3}


def test_name_is_escaped_in_html_and_plain_in_words() -> None:
    text = lender_text(STORE, slug="a", name="<b>Tom & Co", kind="bank", residential=True)
    assert text.banner_content.startswith("<p>Deals from <strong>&lt;b&gt;Tom &amp; Co</strong>,")
    assert text.details[0].heading == "What kind of lender <b>Tom & Co is"
    assert text.details[0].html.startswith("<p>We list &lt;b&gt;Tom &amp; Co as a bank.")
    assert text.details[0].cta_text == "Ask us whether <b>Tom & Co suits a case like yours."
    assert text.small_desc.startswith("Deals from <b>Tom & Co with")


def test_lender_of_an_unknown_kind_has_no_text() -> None:
    with pytest.raises(UnknownContentError, match="shark"):
        lender_text(STORE, slug="a", name="A", kind="shark", residential=True)


def test_store_has_a_text_for_each_kind_and_for_no_single_lender() -> None:
    assert set(TEXTS) == set(LenderKind)


def test_every_lender_of_the_market_has_complete_text() -> None:
    for each in LENDERS:
        text = lender_text(STORE, slug=each.slug, name=each.name, kind=each.kind, residential=each.residential)
        assert (re.findall(r"\{\w*\}|\{\{", str(text)), len(text.small_desc) <= 155) == ([], True), each.name


def test_sections_are_the_four_with_a_call_each() -> None:
    for kind, text in TEXTS.items():
        assert tuple(section.heading for section in text.details) == HEADINGS, kind
        assert len({section.anchor for section in text.details}) == 4, kind
        lengths = [len(words(section.html)) for section in text.details]
        assert [60 <= length <= 130 for length in lengths] == [True] * 4, (kind, lengths)
        assert all(section.cta_text.endswith(".") for section in text.details), kind


def test_notes_are_general_and_the_firm_is_independent() -> None:
    for kind, text in TEXTS.items():
        first = text.details[0].html
        assert "These are general notes on" in first, kind
        assert "Hearthgate Mortgages is not owned by any lender." in first, kind
        assert "ask us what {lender} asks for" in text.details[2].html.lower(), kind


def test_name_never_follows_an_article_or_takes_a_genitive() -> None:
    wrong = r"\b(?:an?|the) (?:<strong>)?\{lender\}|\{lender\}(?:</strong>)?['’]s\b"
    assert {kind: found for kind, text in TEXTS.items() if (found := re.findall(wrong, str(text)))} == {}


def test_each_table_of_the_page_has_its_words() -> None:
    for kind, text in TEXTS.items():
        wanted = LET_LTVS if kind == LenderKind.BUY_TO_LET else HOME_LTVS
        assert tuple(table.ltv for table in text.rates_tables) == wanted, kind
        assert (text.table(wanted[0]), text.table(50)) == (text.rates_tables[0], None), kind


def test_links_lead_to_pages() -> None:
    links = {link for text in TEXTS.values() for link in re.findall(r'href="(/[^"#]*)', str(text))}
    links |= {text.view_all_link for text in TEXTS.values()}
    assert links - set(addresses(STORE)) == set()


def test_landlord_lenders_say_what_is_not_regulated() -> None:
    assert STORE.site().buy_to_let_sentence in TEXTS[LenderKind.BUY_TO_LET].banner_content
