"""A watch for its owner: in words, and as the values of the page behind its link."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from broker import routes
from broker.calculators.calculator import Form, value_text
from broker.calculators.view import read_values
from broker.enquiries.contact_details import uk_format
from broker.enquiries.form_view import ERROR_TITLE
from broker.enquiries.summary import uk_day, uk_moment
from broker.lending.days import day_number, day_text, months_earlier
from broker.lending.money import exact_percent, exact_pounds
from broker.lending.transfer_window import USUAL_WINDOW, TransferWindow
from broker.plans.remortgage import PERCENT
from broker.plans.remortgage_plan import LETTER, RemortgageView
from broker.rates.remortgage_deals import RemortgageDeals
from broker.watches.figures import watch_plan
from broker.watches.form_view import DEAL_CHOICE, IS_SAMPLE
from broker.watches.watch import DEAL, PRICE_TELLS, StoredWatch, Tell, Watch, WatchState, parameters_of, plan_parameters

CHARGE = "charge"
"""The choice of how an early repayment charge is given."""

LINK = "link"
"""The field with the token of a mail's link."""

CONFIRM, SHOW, CHANGE, SAVE = "confirm", "show", "change", "save"
PAUSE, RESUME, ASK, STOP, EXPORT = "pause", "resume", "ask", "stop", "export"
"""Steps of the page: begin the watch; show it, or its form; store that; pause, resume; ask whether to stop; stop;
download."""

DONE = "done"
"""The parameter that names the step that the page comes from."""

TOLD = "told"

GROUPS = {"figures": "Your mortgage", TOLD: "What we tell you", "record": "About this watch"}
"""Names of the lists of the page, with their headings."""

_DONE_WORDS = {
    (CONFIRM, WatchState.ACTIVE): "Thank you, we have begun.",
    (SAVE, WatchState.ACTIVE): "Your changes are saved.",
    (SAVE, WatchState.PAUSED): "Your changes are saved.",
    (PAUSE, WatchState.PAUSED): "It is paused.",
    (RESUME, WatchState.ACTIVE): "It goes on.",
}
"""What the page says after a step that left a watch in a state."""

_HEADS = {
    WatchState.UNCONFIRMED: ("Confirm your watch", "Check what you asked for, then press the button."),
    WatchState.ACTIVE: ("Your watch is on", "We email you when there is something to do, at most twice a month."),
    WatchState.PAUSED: ("Your watch is paused", "We send nothing until you resume it."),
}
_STATES = {WatchState.UNCONFIRMED: "Waiting for you to confirm", WatchState.ACTIVE: "On", WatchState.PAUSED: "Paused"}

_EMPTY: Mapping[str, object] = {
    "done": "",
    "reason": "",
    "problems": (),
    ERROR_TITLE: "",
    **dict.fromkeys(("is_gone", "is_asked", "is_changing", "has_plan", "is_held", "is_changeable", IS_SAMPLE), False),
    **{f"is_{state.value}": False for state in WatchState},
}

_MONTHS_BEFORE = {Tell.THREE_MONTHS: 3, Tell.ONE_MONTH: 1}

STOPPED = "Your watch has stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    label: str
    words: str


def watch_values(
    stored: StoredWatch,
    link: str,
    *,
    form: Form,
    today: date,
    window: TransferWindow = USUAL_WINDOW,
    done: str = "",
    is_sample: bool,
) -> dict[str, object]:
    """Return the page with a watch; `form` has the lenders, `window` is its lender's, `done` the step that led here."""
    heading, lead = _HEADS[stored.state]
    return {
        **_EMPTY,
        LINK: link,
        "heading": heading,
        "lead": lead,
        "done": _DONE_WORDS.get((done, stored.state), ""),
        f"is_{stored.state.value}": True,
        "is_held": True,
        "is_changeable": stored.state is not WatchState.UNCONFIRMED,
        "delete_day": uk_day(stored.delete_after),
        "figures": figure_lines(stored.watch, form),
        TOLD: told_lines(stored, today=today, window=window),
        "record": record_lines(stored),
        IS_SAMPLE: is_sample and bool(stored.watch.tells & set(PRICE_TELLS)),
    }


def question_values(stored: StoredWatch, link: str, *, form: Form, today: date) -> dict[str, object]:
    """Return the page that asks whether to stop a watch."""
    shown = watch_values(stored, link, form=form, today=today, is_sample=False)
    asked = {"is_asked": True, "is_unconfirmed": False, "is_held": False}
    return {**shown, **asked, "heading": "Stop your watch", "lead": ""}


def change_values(form_values: Mapping[str, object], link: str) -> dict[str, object]:
    """Return the page with the form of a watch; `form_values` are those of the form."""
    lead = "To use another email address, stop this watch and begin a new one."
    head = {"heading": "Change your watch", "lead": lead, "is_changing": True, LINK: link}
    return {**_EMPTY, **form_values, **head}


