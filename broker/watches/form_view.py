"""The form of a watch: its fields, and the values of its template."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from broker.calculators.calculator import Choice, Field, Form, rate_field
from broker.enquiries.contact_details import Problem
from broker.enquiries.form_view import ERROR_TITLE, error_name, field_id, listed_problems
from broker.lending.arithmetic import Amount
from broker.lending.days import day_text
from broker.lending.money import exact_percent, exact_pounds, years_and_months
from broker.lending.mortgage import MONTHS
from broker.plans.remortgage import PERCENT, POUNDS
from broker.plans.remortgage_plan import remortgage_form
from broker.rates.search_page import CHOSEN, ChosenOptions, option_name
from broker.watches.watch import (
    APPLIED_RATE,
    DEAL,
    EMAIL,
    MAY_CALL,
    RATE_BELOW,
    SAVING_OVER,
    TELEPHONE,
    TELLS,
    DealKind,
    Tell,
    tell_field,
)

STEP = "step"
"""The field of the step to take."""

BEGIN, START = "begin", "start"
"""Steps of the form: show it with the plan's figures, start a watch."""

YES = "yes"
"""The value of a ticked checkbox."""


FIGURES = ("balance", "value", "term", "rate", "end", "followOn")
"""The figures that the form asks for, in its order."""

CHOICES = ("lender", "repay", "home", "charge")
"""The choices of the plan, in the order of the form."""

CHARGES = {"chargePercent": PERCENT, "chargePounds": POUNDS}
"""The fields of an early repayment charge, by the option of the plan that they belong to."""

CARRIED = ("legal", "offerRate", "offerFee", "offerEnd")
"""Figures of the plan that are posted along and not asked for."""

SUMMARY, IS_OPEN, IS_SAMPLE = "summary", "is_open", "is_sample"
"""Values of the template: the figures in a line, whether they stand open, and whether rates are samples."""

TELL_WORDS: Mapping[Tell, tuple[str, str]] = {
    Tell.WINDOW: ("When my own lender lets me book its next deal", "Lenders differ: we count the window of yours."),
    Tell.THREE_MONTHS: ("Three months before my deal ends", "A switch takes four to twelve weeks, so this is in time."),
    Tell.ONE_MONTH: ("One month before my deal ends", "The last call, if nothing is arranged."),
    Tell.SAVING: (
        "When switching now would save me more than an amount",
        "Counted as in your plan: against waiting, with the charge, fees and legal work.",
    ),
    Tell.RATE: ("When a deal falls to a rate", "A deal for your loan and home, from any lender we list."),
    Tell.FELL: (
        "I have applied for a deal: when a lower rate appears before I complete",
        "Until the loan completes you can often still change it.",
    ),
}
"""Each tell as a checkbox names it, and a hint."""

FIELDS_OF_TELLS: Mapping[Tell, tuple[str, ...]] = {
    Tell.SAVING: (SAVING_OVER,),
    Tell.RATE: (RATE_BELOW,),
    Tell.FELL: (APPLIED_RATE,),
}
"""The fields that belong to a tell."""

DEAL_CHOICE = Choice(
    name=DEAL,
    group="Rates",
    label="The deal to compare",
    default=DealKind.TWO_YEARS,
    options=((DealKind.TWO_YEARS, "2 years fixed"), (DealKind.FIVE_YEARS, "5 years fixed")),
)

OWN_FIELDS: Mapping[str, Field] = {
    each.name: each
    for each in (
        Field(name=SAVING_OVER, label="More than", default=0, high=0),
        rate_field(RATE_BELOW, "This rate or lower", default=0),
        rate_field(APPLIED_RATE, "The rate I applied for", default=0),
    )
}

NEEDED = ("balance", "value", "term", "rate", "end")
"""The figures without which a plan is not whole."""

_TEXTS = (*FIGURES, *CHARGES, *CARRIED, *OWN_FIELDS, EMAIL, TELEPHONE)

