import json

from broker.calculators.registry import CALCULATORS
from broker.content.models.pages import Faq
from broker.content.models.pictures import SafeHtml
from broker.lenders.lender import KnownLender
from broker.site_search.index import Entry, Kind, build_index
from broker.site_search.view import (
    SearchWords,
    calculator_words,
    lender_words,
    page_entries,
    question_anchor,
    search_file,
)


def test_question_leads_to_its_place_with_the_start_of_its_answer() -> None:
    answer = SafeHtml(f"<p>It is <b>yours</b>.</p><p>{'And so on. ' * 30}</p>")
    faq = Faq(question="What's a buyer’s £2,000 deposit?", answer=answer, group="Money")
    page, entry = page_entries(SearchWords(faqs=(faq,)), route="/contact/", name="Contact", description="Call us.")
    assert (page.kind, page.title, page.description, page.href) == (Kind.PAGE, "Contact", "Call us.", "/contact/")
    assert question_anchor(faq.question) == "whats-a-buyers-2000-deposit"
    assert (entry.kind, entry.href) == (Kind.QUESTION, "/contact/#whats-a-buyers-2000-deposit")
    assert entry.description.startswith("It is yours. And so on.")
    assert entry.description.endswith("…")
    assert (len(entry.description) <= 140, entry.keywords) == (True, ("Money",))


def test_lender_and_calculators_say_what_they_are() -> None:
    bank = KnownLender(lender_id=1, name="A Bank", slug="a-bank")
    let = KnownLender(lender_id=2, name="Let Ltd", slug="let", kind="specialist", residential=False)
    words = [lender_words(bank), lender_words(let)]
    assert [each.description for each in words] == [
        "A bank: its mortgage rates, and what each deal really costs.",
        "A specialist lender: its mortgage rates, and what each deal really costs.",
    ]
    assert ["buy to let" in each.keywords for each in words] == [False, True]
    assert [calculator_words(one).title for one in CALCULATORS] == [one.title for one in CALCULATORS]


def test_file_holds_links_by_kind_and_words_by_their_places() -> None:
    town = Entry(kind=Kind.TOWN, title="Rates", href="/town/", description="A town.")
    guides = [Entry(kind=Kind.GUIDE, title=title, href=f"/{title}/", description="") for title in ("Lease", "Rates")]
    links = [{"title": title, "href": f"/{title}/"} for title in ("Lease", "Rates")]
    assert json.loads(search_file(build_index([town, *guides]))) == {
        "groups": [
            {"kind": "Guide", "heading": "Guides", "links": links},
            {"kind": "Town", "heading": "Towns", "links": [{"title": "Rates", "href": "/town/"}]},
        ],
        "about": ["", "", "A town."],
        "words": "lease rate town",
        "postings": [[8], [16 + 8, 16 + 8], [32 + 2]],
    }
