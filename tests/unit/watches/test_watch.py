from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from broker.calculators.view import read_values
from broker.lending.mortgage import monthly_payment
from broker.plans.remortgage import INTEREST_ONLY
from broker.plans.remortgage_plan import remortgage_form
from broker.watches.figures import watch_plan
from broker.watches.watch import (
    PAST_END,
    DealKind,
    Tell,
    Watch,
    WatchContact,
    counted_on,
    parameters_of,
    parse_start,
    parse_watch,
    plan_parameters,
    plan_values,
    tell_field,
)
from tests.unit.watches.watching import FORM, TODAY, WATCH, watch


def parsed(**fields: object) -> WatchContact | dict[str, str]:
    found = parse_start({**FORM, **fields}, today=TODAY)
    return found if isinstance(found, WatchContact) else {problem.field: problem.reason for problem in found}


def test_form_of_the_plan_makes_a_watch() -> None:
    found = parsed()
    assert isinstance(found, WatchContact)
    tells = frozenset({Tell.WINDOW, Tell.THREE_MONTHS, Tell.ONE_MONTH, Tell.SAVING})
    assert found.watch == watch(tells=tells, rate_below=0, applied_rate=0)
    assert (found.email, found.telephone) == ("Zebedee@quill.example", "")


@pytest.mark.parametrize(
    "kept", [WATCH, watch(lender_id=None, may_call=True, offer_rate=4.24, offer_end=date(2032, 3, 31), home="let")]
)
def test_watch_is_the_same_after_its_own_form(kept: Watch) -> None:
    assert parse_watch(parameters_of(kept), today=TODAY) == kept


def test_address_of_the_plan_has_the_values_of_the_watch() -> None:
    kept = watch(charge="pounds", charge_percent=0, charge_pounds=4_000, repay="interest-only", legal=300)
    read = read_values(remortgage_form({9: "Halifax"}), plan_parameters(kept))
    values = plan_values(kept, today=TODAY)
    assert {name: values[name] for name in read if name != "chargePercent"} == {
        name: value for name, value in read.items() if name != "chargePercent"
    }


WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "no balance": ({"balance": ""}, "balance", "Enter the loan left today, for example 200,000"),
    "a decimal comma of pounds": (
        {"balance": "187.400,50"},
        "balance",
        "Enter a number in figures, for example 250,000",
    ),
    "pence after a comma": ({"balance": "187400,5"}, "balance", "Write pence after a full stop, for example 150.50"),
    "a decimal comma of a rate": ({"rate": "4,25 %"}, "rate", "Write the rate with a full stop, for example 4.25"),
    "a rate above any": ({"rate": "99"}, "rate", "Enter a rate from 0 to 25%, to three places at most"),
    "no home": ({"value": "-1"}, "value", "Enter a number of 0 or more, without a minus sign"),
    "no term": ({"term": "0"}, "term", "Enter 1 to 40 years, in whole or half years"),
    "a deal that is over": ({"end": "2026-03-30"}, "end", PAST_END),
    "a deal that ends today": ({"end": "2026-03-31"}, "end", PAST_END),
    "a leap day of no leap year": ({"end": "2027-02-29"}, "end", "There is no such day: check the date your deal ends"),
    "a day in words": ({"end": "Christmas"}, "end", "Enter a date from 2000 to 2099, for example 2027-03-31"),
    "no day": ({"end": ""}, "end", "Enter the date your deal ends: your offer has it"),
    "a lender by name": ({"lender": "Halifax"}, "lender", "Choose your lender from the list, or leave it out"),
    "another way to repay": ({"repay": "never"}, "repay", "Choose “How you repay” from the list"),
    "no saving": ({"savingOver": ""}, "savingOver", "Enter the saving to tell you of, for example 500"),
    "a saving of nothing": ({"savingOver": "0"}, "savingOver", "Enter £1 or more"),
    "no rate": ({"tell-rate": "yes"}, "rateBelow", "Enter the rate to tell you of, for example 3.75"),
    "a rate of 0": (
        {"tell-fell": "yes", "appliedRate": "0"},
        "appliedRate",
        "Enter the rate you applied for, for example 4.19",
    ),
    "no such deal": ({"tell-rate": "yes", "rateBelow": "4", "deal": "9"}, "deal", "Choose the kind of deal"),
    "nothing to tell": (
        {tell_field(tell): "" for tell in Tell},
        "tells",
        "Tick at least one thing that we should tell you",
    ),
    "no address": ({"email": ""}, "email", "Enter your email address, for example name@example.com"),
    "half an address": (
        {"email": "zebedee@"},
        "email",
        "Enter an email address like name@example.com, or leave it empty",
    ),
    "a call without a number": (
        {"mayCall": "yes", "telephone": "12"},
        "telephone",
        "Enter a UK telephone number, for example 07700 900123, or untick that we may call",
    ),
}