_TICKS = (*map(tell_field, Tell), MAY_CALL)

USUAL = (Tell.WINDOW, Tell.THREE_MONTHS, Tell.ONE_MONTH)
"""The tells that a new form has ticked."""


_ANCHORS = {MAY_CALL: field_id(MAY_CALL, YES), TELLS: field_id(tell_field(Tell.WINDOW))} | {
    tell_field(each): field_id(tell_field(each)) for each in Tell
}
"""The ids that the error summary links to, of checkboxes."""


def watch_form(lenders: Mapping[int, str]) -> Form:
    """Return the form of the plan, of which a watch has the fields and choices, with that of the deal."""
    form = remortgage_form(lenders)
    return replace(form, choices=(*form.choices, DEAL_CHOICE))


FIELDS = (*_TEXTS, *_TICKS, *CHOICES, DEAL)
"""Every field of the form."""


def begun(given: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a new form: those of the plan, with the dates ticked."""
    plan = {name: given[name] for name in (*FIGURES, *CHARGES, *CARRIED, *CHOICES) if name in given}
    return {**plan, **dict.fromkeys(map(tell_field, USUAL), YES)}


def watch_form_values(
    given: Mapping[str, object],
    problems: Sequence[Problem] = (),
    *,
    form: Form,
    values: Mapping[str, Amount] | None = None,
    is_sample: bool,
) -> dict[str, object]:
    """Return the values of the form's template: what was entered, and each problem at its field and in the summary.

    `values` are those of valid figures of the plan, which fold into a line.
    """
    texts = {name: text if isinstance(text := given.get(name), str) else "" for name in _TEXTS}
    ticks = {option_name(name, YES): given.get(name) == YES for name in _TICKS}
    chosen = {option_name(each.name, _option(each, given.get(each.name))): True for each in form.choices}
    names = (*_TEXTS, MAY_CALL, *(each.name for each in form.choices))
    errors = {error_name(name): _reasons((name,), problems) for name in names}
    errors[error_name(TELLS)] = _reasons((TELLS, *map(tell_field, Tell)), problems)
    figures = {*FIGURES, *CHARGES, *CHOICES}
    is_open = values is None or any(each.field in figures for each in problems)
    return {
        **texts,
        **ticks,
        **errors,
        CHOSEN: ChosenOptions(chosen),
        SUMMARY: _summary(values) if values else "",
        IS_OPEN: is_open,
        IS_SAMPLE: is_sample,
        ERROR_TITLE: "Error: " if problems else "",
        "problems": listed_problems(
            _named(problems, form), _ANCHORS | {name: field_id(name) for name in names if name != MAY_CALL}
        ),
    }


def _option(choice: Choice, given: object) -> str:
    return given if isinstance(given, str) and given in dict(choice.options) else choice.default


def _reasons(names: Sequence[str], problems: Sequence[Problem]) -> str:
    return ". ".join(dict.fromkeys(each.reason for each in problems if each.field in names))


def _named(problems: Sequence[Problem], form: Form) -> tuple[Problem, ...]:
    """Return the problems for the summary, those of figures after the label of their field."""
    labels = {each.name: each.label for each in (*form.fields, *OWN_FIELDS.values())}
    return tuple(
        replace(each, reason=f"{labels[each.field]}: {each.reason}") if each.field in labels else each
        for each in problems
    )


def _summary(values: Mapping[str, Amount]) -> str:
    """Return the figures of a plan in a line: `£200,000 of £300,000, 20 years · 2.00% to 31 March 2027`."""
    loan = f"{exact_pounds(values['balance'])} of {exact_pounds(values['value'])}"
    end = f" to {day_text(values['end'])}" if values["end"] else ", no end date yet"
    return f"{loan}, {years_and_months(values['term'] * MONTHS)} · {exact_percent(values['rate'])}{end}"
