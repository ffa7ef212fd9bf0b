"""The edge's answer to the address of the remortgage plan, and its reminder: read as HTML and as a calendar file."""

from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from lxml.html import HtmlElement
from starlette.testclient import TestClient

from broker import routes
from broker.lending.days import day_number, iso_text, months_earlier
from broker.plans.remortgage_plan import (
    CHARGE_TOO_HIGH,
    LITTLE_TIME,
    NEGATIVE_EQUITY,
    OFFER_DEARER,
    OFFER_ENDED,
    OFFER_FEE_TOO_HIGH,
    OFFER_UNDATED,
    PAST,
    UNKNOWN_LENDER,
)
from broker.server.forms.plan_answers import NO_DAY, remortgage_plan_handlers
from tests.integration.edge_answers import edge_client, part
from tests.integration.outline import words_of
from tests.unit.rates.sources import ListSource, many

WALK = {"balance": "187400", "value": "310000", "term": "19", "rate": "1.6"}


def in_months(months: int) -> str:
    return iso_text(months_earlier(day_number(datetime.now(UTC).date()), -months))


@pytest.fixture(scope="module")
def source() -> ListSource:
    return ListSource(many(12))


@pytest.fixture(scope="module")
def client(site: object, source: ListSource) -> Iterator[TestClient]:
    del site
    with edge_client(lambda live: remortgage_plan_handlers(live, firm="Sample"), source) as client:
        yield client


def plan_at(client: TestClient, **typed: str) -> HtmlElement:
    answer = client.get(f"{routes.REMORTGAGE_PLAN}?{urlencode({**WALK, **typed})}")
    assert (answer.status_code, answer.headers["x-robots-tag"]) == (200, "noindex")
    return part(answer.text, "plan-remortgaging")


def warnings_of(plan: HtmlElement) -> list[str]:
    return [words_of(note) for note in plan.iterfind(".//div[@class='note warn']")]


def test_walk_is_answered_whole_without_scripts(client: TestClient) -> None:
    plan = plan_at(client, end=in_months(4), followOn="7.5")
    headline = words_of(plan.find_class("headline")[0])
    assert headline.startswith("Your payment would go from £953.73 to £1,533.40 a month That is £579.67 more from ")
    assert "The best switch we found would make it £" in headline
    facts = dict(zip(map(words_of, plan.iter("dt")), map(words_of, plan.iter("dd")), strict=True))
    assert (facts["Owed when your deal ends"], facts["Loan to value then"]) == ("£184,578.92", "59.6%")
    assert [len(list(table.iterfind("tbody/tr"))) for table in plan.iter("table")] == [4, 4, 3]
    assert plan.find_class("example")
    assert [link.get("href") for link in plan.iter("a") if "edge-template" in link.get("href", "")] == []
    assert warnings_of(plan) == []


def ways_rows(plan: HtmlElement) -> list[HtmlElement]:
    return list(next(plan.iter("table")).iterfind("tbody/tr"))


def ways_of(plan: HtmlElement) -> list[str]:
    return [words_of(row) for row in ways_rows(plan)]


def test_three_numbers_of_a_letter_are_compared_without_scripts(client: TestClient) -> None:
    plan = plan_at(client, end=in_months(4), offerRate="0.5", offerFee="0", offerEnd=in_months(64))
    _, own, *others = ways_of(plan)
    assert own.startswith("A new deal from your own lenderCosts least0.50% until ")
    assert [row for row in others if "Costs least" in row] == []
    label, figure = (words_of(plan.find_class("plate")[0].find_class(name)[0]) for name in ("label", "big"))
    assert (label, figure[-1]) == ("Your lender’s offer wins if it is below", "%")
    assert any("Yours, at 0.50%, wins: staying costs £" in words_of(each) for each in plan.iter("p"))
    assert len(plan.findall(".//ol[@class='dates']/li")) == 5


def opener_of(plan: HtmlElement) -> HtmlElement:
    return plan.find_class("own-figures")[0]


def test_figures_fold_to_a_line_once_they_have_an_answer(client: TestClient) -> None:
    folded = opener_of(plan_at(client, end="2099-03-31"))
    assert "open" not in folded.attrib
    assert words_of(folded.find_class("ask")[0]).startswith("£187,400 of £310,000, 19 years · 1.60% to 31 March 2099")
    assert {"open" in opener_of(plan_at(client, **typed)).attrib for typed in ({}, {"end": "x"}, {"rate": "x"})} == {
        True
    }


def test_without_a_letter_the_page_says_what_it_must_beat(client: TestClient) -> None:
    plan = plan_at(client, end=in_months(4))
    assert plan.xpath("string(.//input[@name='offerRate']/@value)") == ""
    own = ways_of(plan)[1]
    assert "Costs least" not in own
    assert "With no fee it costs less than a switch if its rate is below " in own
    assert any(words_of(each).startswith("Copy the three numbers from your lender’s letter") for each in plan.iter("b"))


def test_landlords_and_interest_only_loans_have_their_own_search(client: TestClient, source: ListSource) -> None:
    plan = plan_at(client, end=in_months(4), home="let", repay="interest-only")
    asked = source.asked[-1]
    assert (asked.customer, asked.repayment, asked.amount) == ("buy-to-let-remortgage", False, 187_400)
    assert any("Most buy-to-let mortgages are not regulated" in words_of(each) for each in plan.iter("p"))