def gone_values(reason: str, *, is_away: bool = False) -> dict[str, object]:
    """Return the page without a watch; `reason` is a sentence."""
    heading = "We cannot reach your watch just now" if is_away else "There is no watch here"
    return {**_EMPTY, "heading": heading, "lead": "", "is_gone": True, "reason": reason}


def stopped_values() -> dict[str, object]:
    lead = "We have deleted everything we held about it, and send nothing more."
    return {**_EMPTY, "heading": STOPPED, "lead": lead, "is_gone": True}


def plan_today(view: RemortgageView, deals: RemortgageDeals, watch: Watch) -> dict[str, object]:
    """Return the part of the page with the plan's answer for today's rates."""
    dates = [Fact(label=view.next.title, words=view.next.when)] if view.has_date else []
    return {
        "has_plan": True,
        "answer": view.panel.answer,
        "verdict": view.verdict,
        "dates": dates,
        "best": deals.best,
        "problem": deals.problem,
        "plan_address": routes.with_query(routes.REMORTGAGE_PLAN, plan_parameters(watch)),
    }


def figure_lines(watch: Watch, form: Form) -> tuple[Fact, ...]:
    """Return the figures of a watch under the labels of its form, without those that were left empty."""
    return tuple(_figures(form, parameters_of(watch)))


def _figures(form: Form, given: Mapping[str, str]) -> Iterator[Fact]:
    values = read_values(form, given)
    for field in form.fields:
        words, is_offer = str(value_text(field, values[field.name])), field.name in LETTER
        if values[field.name] and not field.only_for and (not is_offer or values["offerRate"]):
            label = f"Your lender’s offer: {field.label[0].lower()}{field.label[1:]}" if is_offer else field.label
            yield Fact(label=label, words=words)
    for choice in form.choices:
        if choice.name not in (DEAL, CHARGE):
            yield Fact(label=choice.label, words=dict(choice.options)[str(values[choice.name])])
    percent, amount = exact_percent(values["chargePercent"]), exact_pounds(values["chargePounds"])
    is_percent = values[CHARGE] == PERCENT
    charge = f"{percent} of the loan left" if is_percent else amount
    has_charge = values["chargePercent" if is_percent else "chargePounds"]
    yield Fact(label="Early repayment charge", words=charge if has_charge else "None")


def tell_words(tell: Tell, watch: Watch) -> str:
    """Return a tell with its figures in words."""
    deal = dict(DEAL_CHOICE.options)[watch.kind]
    return {
        Tell.WINDOW: "Your own lender lets you book its next deal",
        Tell.THREE_MONTHS: "Three months before your deal ends",
        Tell.ONE_MONTH: "One month before your deal ends",
        Tell.SAVING: f"Switching now saves more than {exact_pounds(watch.saving_over)}",
        Tell.RATE: f"A deal of {deal} falls to {exact_percent(watch.rate_below)}",
        Tell.FELL: f"A deal of {deal} falls below {exact_percent(watch.applied_rate)}, which you applied for",
    }[tell]


def told_lines(stored: StoredWatch, *, today: date, window: TransferWindow = USUAL_WINDOW) -> tuple[Fact, ...]:
    """Return what is told, each with the day on which it was or will be; `window` is that of the watch's lender."""
    sent = {each.tell: f"Sent on {uk_day(each.at)}" for each in stored.told}
    end, now = day_number(stored.watch.deal_end), day_number(today)
    days = {tell: months_earlier(end, months) for tell, months in _MONTHS_BEFORE.items()}
    days[Tell.WINDOW] = watch_plan(stored.watch, today=today, window=window).opens
    dated = {tell: f"{'On' if day >= now else 'It was on'} {day_text(day)}" for tell, day in days.items()}
    return tuple(
        Fact(label=tell_words(tell, stored.watch), words=sent.get(tell) or dated.get(tell, "Not yet"))
        for tell in Tell
        if tell in stored.watch.tells
    )


def telephone_words(telephone: str) -> str:
    """Return a number with its extension, if it has one, as it is written in the UK."""
    number, _, extension = telephone.partition(" ")
    return f"{uk_format(number)} {extension}".rstrip()


def record_lines(stored: StoredWatch) -> tuple[Fact, ...]:
    """Return contact, dates, state and consent, without empty ones."""
    call = f"{telephone_words(stored.telephone)}, on which we may call you" if stored.telephone else ""
    confirmed = uk_moment(stored.confirmed_at) if stored.confirmed_at else ""
    facts = (
        Fact(label="Status", words=_STATES[stored.state]),
        Fact(label="Email", words=stored.email),
        Fact(label="Telephone", words=call),
        Fact(label="Asked for", words=f"{uk_moment(stored.created)}, on the page {stored.consent_page}"),
        Fact(label="Confirmed", words=confirmed),
        Fact(label="What you agreed to", words=stored.consent_words),
        Fact(label="Deleted automatically", words=f"On {uk_day(stored.delete_after)}, with everything above"),
    )
    return tuple(each for each in facts if each.words)
