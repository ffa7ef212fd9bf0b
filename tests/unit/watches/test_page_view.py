"""A watch in words, as its owner reads it."""

from dataclasses import replace
from datetime import UTC, date, datetime

from broker.lending.transfer_window import TransferWindow
from broker.watches.form_view import watch_form
from broker.watches.page_view import figure_lines, question_values, record_lines, told_lines, watch_values
from broker.watches.watch import StoredWatch, Tell, Told, WatchState
from tests.unit.watches.watching import TODAY, WATCH

FORM = watch_form({9: "Alder"})
AT = datetime(2026, 3, 30, 8, 30, tzinfo=UTC)
STORED = StoredWatch(
    watch=WATCH,
    state=WatchState.ACTIVE,
    email="zebedee@quill.example",
    telephone="+447700900123 ext. 45",
    created=AT,
    confirmed_at=AT,
    delete_after=datetime(2027, 12, 25, tzinfo=UTC),
    told=(Told(tell=Tell.WINDOW, at=AT),),
    consent_text="2026-11",
    consent_words="Email me.",
    consent_at=AT,
    consent_page="/plan/remortgaging/watch/",
)


def words(facts: object) -> dict[str, str]:
    assert isinstance(facts, tuple)
    return {each.label: each.words for each in facts}


def test_figures_are_named_as_in_the_form_without_what_was_left_out() -> None:
    shown = words(figure_lines(WATCH, FORM))
    assert shown == {
        "Loan left today": "£187,400",
        "Value of the home": "£310,000",
        "Years left": "19 years",
        "Rate today": "1.60%",
        "Your deal ends on": "25 December 2026",
        "Rate after your deal": "7.50%",
        "Your lender today": "Alder",
        "How you repay": "Repayment",
        "Who lives there": "I do",
        "Early repayment charge": "1.00% of the loan left",
    }
    offered = replace(WATCH, charge="pounds", charge_pounds=2_500, offer_rate=4.2, legal=300)
    shown = words(figure_lines(offered, FORM))
    assert shown["Early repayment charge"] == "£2,500"
    assert words(figure_lines(replace(WATCH, charge_percent=0), FORM))["Early repayment charge"] == "None"
    assert (shown["Your lender’s offer: new rate"], shown["Legal work of a switch"]) == ("4.20%", "£300")


def test_lender_that_has_disappeared_is_not_listed() -> None:
    assert words(figure_lines(WATCH, watch_form({})))["Your lender today"] == "Not listed"


def test_each_tell_says_when_it_was_or_will_be_told() -> None:
    shown = words(told_lines(STORED, today=TODAY))
    assert shown == {
        "Your own lender lets you book its next deal": "Sent on Monday 30 March 2026",
        "Three months before your deal ends": "On 25 September 2026",
        "One month before your deal ends": "On 25 November 2026",
        "Switching now saves more than £500": "Not yet",
        "A deal of 2 years fixed falls to 3.75%": "Not yet",
        "A deal of 2 years fixed falls below 4.19%, which you applied for": "Not yet",
    }
    coming = words(told_lines(replace(STORED, told=()), today=TODAY, window=TransferWindow(months=3, days=5)))
    assert coming["Your own lender lets you book its next deal"] == "On 20 September 2026"
    passed = words(told_lines(STORED, today=date(2026, 10, 1)))
    assert passed["Three months before your deal ends"] == "It was on 25 September 2026"
    on_the_day = words(told_lines(STORED, today=date(2026, 9, 25)))
    assert on_the_day["Three months before your deal ends"] == "On 25 September 2026"


def test_record_has_contact_consent_and_the_day_of_deletion() -> None:
    shown = words(record_lines(STORED))
    assert shown["Telephone"] == "07700 900123 ext. 45, on which we may call you"
    assert shown["Deleted automatically"] == "On Saturday 25 December 2027, with everything above"
    unconfirmed = words(record_lines(replace(STORED, state=WatchState.UNCONFIRMED, confirmed_at=None, telephone="")))
    assert ("Confirmed" in unconfirmed, "Telephone" in unconfirmed) == (False, False)


def test_word_after_a_step_fits_the_state_that_it_left() -> None:
    def said(done: str, state: WatchState) -> object:
        stored = replace(STORED, state=state)
        return watch_values(stored, "link", form=FORM, today=TODAY, done=done, is_sample=False)["done"]

    assert said("confirm", WatchState.ACTIVE) == "Thank you, we have begun."
    assert [said("confirm", WatchState.PAUSED), said("pause", WatchState.ACTIVE), said("x", WatchState.ACTIVE)] == [
        ""
    ] * 3


def test_rates_rest_only_for_a_watch_that_asks_about_them() -> None:
    dates = replace(STORED, watch=replace(WATCH, tells=frozenset({Tell.WINDOW})))
    shown = [
        watch_values(each, "link", form=FORM, today=TODAY, is_sample=True)["is_sample"] for each in (STORED, dates)
    ]
    assert shown == [True, False]


def test_question_shows_nothing_but_itself() -> None:
    asked = question_values(STORED, "link", form=FORM, today=TODAY)
    assert [asked[name] for name in ("is_asked", "is_held", "is_unconfirmed", "has_plan")] == [
        True,
        False,
        False,
        False,
    ]
