"""The edge's answer to the address of a search: what the sockets would show, in the HTML that React wrote."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from random import Random
from urllib.parse import urlencode

import pytest
from lxml.html import HtmlElement, document_fromstring
from starlette.testclient import TestClient

from broker.rates.customers import RULES
from broker.rates.feed.errors import FeedFaultError
from broker.rates.filters import FILTERS
from broker.rates.query import AMOUNT, PRICE, TERM
from broker.rates.rate_details import NOT_FOUND
from broker.rates.results import NONE_FOUND
from broker.rates.search_page import AWAY
from broker.rates.search_params import UNKNOWN_LENDER, parameters_of
from broker.server.forms.page_answers import search_handlers
from tests.integration.edge_answers import edge_client, elements_of, make_rates_unavailable, part, start_of
from tests.integration.outline import words_of
from tests.unit.rates.test_search_params import drawn_query
from tests.unit.state.tab import Tab

SEED, CASES = 20_261_124, 40

NO_FEE = {"price": "400000", "amount": "300000", "term": "30", "period": "5", "fees": "none", "sort": "true-cost"}

FILTERS_CLASS = ".//ul[contains(@class, 'filters')]/@class"
"""The class that the browser has for the filters as well: React does not correct it."""


@pytest.fixture(scope="module")
def client(site: object) -> Iterator[TestClient]:
    del site
    with edge_client(search_handlers) as client:
        yield client


def region_of(html: str, identity: str = "deals") -> HtmlElement:
    return part(html, identity)


def cards(region: HtmlElement) -> list[str]:
    return [card.get("data-product", "") for card in region.iterfind(".//article")]


async def test_second_page_of_a_search_is_in_the_html(client: TestClient) -> None:
    answer = client.get(f"/tools/rates/?{urlencode(NO_FEE | {'page': '2'})}")
    tab = Tab()
    await tab.open(f"/tools/rates/?{urlencode(NO_FEE | {'page': '2'})}")
    region, page = region_of(answer.text), document_fromstring(answer.text)
    assert (answer.status_code, answer.headers["x-robots-tag"]) == (200, "noindex")
    assert cards(region) == [card.product_id for card in tab.state.found.cards]
    assert len(cards(region)) == 10
    assert page.findtext(".//title") == "£300,000 of £400,000, 5 years: mortgage deals"
    assert page.xpath("string(//meta[@name='description']/@content)").startswith(f"{tab.state.found.heading}, for ")
    assert page.xpath("string(//link[@rel='canonical']/@href)").endswith("/tools/rates/")
    form = page.forms[[each.get("id") for each in page.forms].index("search")]
    sent = dict(form.form_values())
    assert {name: sent[name].replace(",", "") for name in ("price", "amount", "term", "period", "fees")} == {
        name: NO_FEE[name] for name in ("price", "amount", "term", "period", "fees")
    }
    assert region.xpath(".//input[@name='sort'][@checked]/@value") == ["true-cost"]
    [more] = region.xpath(".//a[starts-with(., 'See more')]/@href")
    assert len(cards(region_of(client.get(more).text))) == 15


async def test_any_address_answers_what_the_sockets_show(client: TestClient) -> None:
    tab, drawn = Tab(), Random(SEED)
    for _ in range(CASES):
        query = drawn_query(drawn)
        asked = parameters_of(query) | {"page": str(drawn.choice((1, 2, 12, 99)))}
        address = f"/{query.customer or 'tools'}/rates/?{urlencode(asked)}"
        await tab.open(address, query.customer)
        html = client.get(address).text
        region, shown = region_of(html), start_of(html)["shown"]
        found = tab.state.found
        assert json.dumps(shown["found"]) == json.dumps(asdict(found)), address
        assert (shown["summary"], shown["filter_words"]) == (list(tab.state.summary), tab.state.filters)
        assert cards(region) == [card.product_id for card in found.cards]
        said = words_of(region)
        for text in (found.heading, found.showing, found.source, found.winners, found.band, found.fee_free):
            assert " ".join(text.split()) in said, address
        for card in found.cards:
            for text in (card.name, card.kind, card.payment, card.true_year, card.why, card.follow_on, card.comes_with):
                assert " ".join(text.split()) in said, address


def test_wrong_figures_stand_in_the_form_with_their_messages(client: TestClient) -> None:
    asked = {PRICE: "abc", AMOUNT: "£300,000", TERM: "55"}
    html = client.get(f"/first-time-buyer/rates/?{urlencode(asked)}").text
    form = region_of(html, "search-region")
    assert [form.xpath(f"string(.//input[@name='{name}']/@value)") for name in asked] == ["abc", "300,000", "55"]
    assert [words_of(each) for each in form.find_class("err")] == [
        "Enter the property price in digits only, for example 200,000",
        "Enter a term in whole years, from 1 to 40",
    ]
    assert form.xpath("boolean(.//details[@class='find-opener'][@open])")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("price=200000&amount=300000", "Enter an amount that is not above the property price."),
        ("price=200000,50", "Write pence after a full stop, for example 150.50."),
        ("price=&term=41", "Enter the property price, for example 200,000. Enter a term in whole years, from 1 to 40."),
        ("term=41&page=2&product=p1", "Enter a term in whole years, from 1 to 40."),
    ],
)
async def test_refused_search_has_no_list_and_no_files(client: TestClient, query: str, sentence: str) -> None:
    tab, answer = Tab(), client.get(f"/tools/rates/?{query}")
    await tab.open(f"/tools/rates/?{query}")
    region, shown, page = region_of(answer.text), start_of(answer.text)["shown"], document_fromstring(answer.text)
    assert (answer.status_code, cards(region), region.find_class("example")) == (200, [], [])
    assert sentence in words_of(region)
    assert region.xpath(FILTERS_CLASS) == ["filters kept"]
    assert [one for one in region.xpath(".//a/@href") if ".pdf" in one or ".csv" in one] == []
    assert page.findtext(".//title") == "Error: Check your figures: mortgage deals"
    state = tab.state
    assert (state.status, state.problem, list(state.summary)) == (shown["status"], sentence, shown["summary"])
    assert (shown["heading"], shown["problem"]) == (state.found.heading, state.problem)


@pytest.mark.parametrize("term", ["30 ", "0030", "\u00a030"])
def test_figures_are_searched_as_the_form_shows_them(client: TestClient, term: str) -> None:
    html = client.get(f"/tools/rates/?{urlencode({PRICE: '300000', AMOUNT: '200000', TERM: term})}").text
    form = region_of(html, "search-region")
    assert form.xpath(f"string(.//input[@name='{TERM}']/@value)") == "30"
    assert not form.find_class("err")
    plain = client.get(f"/tools/rates/?{urlencode({PRICE: '300000', AMOUNT: '200000', TERM: '30'})}").text
    assert start_of(html) == start_of(plain)
    assert document_fromstring(html).findtext(".//title").startswith("£200,000 of £300,000")


@pytest.mark.parametrize(
    "query", ["price=300000&amount=", "term=30&term=20", "term=&term=20", "lender=&fees=none", "price=250k"]
)
async def test_edge_and_sockets_read_an_address_alike(client: TestClient, query: str) -> None:
    tab = Tab()
    await tab.open(f"/tools/rates/?{query}")
    summary = start_of(client.get(f"/tools/rates/?{query}").text)["shown"]["summary"]
    assert summary == list(tab.state.summary)


def test_form_sends_the_filters_that_have_no_field(client: TestClient) -> None:
    names = [each.parameter for each in FILTERS]
    for asked in ({}, {names[0]: "1"}, dict.fromkeys(names, "1")):
        page = document_fromstring(client.get(f"/tools/rates/?{urlencode({'term': '30', **asked})}").text)
        form = page.get_element_by_id("search")
        sent = dict(form.form_values())
        assert {name: sent[name] for name in names if name in sent} == asked
        assert {each.getparent().tag for each in form.xpath(".//input[@type='hidden']")} <= {"noscript"}


def test_links_to_further_searches_are_not_for_search_engines(client: TestClient) -> None:
    html = client.get("/tools/rates/?price=310000&amount=187400&page=60").text
    links = region_of(html).xpath(".//a[contains(@href, '/rates/?') and not(starts-with(@href, '/rates.csv'))]")
    assert {link.get("rel") for link in links} == {"nofollow"}
    said = " ".join(words_of(link) for link in links)
    assert all(words in said for words in ("Cashback", "Search with £186,000", "Show earlier deals", "View details"))


async def test_product_in_the_address_is_in_the_html_in_full(client: TestClient) -> None:
    listed = document_fromstring(client.get("/tools/rates/?term=30&page=2").text)
    opener = listed.xpath("//article[7]//noscript/a/@href")[0]
    assert opener.startswith("/tools/rates/?term=30&page=2&product=")
    region, tab = region_of(client.get(opener).text), Tab()
    await tab.open(opener)
    [section] = region.xpath("./div/noscript/section")
    said, detail = words_of(section), tab.state.detail
    texts = [detail.title, detail.headline.lender, *(text for line in detail.terms for text in line)]
    texts += [words_of(document_fromstring(html)) for html in (detail.description, detail.notes) if html]
    assert detail.terms
    assert [text for text in texts if " ".join(text.split()) not in said] == []
    [gone] = region_of(client.get("/tools/rates/?product=nobody").text).xpath("./div/noscript/section")
    assert words_of(gone).startswith(f"We cannot show this deal {NOT_FOUND}")


def test_lender_that_we_do_not_know_has_a_sentence_above_the_deals_of_all(client: TestClient) -> None:
    region = region_of(client.get("/tools/rates/?lender=999999").text)
    assert words_of(region.find_class("say")[0]).startswith(UNKNOWN_LENDER)
    assert len(region.xpath(".//article")) == 5


def test_search_without_results_says_so_and_how_to_go_on(client: TestClient) -> None:
    html = client.get("/tools/rates/?price=1000000&amount=999999&lender=42").text
    said = words_of(region_of(html))
    assert NONE_FOUND in said
    assert "from Halifax" in said or "Reset the search" in said


@pytest.mark.parametrize(("problem", "said"), [("", AWAY), ("Invalid LTV", "Invalid LTV")])
def test_source_that_fails_is_said_with_the_telephone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, problem: str, said: str
) -> None:
    make_rates_unavailable(monkeypatch, FeedFaultError("get_rates", problem) if problem else None)
    answer = client.get("/tools/rates/?term=30")
    assert (answer.status_code, answer.headers["cache-control"], answer.headers["retry-after"]) == (
        503,
        "no-store",
        "30",
    )
    words = words_of(region_of(answer.text))
    assert said in words
    assert words.count("We could not load rates") == 1
    assert region_of(answer.text).xpath(".//a[starts-with(@href, 'tel:')]")
    assert region_of(answer.text).xpath(FILTERS_CLASS) == ["filters kept"]


@pytest.mark.parametrize("customer", RULES, ids=lambda each: each or "all")
def test_usual_search_is_drawn_as_react_drew_it(client: TestClient, customer: str) -> None:
    path = f"/{customer or 'tools'}/rates/"
    exported, answered = client.get(path).text, client.get(f"{path}?nobody=knows").text
    for identity in ("deals", "search-region"):
        assert elements_of(region_of(answered, identity)) == elements_of(region_of(exported, identity))
    assert "edge-answer" not in exported


def test_hostile_addresses_get_the_usual_list_or_none(client: TestClient) -> None:
    for query in (
        "x" * 5_000,
        "&".join(f"p{place}=1" for place in range(3_000)),
        "page=" + "9" * 900,
        "price=%00&amount=%ff&term=%F0%9F%8F%A0",
        "lender=</script><script>alert(1)</script>&price={{7*7}}&amount=<b>",
    ):
        answer = client.get(f"/tools/rates/?{query}")
        assert answer.status_code == 200
        assert len(cards(region_of(answer.text))) in (0, 5, 50, 47)
        assert "alert(1)" not in answer.text


def test_path_below_the_page_is_not_found(client: TestClient) -> None:
    assert client.get("/tools/rates/zzz/?x=1").status_code == 404
