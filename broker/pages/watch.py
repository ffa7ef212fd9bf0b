"""The form that starts a watch on a mortgage, the page after it is sent, and the page of a watch behind its link."""

from functools import partial

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators.calculator import Choice, Field, Unit
from broker.components.calculator import UNIT_SUFFIXES
from broker.components.elements import (
    button,
    button_link,
    facts_of_template,
    note,
    plain_link,
    steps,
    telephone_link,
    titled_section,
    visually_hidden,
)
from broker.components.forms.fields import (
    Box,
    choice_field,
    day_field,
    error_slot,
    labelled_box,
    select,
    template_error,
)
from broker.components.forms.post_form import (
    Choices,
    TextField,
    choices_field,
    error_summary,
    hidden,
    honeypot,
    post_form,
    step_form,
    text_field,
)
from broker.components.jinja import Attributes, Value, block_if, set_attribute, when
from broker.components.rates.product_card import example
from broker.content.page_head import CALCULATORS as PICTURE
from broker.content.page_head import image_path
from broker.enquiries.contact_details import EMAIL, TELEPHONE
from broker.enquiries.enquiry import HIDDEN
from broker.enquiries.form_view import ERROR_TITLE, error_name, field_id
from broker.jinja_places import Placeholder, attribute_if, variable
from broker.pages.layout import banner, columns, layout
from broker.pages.registry import BuildInputs, Page, Section, edge_template_page
from broker.rates.customers import Customer
from broker.rates.search_page import CHOSEN, option_name
from broker.rates.search_params import offered_lenders
from broker.site_search.index import Kind
from broker.site_search.view import SearchWords
from broker.watches.consent import CALL_WORDS, WORDS
from broker.watches.form_view import (
    CARRIED,
    CHARGES,
    CHOICES,
    DEAL_CHOICE,
    FIELDS_OF_TELLS,
    FIGURES,
    IS_OPEN,
    IS_SAMPLE,
    OWN_FIELDS,
    START,
    STEP,
    SUMMARY,
    TELL_WORDS,
    USUAL,
    YES,
    watch_form,
)
from broker.watches.page_view import ASK, CHANGE, CONFIRM, EXPORT, GROUPS, LINK, PAUSE, RESUME, SAVE, SHOW, STOP, TOLD
from broker.watches.watch import DATE_TELLS, MAY_CALL, PRICE_TELLS, TELLS, Tell, tell_field

_LABEL = "Watch my mortgage"
_TITLE = "Watch my mortgage: we tell you when to act"
_HEADING = "Let us watch your mortgage"
DESCRIPTION = (
    "Tell us when your deal ends and what to look out for. We email you when there is something to do, at most twice a "
    "month. Free, and stopped with one press."
)
_LEAD = (
    "Tell us what to look out for. We email you when there is something to do, at most twice a month. It is free, and "
    "every email stops it with one press."
)
_KEYWORDS = ("alert", "reminder", "rates fall", "deal ends", "email me", "notify me", "monitor", "remortgage reminder")

_SENT_TITLE = "Please open the email we sent"
_SENT_LEAD = "Nothing is watched yet. Open the link in our email, press the button there, and we begin."

_WAITS_TITLE = "We cannot send you an email just now"
_WAITS_LEAD = "Nothing is watched yet. We write to you as soon as we can send email: open the link in it, and we begin."

_UNCONFIRMED = "Unless you confirm within seven days, we delete what you sent."

_MY_TITLE = "My watch"
_MY_LEAD = "See, change, pause or stop the watch on your mortgage, by the link in our emails."
_NO_LINK = "Open the link in one of our emails. It is the only way to your watch, so keep it to yourself."

_STOP_TITLE = "Stop your watch"

_ASKED_OF_RATES = "What you ask about rates is kept, and begins once live rates are connected."
_SAMPLE = f"The rates on this site are samples, so for now we tell you about dates only. {_ASKED_OF_RATES}"
_WHILE_SAMPLE = f"While the rates on this site are samples, we tell you about dates only. {_ASKED_OF_RATES}"
"""That of an exported page: a feed may be connected without another build."""