@pytest.mark.parametrize(("fields", "name", "sentence"), WRONG.values(), ids=WRONG)
def test_field_that_is_wrong_has_a_sentence(fields: dict[str, object], name: str, sentence: str) -> None:
    assert parsed(**fields) == {name: sentence}


def test_fields_of_what_is_not_ticked_may_hold_anything() -> None:
    found = parsed(savingOver="a lot", rateBelow="4,5", appliedRate="?", chargePounds="x", **{"tell-saving": ""})
    assert isinstance(found, WatchContact)
    assert (found.watch.saving_over, found.watch.rate_below, found.watch.kind) == (0, 0, DealKind.TWO_YEARS)


@pytest.mark.parametrize("hostile", [None, 7, ["a"], "x" * 100_000, "\x00", "１２３", "٣"])
def test_hostile_values_are_problems_and_no_errors(hostile: object) -> None:
    found = parse_start(dict.fromkeys(FORM, hostile), today=TODAY)
    assert isinstance(found, tuple)
    assert len({problem.field for problem in found}) == len(found)


def test_call_that_is_agreed_to_keeps_the_number() -> None:
    found = parsed(mayCall="yes", telephone="07700 900 123 ext 4")
    assert isinstance(found, WatchContact)
    assert (found.watch.may_call, found.telephone) == (True, "+447700900123 ext. 4")


@pytest.mark.parametrize(
    ("day", "months", "years"),
    [
        (date(2026, 3, 31), 0, 19),
        (date(2026, 4, 1), 1, 19),
        (date(2026, 9, 30), 6, 18.5),
        (date(2026, 12, 31), 9, 18.5),
        (date(2028, 2, 29), 9, 18.5),
        (date(2025, 3, 31), 0, 19),
    ],
    ids=["same day", "next month", "half a year", "the deal's last month", "long after the deal", "clock set back"],
)
def test_balance_is_counted_on_by_a_payment_a_month_until_the_deal_ends(day: date, months: int, years: float) -> None:
    owed, payment = WATCH.balance, monthly_payment(WATCH.balance, WATCH.rate, WATCH.years)
    for _ in range(months):
        owed = owed * (1 + WATCH.rate / 1_200) - payment
    later = counted_on(WATCH, day)
    assert (later.balance, later.years) == (pytest.approx(owed, abs=1), years)
    assert replace(later, balance=WATCH.balance, years=WATCH.years) == WATCH


def test_loan_that_is_not_paid_back_is_counted_on_by_its_years_alone() -> None:
    later = counted_on(replace(WATCH, repay=INTEREST_ONLY), date(2026, 9, 30))
    assert (later.balance, later.years) == (WATCH.balance, 18.5)


def test_what_is_owed_when_the_deal_ends_stays_as_the_months_pass() -> None:
    at_end = [
        float(watch_plan(counted_on(WATCH, day), today=day).figures.owed_at_end)
        for day in (date(2026, 3, 31), date(2026, 6, 1), date(2026, 9, 1), date(2026, 12, 1))
    ]
    assert max(at_end) - min(at_end) < 100
