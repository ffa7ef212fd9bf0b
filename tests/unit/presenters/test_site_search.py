"""Entries of the search of this site, and the files that the browser searches in."""

from __future__ import annotations

import json

from broker.content.models.pages import Faq
from broker.domain.calculators.registry import CALCULATORS
from broker.domain.rates.customers import RULES
from broker.domain.rates.lenders import KnownLender
from broker.domain.site_search import Entry, Kind, index_of
from broker.presenters.search_index_files import ENTRIES, WORDS, search_files
from broker.presenters.site_search import (
    calculator_entries,
    deal_entries,
    lender_entries,
    question_anchor,
    question_entries,
)

QUESTION = "What's a buyer’s £2,000 deposit?"


def test_anchor_of_a_question_is_made_of_its_words() -> None:
    assert question_anchor(QUESTION) == "whats-a-buyers-2000-deposit"


def test_question_leads_to_its_place_with_the_start_of_its_answer() -> None:
    faq = Faq(question=QUESTION, answer=f"<p>It is <b>yours</b>.</p><p>{'And so on. ' * 30}</p>", group="Money")
    (entry,) = question_entries([faq], "/contact/")
    assert (entry.kind, entry.href) == (Kind.QUESTION, "/contact/#whats-a-buyers-2000-deposit")
    assert entry.description.startswith("It is yours. And so on.")
    assert entry.description.endswith("…")
    assert (len(entry.description) <= 140, entry.keywords) == (True, ("Money",))


def test_lender_tells_its_kind_and_what_it_lends_on() -> None:
    bank = KnownLender(lender_id=1, name="A Bank", slug="a-bank")
    let = KnownLender(lender_id=2, name="Let Ltd", slug="let", kind="specialist", residential=False)
    _, *entries = lender_entries([bank, let])
    assert [entry.description for entry in entries] == [
        "A bank: its mortgage rates, and what each deal really costs.",
        "A specialist lender: its mortgage rates, and what each deal really costs.",
    ]
    assert ["buy to let" in entry.keywords for entry in entries] == [False, True]


def test_every_calculator_and_every_rates_search_is_an_entry() -> None:
    assert len(list(calculator_entries(CALCULATORS))) == 1 + len(CALCULATORS)
    assert len(list(deal_entries([]))) == len(RULES)


def test_files_hold_entries_by_kind_and_words_by_their_places() -> None:
    town = Entry(kind=Kind.TOWN, title="Rates", href="/town/", description="A town.")
    guides = [Entry(kind=Kind.GUIDE, title=title, href=f"/{title}/", description="") for title in ("Lease", "Rates")]
    files = search_files(index_of([town, *guides]))
    assert json.loads(files[ENTRIES]) == [
        ["Guide", [["Lease", "/Lease/"], ["Rates", "/Rates/"]]],
        ["Town", [["Rates", "/town/"]]],
    ]
    assert json.loads(files[WORDS]) == {
        "about": ["", "", "A town."],
        "words": {"lease": [8], "rate": [16 + 8, 16 + 8], "town": [32 + 2]},
    }