_HOW = (
    ("You confirm", "We send one email. Its link opens a page with a button: press it, and we begin."),
    ("We look", "At your dates every day, and at your figures each time rates change."),
    ("You hear from us", "When there is something to do, with your own figures of that day."),
    ("You stop it", "With one press, in any email or on your page. We then delete what we hold."),
)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        Page(
            route=routes.START_WATCH,
            counted_as=Counted.PLAN,
            title=_TITLE,
            description=DESCRIPTION,
            label=_LABEL,
            render=partial(_render_form, inputs),
            picture=image_path(PICTURE),
            section=Section.TOOLS,
            search=SearchWords(kind=Kind.CALCULATOR, title=_LABEL, description=DESCRIPTION, keywords=_KEYWORDS),
        ),
        Page(
            route=routes.WATCH_SENT,
            title=_SENT_TITLE,
            description=_SENT_LEAD,
            render=partial(_render_sent, inputs),
            indexed=False,
        ),
        Page(
            route=routes.MY_WATCH,
            title=_MY_TITLE,
            description=_MY_LEAD,
            render=partial(_render_without_link, inputs),
            indexed=False,
        ),
    )


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    begin = variable(ERROR_TITLE)
    return (
        edge_template_page(
            "watch", title=f"{begin}{_TITLE}", description=DESCRIPTION, render=partial(_render_form_template, inputs)
        ),
        edge_template_page(
            "my-watch", title=f"{begin}{_MY_TITLE}", description=_MY_LEAD, render=partial(_render_watch, inputs)
        ),
        edge_template_page(
            "watch-waits", title=_WAITS_TITLE, description=_WAITS_LEAD, render=partial(_render_waits, inputs)
        ),
        edge_template_page("watch-stop", title=_STOP_TITLE, description=_MY_LEAD, render=partial(_render_stop, inputs)),
    )


def _render_form(inputs: BuildInputs) -> rx.Component:
    return _form_page(inputs, is_sample=inputs.rates(Customer.REMORTGAGING).sample, is_template=False)


def _render_form_template(inputs: BuildInputs) -> rx.Component:
    return _form_page(inputs, is_sample=Placeholder(IS_SAMPLE), is_template=True)


def _form_page(inputs: BuildInputs, *, is_sample: Value, is_template: bool) -> rx.Component:
    form = _form(
        inputs,
        hidden(STEP, START),
        _contact(has_email=True, is_template=is_template),
        honeypot(HIDDEN),
        button("Watch my mortgage", kind="submit"),
        action=routes.START_WATCH,
        is_sample=is_sample,
        is_template=is_template,
    )
    how = titled_section("How it works", "how", steps(_HOW), look="as-h3", class_name="panel stack")
    return layout(
        inputs,
        routes.START_WATCH,
        banner(_HEADING, _LEAD, door="remortgaging"),
        columns(rx.el.div(form), how),
        theme=Customer.REMORTGAGING.value,
        call=False,
    )


def _form(inputs: BuildInputs, *end: rx.Component, action: str, is_sample: Value, is_template: bool) -> rx.Component:
    """Draw the figures of a watch and what it tells; `end` is drawn below."""
    site = inputs.store.site()
    return post_form(
        *([error_summary(site.phone, site.tel)] if is_template else []),
        _figures(inputs, is_template=is_template),
        _tells(is_sample=is_sample, is_template=is_template),
        *end,
        action=action,
        class_name="stack loose",
    )


def _figures(inputs: BuildInputs, *, is_template: bool) -> rx.Component:
    """Draw the figures of the mortgage; those that come from a plan are folded into a line."""
    form = watch_form(offered_lenders("", inputs.lenders))
    fields = {each.name: each for each in form.fields}
    choices = {each.name: each for each in form.choices}
    charges = (
        rx.el.div(_box(fields[name], is_template=is_template), class_name=f"of-{option}")
        for name, option in CHARGES.items()
    )
    is_open = set_attribute("open", Placeholder(IS_OPEN), otherwise={}) if is_template else {"open": True}
    summary = (rx.el.p(variable(SUMMARY), class_name="small"),) if is_template else ()
    carried = (hidden(name, variable(name)) for name in CARRIED) if is_template else ()
    return rx.el.details(
        rx.el.summary(
            rx.el.div(rx.el.h2("Your mortgage", class_name="as-h3"), *summary),
            rx.el.span("Change", visually_hidden(" your figures"), class_name="btn line s"),
        ),
        rx.el.div(
            *(_box(fields[name], is_template=is_template) for name in FIGURES),
            *(_select(choices[name], is_template=is_template) for name in CHOICES),
            *charges,
            *carried,
            class_name="boxes",
        ),
        class_name="panel watched",
        custom_attrs=is_open,
    )


