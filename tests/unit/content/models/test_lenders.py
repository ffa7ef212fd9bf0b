"""The texts of lender pages: true of every lender of a kind, with the name in its place (specification 2 and 3)."""

import re
from pathlib import Path

import pytest

from broker.content.errors import UnknownContentError
from broker.content.files.embedded_store import EmbeddedStore
from broker.content.models.lenders import LenderKind, RateDisplay
from broker.content.store import lender_text
from broker.domain.rates.deal_types import HOME_LTVS, LET_LTVS
from broker.market.lender_directory import read_directory
from broker.settings import Settings
from tests.our_content import STORE
from tests.unit.content.addresses import addresses
from tests.unit.content.test_writing_rules import words

TEXTS = STORE.lender_texts()
HEADINGS = (
    *("What kind of lender {lender} is", "What to check before you choose {lender}"),
    *("Income that needs explaining", "When your {lender} deal ends"),
)
ARTICLE_OR_GENITIVE = r"\b(?:an?|the) (?:<strong>)?\{lender\}|\{lender\}(?:</strong>)?['’]s\b"


def test_lender_may_have_words_of_its_own(copy: Path) -> None:
    text = (copy / "lenders/bank.md").read_text(encoding="utf-8").replace("kind: bank", "slug: halifax")
    (copy / "lenders/halifax.md").write_text(text.replace("top3", "buttons"), encoding="utf-8")
    store = EmbeddedStore(copy)
    for slug, display in {"halifax": RateDisplay.BUTTONS, "barclays": RateDisplay.TOP_3}.items():
        found = lender_text(store, slug=slug, name=slug, kind="bank", residential=True)
        assert found.rate_display_preference == display


def test_name_is_escaped_in_html_and_plain_in_words() -> None:
    text = lender_text(STORE, slug="a", name="<b>Tom & Co", kind="bank", residential=True)
    assert text.banner_content.startswith("<p>Deals from <strong>&lt;b&gt;Tom &amp; Co</strong>,")
    assert text.details[0].heading == "What kind of lender <b>Tom & Co is"
    assert text.details[0].html.startswith("<p>We list &lt;b&gt;Tom &amp; Co as a bank.")
    assert text.details[0].cta_text == "Ask us whether <b>Tom & Co suits a case like yours."
    assert text.small_desc.startswith("Deals from <b>Tom & Co with")


def test_every_kind_and_lender_of_the_market_has_complete_text() -> None:
    assert set(TEXTS) == set(LenderKind)
    for each in read_directory(Settings().data_dir / "market"):
        text = lender_text(STORE, slug=each.slug, name=each.name, kind=each.kind, residential=each.residential)
        assert (re.findall(r"\{\w*\}|\{\{", str(text)), len(text.small_desc) <= 155) == ([], True), each.name
    with pytest.raises(UnknownContentError, match="shark"):
        lender_text(STORE, slug="a", name="A", kind="shark", residential=True)


@pytest.mark.parametrize("kind", TEXTS)
def test_sections_are_the_four_with_a_call_each_general_and_independent(kind: str) -> None:
    text = TEXTS[kind]
    assert tuple(section.heading for section in text.details) == HEADINGS
    assert len({section.anchor for section in text.details}) == 4
    lengths = [len(words(section.html)) for section in text.details]
    assert [60 <= length <= 130 for length in lengths] == [True] * 4, lengths
    assert all(section.cta_text.endswith(".") for section in text.details)
    assert "These are general notes on" in text.details[0].html
    assert "Hearthgate Mortgages is not owned by any lender." in text.details[0].html
    assert "ask us what {lender} asks for" in text.details[2].html.lower()
    assert re.findall(ARTICLE_OR_GENITIVE, str(text)) == []


@pytest.mark.parametrize("kind", TEXTS)
def test_each_table_of_the_page_has_its_words_and_links_lead_to_pages(kind: str) -> None:
    text = TEXTS[kind]
    wanted = LET_LTVS if kind == LenderKind.BUY_TO_LET else HOME_LTVS
    assert tuple(table.ltv for table in text.rates_tables) == wanted
    assert (text.table(wanted[0]), text.table(50)) == (text.rates_tables[0], None)
    assert {text.view_all_link, *re.findall(r'href="(/[^"#]*)', str(text))} - set(addresses(STORE)) == set()
    if kind == LenderKind.BUY_TO_LET:
        assert STORE.site().buy_to_let_sentence in text.banner_content
