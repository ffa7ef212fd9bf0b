from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker.calculators.calculator import Calculator, Form, Unit, box_text
from broker.calculators.registry import CALCULATORS
from broker.calculators.view import AnswerView, calculator_view, read_values, typed_fields
from broker.documents.document import Document, Table
from broker.documents.plans import (
    buying_plan_document,
    calculator_document,
    rate_history_document,
    remortgage_plan_document,
)
from broker.plans.buying import THIS_MONTH, buying_plan
from broker.plans.buying_deal import deal_key, deal_search
from broker.plans.buying_plan import BUYING_PLAN
from broker.plans.rate_history_view import history_view
from broker.plans.remortgage import remortgage
from broker.plans.remortgage_plan import remortgage_form, remortgage_view
from broker.plans.remortgage_search import FoundDeals, HeldRate, query_of, question
from broker.rates.plan_deal import NO_LOAN, PlanDeal, found_deal, values_of_deal
from broker.rates.remortgage_deals import RemortgageDeals, remortgage_deals, values_of_deals
from tests.services import project_averages
from tests.unit.plans.test_buying import NOVEMBER_2026
from tests.unit.plans.test_remortgage import TODAY
from tests.unit.rates.market.searching import search


def texts_of(part: Any) -> Iterator[str]:
    """Yield the texts in a value, however deep, but for names of kinds and tones."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from texts_of(each)
    elif is_dataclass(part):
        for field in fields(part):
            if field.name not in {"kind", "tone", "colour", "path", "logo", "width"}:
                yield from texts_of(getattr(part, field.name))


def missing(document: Document, *shown: Any) -> list[str]:
    """Return the texts of what is shown that no text of a document has."""
    whole = "\n".join(texts_of(document))
    return [text for text in texts_of(shown) if text not in whole]


def shown_of(answer: AnswerView) -> tuple[Any, ...]:
    """Return what a page shows of an answer; a note without a title is none."""
    chart, table = answer.chart, answer.table
    return (
        *(answer.label, answer.figure, answer.per, answer.caption, answer.tiles, answer.steps, answer.bars),
        *(((answer.note.title, answer.note.text),) if answer.note else ()),
        *((note.title, note.text) for note in answer.warnings if note.title),
        *((table.caption, table.heads, table.rows) if table else ()),
        *((chart.title, chart.start, chart.end, chart.heads) if chart else ()),
    )


unhurried = settings(deadline=None)
"""A first search or a first import takes longer than those after."""

FORM = remortgage_form({7: "Alder"})


def typed_in(form: Form) -> st.SearchStrategy[dict[str, str]]:
    """Return parameters with a figure for each field and an option of each choice."""

    def number(low: float, high: float, unit: Unit) -> st.SearchStrategy[str]:
        if unit is Unit.DAY:
            return st.sampled_from(("", "2026-01-31", "2027-03-25", "2031-08-31"))
        return st.integers(int(low), max(int(high), int(low))).map(str)

    numbers = {field.name: number(max(field.min_value, 1), field.high, field.unit) for field in form.fields}
    options = {choice.name: st.sampled_from([value for value, _ in choice.options]) for choice in form.choices}
    return st.fixed_dictionaries(numbers | options)


def counted(form: Form, typed: dict[str, str]) -> list[str]:
    """Return the figures of the fields that a form shows, as their boxes show them; 0 may be left out."""
    values = read_values(form, typed)
    used = [
        field
        for field in form.fields
        if not field.only_for or field.only_for in {f"{each.name}={values[each.name]}" for each in form.choices}
    ]
    return [str(box_text(field, values[field.name])) for field in used if field.unit is not Unit.DAY]


def planned(typed: dict[str, str]) -> tuple[Document, Any, PlanDeal]:
    values = read_values(BUYING_PLAN, typed)
    plan = buying_plan(values)
    asked = deal_search(deal_key(plan.price, plan.loan, term=values["term"], buyer=values["buyer"]))
    deal = found_deal(asked, search(asked.query), band=None, logos={}) if asked else NO_LOAN
    view = calculator_view(BUYING_PLAN, typed, more={THIS_MONTH: NOVEMBER_2026, **values_of_deal(deal)})
    document = buying_plan_document(values, view=view, deal=deal)
    assert document
    return document, view, deal


def remortgaged(typed: dict[str, str]) -> tuple[Document, Any, RemortgageDeals]:
    values = {**read_values(FORM, typed), "today": TODAY, "unknownLender": False}
    asked = question(remortgage(values | values_of_deals(RemortgageDeals())), values)
    is_search = 0 < asked.amount <= asked.price
    held = HeldRate(lender="Alder", rate=7.29, is_sample=True) if asked.lender else None
    found = FoundDeals(question=asked, answer=search(query_of(asked)) if is_search else None, held=held)
    deals = remortgage_deals(found, logos={})
    fields = typed_fields(FORM, typed, values=values)
    view = remortgage_view(FORM, values | values_of_deals(deals), fields=fields)
    document = remortgage_plan_document(FORM, values, view=view, deals=deals)
    assert document
    return document, view, deals


@pytest.mark.parametrize("calculator", CALCULATORS, ids=lambda each: each.slug)
@unhurried
@given(data=st.data())
def test_calculator_document_has_all_that_its_page_shows(calculator: Calculator, data: st.DataObject) -> None:
    typed = data.draw(typed_in(calculator))
    document, view = calculator_document(calculator, typed), calculator_view(calculator, typed)
    if document is None:
        assert view.is_wrong
        return
    assert missing(document, *shown_of(view.answer), *counted(calculator, typed)) == []


@unhurried
@given(typed_in(BUYING_PLAN))
def test_buying_plan_document_has_all_that_its_page_shows(typed: dict[str, str]) -> None:
    document, view, deal = planned(typed)
    assert missing(document, *shown_of(view.answer), *counted(BUYING_PLAN, typed)) == []
    shown = (deal.headline.lender, deal.headline.rate, deal.headline.aprc, deal.name, deal.lines, deal.problem)
    assert missing(document, *shown, deal.band, deal.example, deal.example_aprc, deal.dated) == []


@unhurried
@given(typed_in(FORM))
def test_remortgage_document_has_all_that_its_page_shows(typed: dict[str, str]) -> None:
    document, view, deals = remortgaged(typed)
    assert missing(document, *shown_of(view.panel.answer), view.verdict, view.facts, view.sentences, view.held) == []
    assert missing(document, *counted(FORM, typed), deals.basis, deals.fee, deals.problem) == []
    ways = [(way.name, way.words) for way in view.ways]
    assert missing(document, *ways, view.dates, view.beat) == []
    for deal in deals.best.deals:
        shown = (deal.headline.lender, deal.headline.rate, deal.headline.aprc, deal.summary, deal.labels)
        assert missing(document, *shown, deal.payment, deal.fees, deal.true_year) == []
    assert missing(document, deals.best.example, deals.best.example_aprc, deals.best.dated) == []


def test_chart_of_ten_years_keeps_its_ends_and_ten_rows_at_most() -> None:
    document, view, _ = planned({"monthly": "1", "savings": "3500", "goal": "price"})
    tables = (part for section in document.sections for part in section.parts if isinstance(part, Table))
    table = next(each for each in tables if each.heads[0] == "Month")
    rows = [tuple(row) for row in view.answer.chart.rows]
    assert (table.rows[0], table.rows[-1], len(rows), len(table.rows)) == (rows[0], rows[-1], 25, 9)


def test_plan_with_a_figure_typed_wrong_has_no_document() -> None:
    typed, month = {"savings": "150,50"}, {THIS_MONTH: NOVEMBER_2026}
    view = calculator_view(BUYING_PLAN, typed, more=month)
    assert buying_plan_document(read_values(BUYING_PLAN, typed), view=view, deal=NO_LOAN) is None
    values = {**read_values(FORM, {"end": "soon"}), "today": TODAY, "unknownLender": False}
    values |= values_of_deals(RemortgageDeals())
    fields = typed_fields(FORM, {"end": "soon"}, values=values)
    remortgage_answer = remortgage_view(FORM, values, fields=fields)
    assert remortgage_plan_document(FORM, values, view=remortgage_answer, deals=RemortgageDeals()) is None


def test_age_left_out_and_instructions_are_no_figures() -> None:
    names = [name for name, _ in planned({})[0].figures]
    assert names[:3] == ["What would you like to know?", "Your income (a year, before tax)", "Second income"]
    assert "Age of the older" not in names
    assert ("Age of the older", "50 years") in planned({"age": "50"})[0].figures
    assert ("Your deal ends on", "25 March 2027") in remortgaged({"end": "2027-03-25"})[0].figures


def test_document_of_a_deal_that_is_over_has_three_ways_and_no_date_that_has_passed() -> None:
    document, view, _ = remortgaged({"end": "2026-01-31", "offerRate": "4.2", "offerEnd": "2031-08-31"})
    titles = [section.title for section in document.sections]
    assert ("Three ways on" in titles, "Today’s deals for your loan" in titles) == (True, True)
    tables = [part for section in document.sections for part in section.parts if isinstance(part, Table)]
    assert [row[0] for row in tables[0].rows] == [way.name for way in view.ways if way.name]
    assert all(head for table in tables for head in table.heads)
    assert [text for text in texts_of(document.sections) if "your deal ends" in text or text.startswith(": ")] == []


def test_addresses_have_what_differs_from_the_example() -> None:
    assert planned({"savings": "30,000", "lisa": "new"})[0].address == ("/plan/buying/?savings=30000&lisa=new")
    assert remortgaged({"end": "2027-03-25", "rate": "1.625"})[0].address == (
        "/plan/remortgaging/?rate=1.625&end=2027-03-25"
    )


def test_rate_history_has_the_figures_of_its_page() -> None:
    of = project_averages()({"loan": "187400", "term": "19", "rate": "1.6", "end": "2027-03-31"})
    document, view = rate_history_document(of), history_view(of)
    assert document
    answer = view.answer
    assert not missing(
        document, answer.label, answer.figure, answer.caption, answer.sentences, answer.steps, view.notes
    )
    assert ("Your rate today", "1.60%") in document.figures
    assert document.address == "/tools/rate-history/?loan=187400&term=19&rate=1.60&end=2027-03-31"
    table = next(part for section in document.sections for part in section.parts if isinstance(part, Table))
    assert table.rows[-1][:2] == ("August 2026", "4.92%")
    assert rate_history_document(project_averages()({"loan": "x"})) is None


def test_rate_history_of_a_loan_that_ends_soon_has_no_result() -> None:
    document = rate_history_document(project_averages()({"term": "2"}))
    assert document
    assert document.result is None
    assert any("nothing to compare" in text for text in texts_of(document))