def _box(field: Field, *, is_template: bool) -> rx.Component:
    name = field.name
    box = Box(
        identity=field_id(name),
        name=name,
        value=Placeholder(name) if is_template else "",
        problem=Placeholder(error_name(name)) if is_template else "",
        prefix="£" if field.unit is Unit.POUNDS else "",
        suffix=UNIT_SUFFIXES.get(field.unit, ""),
    )
    return (day_field if field.unit is Unit.DAY else labelled_box)(field.label, box, hint=field.hint)


def _select(choice: Choice, *, is_template: bool) -> rx.Component:
    name = choice.name
    places = tuple(Placeholder(f"{CHOSEN}.{option_name(name, value)}") for value, _ in choice.options)
    return select(
        choice.label,
        choice.options,
        identity=field_id(name),
        chosen=places if is_template else choice.default,
        name=name,
        hint=choice.hint,
    )


def _tells(*, is_sample: Value, is_template: bool) -> rx.Component:
    identity = field_id(TELLS)
    error = template_error(error_name(TELLS), identity=identity) if is_template else error_slot(identity=identity)
    draw = partial(_tell, is_template=is_template)
    return rx.el.section(
        rx.el.h2("What shall we tell you?", id="tells-title", class_name="as-h3"),
        choice_field(
            "Dates",
            rx.el.div(*map(draw, DATE_TELLS), class_name="tells"),
            error=error,
            described_by=f"{identity}-error",
        ),
        choice_field("Rates", rx.el.div(*map(draw, PRICE_TELLS), class_name="tells")),
        rx.el.div(_select(DEAL_CHOICE, is_template=is_template), class_name="of-rates"),
        when(is_sample, note("Rates rest for now. ", _SAMPLE) if is_template else note(_WHILE_SAMPLE)),
        class_name="panel stack",
        aria_labelledby="tells-title",
    )


def _tell(tell: Tell, *, is_template: bool) -> rx.Component:
    """Draw the checkbox of a tell with its fields, which show while it is ticked."""
    name, (words, hint) = tell_field(tell), TELL_WORDS[tell]
    identity = field_id(name)
    described = {"aria-describedby": f"{identity}-hint"}
    state = attribute_if("checked", option_name(name, YES)) if is_template else {}
    start: Attributes = {} if is_template else {"default_checked": tell in USUAL}
    box = rx.el.input(type="checkbox", id=identity, name=name, value=YES, custom_attrs={**described, **state}, **start)
    fields = [_box(OWN_FIELDS[each], is_template=is_template) for each in FIELDS_OF_TELLS.get(tell, ())]
    return rx.el.div(
        rx.el.label(box, rx.el.span(words), class_name="tick"),
        rx.el.p(hint, id=f"{identity}-hint", class_name="hint"),
        *([rx.el.div(*fields, class_name="more")] if fields else []),
    )


def _contact(*, has_email: bool, is_template: bool) -> rx.Component:
    """Draw where to write and whether to call; the address of a watch that has begun stays as it is."""
    email = TextField(
        name=EMAIL,
        label="Email address",
        hint="For example name@example.com",
        required=True,
        attributes={"type": "email", "auto_complete": "email", "input_mode": "email", "spell_check": False},
    )
    telephone = TextField(
        name=TELEPHONE,
        label="Telephone number (optional)",
        hint="For the call only. A UK number, for example 07700 900123",
        attributes={"type": "tel", "auto_complete": "tel", "input_mode": "tel"},
    )
    call = Choices(name=MAY_CALL, legend="A call (optional)", options=((YES, CALL_WORDS),), kind="checkbox")
    title = "Where shall we write?" if has_email else "A call"
    consent = (rx.el.p(WORDS, " ", _privacy_link(), class_name="small"),) if has_email else ()
    return rx.el.section(
        rx.el.h2(title, id="contact-title", class_name="as-h3"),
        *([text_field(email, is_template=is_template)] if has_email else []),
        choices_field(call, is_template=is_template),
        text_field(telephone, is_template=is_template),
        *consent,
        class_name="panel stack",
        aria_labelledby="contact-title",
    )


