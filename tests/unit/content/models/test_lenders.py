"""The texts of lender pages: true of every lender of a kind, with the name in its place (specification 2 and 3)."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from broker.content.errors import UnknownContentError
from broker.content.files.content_folder import EmbeddedStore
from broker.content.models.lenders import LenderKind, LenderSection, RateDisplay
from broker.content.models.pictures import SafeHtml
from broker.content.store import lender_text
from broker.rates.market.generate import read_directory
from broker.settings import Settings
from tests.our_content import STORE
from tests.unit.content.addresses import addresses
from tests.unit.content.test_writing_rules import words

TEXTS = STORE.lender_texts()
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
    assert text.banner_content.startswith("<p>The lowest rates from <strong>&lt;b&gt;Tom &amp; Co</strong> at")
    assert text.small_desc.startswith("Deals from <b>Tom & Co, a bank")
    section = LenderSection(heading="{lender}", anchor="own", html=SafeHtml("<p>{lender}</p>"), cta_text="Ask {lender}")
    (named,) = replace(TEXTS["bank"], details=(section,)).named("<b>Tom & Co").details
    assert (named.heading, named.cta_text) == ("<b>Tom & Co", "Ask <b>Tom & Co")
    assert named.html == "<p>&lt;b&gt;Tom &amp; Co</p>"


def test_every_kind_and_lender_of_the_market_has_complete_text() -> None:
    assert set(TEXTS) == set(LenderKind)
    for each in read_directory(Settings().data_dir / "market"):
        text = lender_text(STORE, slug=each.slug, name=each.name, kind=each.kind, residential=each.residential)
        assert (re.findall(r"\{\w*\}|\{\{", str(text)), len(text.small_desc) <= 155) == ([], True), each.name
    with pytest.raises(UnknownContentError, match="shark"):
        lender_text(STORE, slug="a", name="A", kind="shark", residential=True)


@pytest.mark.parametrize("kind", TEXTS)
def test_text_of_a_kind_is_short_and_has_no_sections_of_its_own(kind: str) -> None:
    text = TEXTS[kind]
    assert (text.details, text.rates_tables, text.calculators, text.fixed_section_content) == ((), (), (), "")
    assert len(words(text.banner_content)) <= 40
    assert re.findall(ARTICLE_OR_GENITIVE, str(text)) == []
    assert {text.view_all_link} - set(addresses(STORE)) == set()
    if kind == LenderKind.BUY_TO_LET:
        assert STORE.site().buy_to_let_sentence in text.banner_content