def test_deal_that_is_over_has_three_ways_and_three_dates(client: TestClient) -> None:
    plan = plan_at(client, end=in_months(-5), offerRate="4", offerEnd=in_months(55))
    assert words_of(plan.find_class("headline")[0]).startswith("Your deal is over: you now pay £")
    assert [words_of(row.find("th")).partition("Costs least")[0][:10] for row in ways_rows(plan)] == [
        "Do nothing",
        "A new deal",
        "Switch now",
    ]
    chart = plan.find_class("by-month")[0]
    assert [words_of(key) for key in chart.findall(".//ul[@class='keys']/li")] == [
        "Do nothing",
        "Your lender’s new deal",
        "Switch now",
    ]
    assert {len(row.xpath("th | td")) for row in chart.find(".//table").iter("tr")} == {4}
    assert len(plan.findall(".//ol[@class='dates']/li")) == 3
    shown = words_of(plan).replace(PAST, "")
    assert [words for words in ("your deal ends", "at the end", "Four ways") if words in shown] == []


@pytest.mark.parametrize("lender", ["999999", "abc"])
def test_lender_that_we_do_not_know_has_a_sentence_and_the_rest_stays(client: TestClient, lender: str) -> None:
    plan = plan_at(client, end=in_months(4), lender=lender)
    assert warnings_of(plan) == [UNKNOWN_LENDER]
    assert "£953.73" in words_of(plan.find_class("headline")[0])
    assert not warnings_of(plan_at(client, end=in_months(4), lender="207"))


def test_dates_and_reminder_follow_the_lenders_window(client: TestClient) -> None:
    plan = plan_at(client, end=in_months(12), lender="207")
    dates = words_of(plan.find_class("dates")[0])
    assert "Sources disagree on how early NatWest lets you book: 6 months or 4 months" in dates
    (link,) = [each.get("href") for each in plan.iter("a") if "reminder.ics" in each.get("href", "")]
    assert link.endswith("&lender=207")
    assert "Sources disagree" in client.get(link).text.replace("\r\n ", "")


def test_rate_of_the_visitors_own_letter_wins_and_ours_is_offered(client: TestClient) -> None:
    plan = plan_at(client, end=in_months(4), followOn="6.58", lender="75")
    assert plan.xpath("string(.//input[@name='followOn']/@value)") == "6.58"
    assert "£1,433.14" in words_of(plan.find_class("headline")[0])
    offer = plan.xpath(".//*[@role='status'][.//button]")[0]
    assert words_of(offer) == (
        "After its deals Alder Bank charges 7.50%, by our sample figures, which are not the lender’s own: your plan "
        "counts the 6.58% in your form.Count 7.50% instead"
    )


def test_page_without_figures_is_an_example_that_may_be_indexed(client: TestClient) -> None:
    answer = client.get(routes.REMORTGAGE_PLAN)
    assert (answer.status_code, "x-robots-tag" in answer.headers, "Error: " in answer.text) == (200, False, False)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"end": "2020-01-01"}, PAST),
        ({"charge": "pounds", "chargePounds": "187401", "end": in_months(4)}, CHARGE_TOO_HIGH),
        ({"value": "100000", "end": in_months(4)}, NEGATIVE_EQUITY),
        ({"offerRate": "1.61", "end": in_months(4)}, OFFER_DEARER),
        ({"offerFee": "18741", "end": in_months(4)}, OFFER_FEE_TOO_HIGH),
        ({"offerRate": "1", "offerEnd": "2020-01-01", "end": in_months(4)}, OFFER_ENDED),
        ({"offerRate": "1", "end": in_months(4)}, OFFER_UNDATED),
        ({"end": in_months(1)}, LITTLE_TIME),
    ],
)
def test_figures_that_do_not_fit_leave_the_plan(client: TestClient, typed: dict[str, str], sentence: str) -> None:
    plan = plan_at(client, **typed)
    assert sentence in warnings_of(plan)
    assert words_of(plan.find_class("headline")[0].find(".//h2/b")).startswith("£")


@pytest.mark.parametrize("text", ["abc", "-5", "<b>", "{{ 7 * 7 }}", "9" * 60, "\ud7ff"])
def test_nonsense_in_every_field_has_no_answer(client: TestClient, text: str) -> None:
    plan = plan_at(client, **dict.fromkeys((*WALK, "end", "lender", "followOn", "charge", "chargePercent"), text))
    assert words_of(plan.find_class("headline")[0]).startswith("No answer yet")
    assert str(plan.getroottree().findtext(".//title")).startswith("Error: ")
    assert len(plan.find_class("err")) == 7
    assert [plan.find_class(name) for name in ("big", "chart", "example", "kv")] == [[]] * 4
    assert not plan.findall(".//table")


def test_rates_that_cannot_be_read_leave_the_plan(client: TestClient, source: ListSource) -> None:
    source.away = True
    try:
        plan = plan_at(client, balance="150001", end=in_months(4))
    finally:
        source.away = False
    assert any("rates service" in sentence for sentence in warnings_of(plan))
    assert "With an example deal at 5.99%" in words_of(plan.find_class("headline")[0])


def test_reminder_is_a_calendar_file_and_what_is_no_day_a_sentence(client: TestClient) -> None:
    answer = client.get(f"{routes.REMORTGAGE_REMINDER}?end=2099-10-31")
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert "DTSTART;VALUE=DATE:20990430\r\n" in answer.text
    for text in ("", "x", "2027-02-30", "1999-01-01", "9999-12-31"):
        refused = client.get(f"{routes.REMORTGAGE_REMINDER}?{urlencode({'end': text})}")
        assert (refused.status_code, refused.text) == (404, NO_DAY)