def _privacy_link() -> rx.Component:
    # in a new tab, so that a half-filled form stays open
    opens = visually_hidden(" (opens in a new tab)")
    return rx.el.a("Privacy notice", opens, href=routes.PRIVACY, target="_blank", rel="noopener")


def _render_sent(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    body = rx.el.div(
        rx.el.ul(
            rx.el.li("It should be there within a few minutes. If it is not, look among your spam."),
            rx.el.li("If you typed another address than yours, send the form again with the right one."),
            rx.el.li(_UNCONFIRMED),
            class_name="prose",
        ),
        rx.el.div(
            button_link("Back to the form", routes.START_WATCH, look="line"),
            button_link("See your remortgage plan", routes.REMORTGAGE_PLAN, look="line"),
            class_name="row",
        ),
        rx.el.p("No email? Call ", telephone_link(site.phone, number=site.tel), ".", class_name="small mute"),
        class_name="wrap band-s stack",
    )
    return layout(inputs, routes.WATCH_SENT, banner(_SENT_TITLE, _SENT_LEAD, door="remortgaging"), body, call=False)


def _render_waits(inputs: BuildInputs) -> rx.Component:
    """Draw the answer to the form where the site sends no mail."""
    site = inputs.store.site()
    body = rx.el.div(
        rx.el.p(_UNCONFIRMED),
        rx.el.p("Do not wait for it if your deal ends soon: call ", telephone_link(site.phone, number=site.tel), "."),
        rx.el.p(button_link("See your remortgage plan", routes.REMORTGAGE_PLAN, look="line")),
        class_name="wrap band-s stack",
    )
    return layout(inputs, routes.WATCH_SENT, banner(_WAITS_TITLE, _WAITS_LEAD, door="remortgaging"), body, call=False)


def _render_without_link(inputs: BuildInputs) -> rx.Component:
    body = rx.el.div(
        rx.el.p("No watch yet, or stopped it? You can begin one at any time."),
        rx.el.p(button_link("Watch my mortgage", routes.START_WATCH)),
        class_name="wrap band-s stack",
    )
    return layout(inputs, routes.MY_WATCH, banner(_MY_TITLE, _NO_LINK), body, call=False)


def _render_watch(inputs: BuildInputs) -> rx.Component:
    top = rx.el.div(
        block_if("done", rx.el.div(note(variable("done"), tone="good"), role="status")),
        block_if("is_gone", _gone()),
        block_if("is_asked", _question()),
        block_if("is_changing", _change_form(inputs)),
        class_name="stack narrow-panel",
    )
    parts = rx.el.div(
        block_if("is_unconfirmed", _confirmation()),
        block_if("has_plan", _plan_today(inputs)),
        *_groups(),
        class_name="stack loose",
    )
    shown = rx.el.div(rx.el.div(parts), _actions(inputs), class_name="side")
    body = rx.el.div(top, block_if("is_held", shown), class_name="wrap band-s stack loose my-watch")
    return layout(inputs, routes.MY_WATCH, banner(variable("heading"), variable("lead")), body, call=False)


def _gone() -> rx.Component:
    """Draw why there is no watch behind a link, or that it has just been stopped."""
    return rx.el.div(
        block_if("reason", note(variable("reason"), tone="warn")),
        rx.el.div(
            button_link("Watch my mortgage", routes.START_WATCH),
            button_link("Contact us", routes.CONTACT, look="line"),
            class_name="row",
        ),
        class_name="stack",
    )


def _question() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Stop it, and delete all of it?", id="stop-title", tab_index=-1, custom_attrs={"autoFocus": True}),
        rx.el.p("We delete everything we hold about it straight away, and send nothing more. We can’t bring it back."),
        rx.el.div(_step("Yes, stop it", STOP), _step("No, keep it", SHOW, look="line"), class_name="row"),
        class_name="panel stack",
        aria_labelledby="stop-title",
    )


