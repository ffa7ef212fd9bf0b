from collections import Counter
from functools import cache

import pytest

from broker import routes
from broker.content.store import HOME_FAQS
from broker.pages import all_pages
from broker.pages.site.search import pages, site_index
from broker.rates.deal_types import DEAL_TYPES
from broker.site_search.index import Kind, SearchIndex
from broker.site_search.view import KINDS
from tests.search_reference import search
from tests.unit.pages.whole_site import inputs

UNFOUND = {routes.SITE_MAP, routes.SEARCH, routes.THANK_YOU, routes.TEST, routes.HOME2, routes.NOT_FOUND}
UNFOUND |= {routes.YOUR_ENQUIRY, routes.YOUR_APPOINTMENT, routes.MY_WATCH, routes.WATCH_SENT}
"""Lists of everything, and pages that nobody looks for (decision 8), beside the questions and the staff area."""

UNSAID = (routes.QUESTIONNAIRE, routes.STAFF, routes.UPDATE_LENDERS)
"""How the paths of those begin that are many."""


@cache
def index() -> SearchIndex:
    return site_index(all_pages(inputs()))


def test_every_page_is_found_but_those_of_one_lender_and_deal_type() -> None:
    endings = tuple(f"/{deal.slug}/" for deal in DEAL_TYPES)
    wanted = {page.route for page in all_pages(inputs()) if not page.route.endswith(endings)} - UNFOUND
    wanted = {path for path in wanted if not path.startswith(UNSAID)}
    assert {entry.href.partition("#")[0] for entry in index().entries} == wanted


def test_every_question_is_found() -> None:
    store = inputs().store
    asked = [faq.question for each in (*store.services(), *store.pages()) for faq in each.faqs]
    asked += [faq.question for faq in store.faqs(HOME_FAQS)]
    assert sorted(each.title for each in index().entries if each.kind is Kind.QUESTION) == sorted(asked)


def test_every_entry_has_an_address_of_its_own_and_a_line_about_it() -> None:
    counts = Counter(entry.href for entry in index().entries)
    assert [href for href, count in counts.items() if count > 1] == []
    assert [entry.href for entry in index().entries if not 10 <= len(entry.description) <= 200] == []
    assert {entry.kind for entry in index().entries} == set(Kind) == set(KINDS)


FIRST = {
    "leasehold": routes.guide("leasehold-explained"),
    "btl": routes.service("buy-to-let"),
    "sdlt": routes.calculator("stamp-duty"),
    "stamp duty": routes.calculator("stamp-duty"),
    "lbtt": routes.calculator("stamp-duty"),
    "property tax": routes.guide("stamp-duty-explained"),
    "LTV": routes.guide("what-is-ltv"),
    "aprc": routes.guide("what-is-aprc"),
    "complaint": "/complaints-procedure/",
    "how much could i borrow": routes.calculator("borrow"),
    "mortgage rates": routes.RATES,
    "self employed": routes.service("self-employed"),
    "bad credit": routes.guide("improve-your-credit-score"),
    "overpay": routes.calculator("overpayment"),
    "limits on overpaying": routes.guide("overpaying-your-mortgage"),
    "leave your fix": routes.calculator("early-repayment-charge"),
    "interest only cost": routes.calculator("interest-only"),
    "gift from parents": routes.guide("gifted-deposits"),
    "shared own": routes.guide("shared-ownership-explained"),
    "convey": routes.guide("conveyancing-explained"),
    "cannot pay": routes.guide("help-if-you-cannot-pay"),
    "fixed or variable": routes.guide("fixed-or-variable"),
    "are you paid": "/how-we-are-paid/",
}


@pytest.mark.parametrize("query", FIRST)
def test_what_people_look_for_comes_first(query: str) -> None:
    assert search(index(), query).entries[0].href == FIRST[query]


ANSWERED = {
    "guarantor": "can-i-have-a-guarantor",
    "joint": "can-i-get-a-joint-mortgage",
    "equity release": "do-you-advise-on-equity-release",
    "lifetime mortgage": "do-you-advise-on-equity-release",
    "retirement interest-only": "what-is-a-retirement-interest-only-mortgage",
    "offset": "what-is-an-offset-mortgage",
    "shared ownership": "can-you-arrange-a-shared-ownership-mortgage",
    "bad credit": "can-i-get-a-mortgage-with-bad-credit",
    "adverse credit": "can-i-get-a-mortgage-with-bad-credit",
    "bridging": "what-do-you-not-help-with",
}


@pytest.mark.parametrize("query", ANSWERED)
def test_special_needs_have_a_short_answer_among_the_first_results(query: str) -> None:
    found = search(index(), query)
    assert found.whole
    assert f"{routes.FAQS}#{ANSWERED[query]}" in [entry.href for entry in found.entries[:2]]


def test_what_the_firm_does_not_do_is_said_with_where_to_go() -> None:
    store = inputs().store
    answers = {faq.question: faq.answer for faq in store.faqs(routes.FAQS)}
    declined = answers["Do you advise on equity release?"]
    assert declined.startswith("<p>No.")
    assert [place for place in ("moneyhelper.org.uk", "equityreleasecouncil.com") if place not in declined] == []


ABOUT = {
    "aip": "agreement-in-principle",
    "erc": "early-repayment-charge",
    "svr": "",
    "product transfer": routes.REMORTGAGE_PLAN,
    "lisa": "lifetime-isa-guide",
    "surveyor": "house-surveys-explained",
}


@pytest.mark.parametrize("query", ABOUT)
def test_colloquial_names_find_the_page(query: str) -> None:
    assert [entry.href for entry in search(index(), query).entries[:4] if ABOUT[query] in entry.href] != []


def test_page_of_the_search_is_not_indexed() -> None:
    assert [(page.route, page.indexed) for page in pages(inputs())] == [(routes.SEARCH, False)]
