"""The edge's answer to the address of a plan: its figures and its deal in the HTML, without scripts."""

from collections.abc import Iterator

import pytest
from lxml.html import HtmlElement
from starlette.testclient import TestClient

from broker.plans.buying_plan import BUYING_PLAN
from broker.rates.plan_deal import AWAY, NO_LOAN
from broker.server.forms.plan_answers import buying_plan_handlers
from tests.integration.edge_answers import edge_client, make_rates_unavailable, part, start_of
from tests.integration.outline import words_of

PATH = "/plan/buying/"
WRONG = ("150,50", "abc", "-5", "1e9", "10000000000", "9" * 40, "<b>&amp;\"'", "{{ 7 * 7 }}")


@pytest.fixture(scope="module")
def client(site: object) -> Iterator[TestClient]:
    del site
    with edge_client(buying_plan_handlers) as client:
        yield client


def panel_of(html: str) -> HtmlElement:
    return part(html, "buying-plan")


def test_plan_without_figures_has_its_example_and_a_deal(client: TestClient) -> None:
    answer = client.get(PATH)
    panel, start = panel_of(answer.text), start_of(answer.text)
    assert words_of(panel.find_class("big")[0]) == "£302,953"
    assert start["deal"]["key"] == "most first england 35,000 27,000 300 28,000 30"
    assert "APRC representative. Your home may be repossessed" in words_of(panel.find_class("example")[0])
    assert len(panel.find_class("risk")) == 1
    assert ("x-robots-tag" in answer.headers, "Error: " in answer.text) == (False, False)


def test_figures_of_the_address_are_those_of_the_plan(client: TestClient) -> None:
    answer = client.get(f"{PATH}?income=52000&goal=price&price=390,000&nation=scotland&lisa=open")
    panel, start = panel_of(answer.text), start_of(answer.text)
    typed = {"income": 52_000, "goal": "price", "price": 390_000, "nation": "scotland", "lisa": "open"}
    deal = {"dealFee": start["deal"]["fee"], "allowedFee": start["deal"]["allowed"], "hasDeal": True}
    working = BUYING_PLAN.calculate({**BUYING_PLAN.defaults(), **typed, **deal, "thisMonth": start["month"]})
    assert words_of(panel.find_class("big")[0]) == working.figure
    assert words_of(panel.find_class("cap-2")[0]) == working.caption
    assert [words_of(one) for one in panel.iterfind(".//details/ol/li")] == list(working.steps)
    assert working.table
    rows = [[words_of(cell) for cell in row] for row in panel.find(".//table").iterfind("tbody/tr")]
    assert [figure for _, figure in rows] == [figure for _, figure, _ in working.table.rows]
    assert answer.headers["x-robots-tag"] == "noindex"


@pytest.mark.parametrize("text", WRONG)
def test_nonsense_in_a_field_is_said_and_has_no_answer(client: TestClient, text: str) -> None:
    for field in BUYING_PLAN.fields:
        answer = client.get(PATH, params={field.name: text, "goal": "price"})
        panel = panel_of(answer.text)
        assert (answer.status_code, "<title>Error: " in answer.text) == (200, True)
        assert [link.get("href") for link in panel.iterfind(".//a") if "#" in link.get("href", "")] == [
            f"#buying-plan-{field.name}"
        ] * 2
        assert [words_of(one) for one in panel.find_class("plate")[0].iter("li")] == [f"Check: {field.label}"]
        assert [panel.find_class(name) for name in ("big", "bars", "chart", "example")] == [[]] * 4
        assert not panel.findall(".//table")


def test_plan_counts_the_fee_of_the_deal_that_it_chooses(client: TestClient) -> None:
    panel = panel_of(client.get(f"{PATH}?income=34000&income2=28000&goal=price&price=310000").text)
    lines = [(words_of(line.find("dt")), words_of(line.find("dd"))) for line in panel.iterfind(".//dl/div")]
    [fee] = [figure for label, figure in lines if label.startswith("Lender’s fees")]
    cash = {words_of(row.find("th")): words_of(row.find("td")) for row in panel.find(".//table").iterfind("tbody/tr")}
    [counted] = [figure for label, figure in cash.items() if label.startswith("Lender’s fee")]
    assert counted == fee == "£1,995"
    names = ("Deposit", "Stamp duty", "Lender’s fee", "Survey", "Legal work", "In all", "Still to save")
    amounts = [
        int(figure[1:].replace(",", "")) for name in names for label, figure in cash.items() if label.startswith(name)
    ]
    assert sum(amounts[:5]) == amounts[5]
    assert amounts[5] - 28_000 == amounts[6]
    assert f"takes £{amounts[6]:,} more than you have" in words_of(panel.find_class("cap-2")[0])
    assert "for the lowest rate" in words_of(panel)


def test_income_of_0_and_savings_above_the_price_are_said(client: TestClient) -> None:
    without = panel_of(client.get(f"{PATH}?income=0&income2=0").text)
    assert "Type your income" in words_of(without)
    assert NO_LOAN.problem in words_of(without)
    covered = panel_of(client.get(f"{PATH}?goal=price&price=20000").text)
    assert "Your savings cover the whole price" in words_of(covered)


def test_plan_stays_while_the_source_is_away(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    make_rates_unavailable(monkeypatch)
    answer = client.get(PATH)
    assert answer.status_code == 200
    assert AWAY in words_of(panel_of(answer.text))
    assert words_of(panel_of(answer.text).find_class("big")[0]) == "£303,429"