def _confirmation() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Shall we begin?", id="confirm-title", class_name="as-h3"),
        rx.el.p(WORDS),
        rx.el.div(_step("Yes, watch my mortgage", CONFIRM), class_name="row"),
        rx.el.p("If this was not you, do nothing: we delete it by ", variable("delete_day"), ".", class_name="small"),
        class_name="panel stack",
        aria_labelledby="confirm-title",
    )


def _change_form(inputs: BuildInputs) -> rx.Component:
    return rx.el.div(
        _form(
            inputs,
            hidden(STEP, SAVE),
            hidden(LINK, variable(LINK)),
            _contact(has_email=False, is_template=True),
            button("Save", kind="submit"),
            action=routes.MY_WATCH,
            is_sample=Placeholder(IS_SAMPLE),
            is_template=True,
        ),
        _step("Leave it as it was", SHOW, look="line"),
        class_name="stack",
    )


def _plan_today(inputs: BuildInputs) -> rx.Component:
    """Draw the answer of the plan for today's rates, with what any rate needs."""
    site = inputs.store.site()
    rates = rx.el.div(
        example(variable("best.example"), variable("best.example_aprc")),
        rx.el.p(variable("best.dated"), class_name="small mute"),
        class_name="stack",
    )
    return rx.el.section(
        rx.el.h2("Your plan today", id="plan-title", class_name="as-h3"),
        rx.el.div(
            rx.el.span(variable("answer.label"), class_name="label"),
            rx.el.b(variable("answer.figure"), " ", rx.el.small(variable("answer.per")), class_name="big"),
            rx.el.span(variable("answer.caption"), class_name="small cap-2"),
            class_name="plate",
        ),
        rx.el.p(variable("verdict")),
        facts_of_template("dates"),
        block_if("problem", note(variable("problem"), tone="warn"), otherwise=(rates,)),
        rx.el.p(site.risk_warning, class_name="risk"),
        rx.el.p(plain_link("See the whole plan", href=variable("plan_address"), class_name="btn line")),
        class_name="panel stack",
        aria_labelledby="plan-title",
    )


def _groups() -> list[rx.Component]:
    rests = block_if(IS_SAMPLE, note("Rates rest for now. ", _SAMPLE))
    return [
        titled_section(
            title,
            f"{name}-title",
            facts_of_template(name),
            *([rests] if name == TOLD else []),
            look="as-h3",
            class_name="panel stack",
        )
        for name, title in GROUPS.items()
    ]


def _actions(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    return rx.el.div(
        rx.el.section(
            rx.el.h2("Change or stop it", id="actions-title", class_name="as-h3"),
            block_if("is_paused", _step("Resume it", RESUME)),
            block_if("is_changeable", _step("Change it", CHANGE, look="line")),
            block_if("is_active", _step("Pause it", PAUSE, look="line")),
            _step("Download it as a file", EXPORT, look="line"),
            _step("Stop and delete it", ASK, look="line"),
            class_name="panel stack actions",
            aria_labelledby="actions-title",
        ),
        rx.el.p(
            "How we use your details is in our ",
            rx.el.a("privacy notice", href=routes.PRIVACY),
            ". To talk to us, call ",
            telephone_link(site.phone, number=site.tel),
            ".",
            class_name="small mute",
        ),
        class_name="stack stick",
    )


def _step(label: str, step: str, *, look: str = "") -> rx.Component:
    """Draw the button of a step; the link is posted with it."""
    return step_form(label, {STEP: step, LINK: variable(LINK)}, action=routes.MY_WATCH, look=look)


def _render_stop(inputs: BuildInputs) -> rx.Component:
    """Draw the page of the one-click address: its button posts what a mail program does."""
    ask = post_form(
        rx.el.p("One press stops it. We delete what we hold about it, and send nothing more."),
        hidden("List-Unsubscribe", "One-Click"),
        button("Stop my watch", kind="submit"),
        action=variable("address"),
        class_name="stack",
    )
    done = rx.el.div(
        rx.el.p("We send nothing more about it, and hold nothing of it."),
        rx.el.p(button_link("Start another one", routes.START_WATCH, look="line")),
        class_name="stack",
    )
    body = rx.el.div(block_if("is_stopped", done, otherwise=(ask,)), class_name="wrap band-s")
    return layout(inputs, routes.MY_WATCH, banner(variable("heading"), ""), body, call=False)
