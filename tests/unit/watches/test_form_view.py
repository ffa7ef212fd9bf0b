"""The values of the form of a watch: what was typed stays, and a whole plan folds into a line."""

from typing import Any

from broker.calculators.view import read_values
from broker.enquiries.contact_details import Problem
from broker.rates.search_page import CHOSEN
from broker.watches.form_view import IS_OPEN, SUMMARY, begun, watch_form, watch_form_values
from broker.watches.watch import TELLS

FORM = watch_form({34: "Halifax"})
PLAN = {"balance": "187,400", "value": "310000", "term": "19", "rate": "1.6", "end": "2027-03-31", "lender": "34"}


def values(given: dict[str, Any], *problems: Problem, whole: bool = True) -> dict[str, Any]:
    figures = read_values(FORM, given) if whole else None
    return watch_form_values(given, problems, form=FORM, values=figures, is_sample=False)


def test_figures_of_a_plan_fold_into_a_line_and_the_dates_are_ticked() -> None:
    found = values(begun({**PLAN, "step": "begin"}))
    assert (found[SUMMARY], found[IS_OPEN]) == ("£187,400 of £310,000, 19 years · 1.60% to 31 March 2027", False)
    assert (found["balance"], found[CHOSEN]["lender_34"], found[CHOSEN]["lender_"]) == ("187,400", True, False)
    ticked = {name for name in found if name.startswith("tell_") and found[name]}
    assert ticked == {"tell_window_yes", "tell_three_months_yes", "tell_one_month_yes"}


def test_what_was_typed_stays_and_each_problem_is_at_its_field_and_in_the_summary() -> None:
    given = {**PLAN, "balance": "lots", "email": "<b>", "tell-rate": "yes", "rateBelow": "3,9", "mayCall": "yes"}
    wrong = (Problem(field="balance", reason="In figures"), Problem(field="email", reason="Like a@b.example"))
    found = values(given, *wrong, Problem(field="mayCall", reason="A number"), whole=False)
    assert [found[name] for name in ("balance", "email", "rateBelow")] == ["lots", "<b>", "3,9"]
    assert (found["tell_rate_yes"], found["mayCall_yes"], found[IS_OPEN]) == (True, True, True)
    assert (found["error_balance"], found["error_email"], found["error_rate"]) == ("In figures", "Like a@b.example", "")
    anchors = [each.anchor for each in found["problems"]]
    assert anchors == ["enquiry-balance", "enquiry-email", "enquiry-mayCall-yes"]
    assert found["error_title"] == "Error: "


def test_figures_stay_folded_while_only_other_fields_are_wrong() -> None:
    found = values(PLAN, Problem(field="email", reason="Enter it"))
    assert found[IS_OPEN] is False
    assert values(PLAN, Problem(field="end", reason="It is over"))[IS_OPEN] is True


def test_problem_of_the_ticks_leads_to_the_first() -> None:
    found = values(PLAN, Problem(field=TELLS, reason="Tick one"))
    assert (found["error_tells"], found["problems"][0].anchor) == ("Tick one", "enquiry-tell-window")


def test_option_that_the_form_does_not_have_is_not_chosen() -> None:
    found = values({**PLAN, "lender": "999", "repay": "never"})
    chosen = {name for name, flag in found[CHOSEN].items() if flag}
    assert {"lender_", "repay_repayment"} <= chosen
