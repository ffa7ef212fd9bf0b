"""The form of every enquiry: a call, a message, or the answers of a questionnaire. It posts without scripts.

The exported page is the same for everybody, so its script fetches a token when a visitor begins to fill in the form:
by it the service knows how long that took. Without scripts there is no token, and an address may send fewer forms.
"""

from dataclasses import dataclass

import reflex as rx

from broker import routes
from broker.appointments.times_view import PLACE
from broker.components.elements import button, note, telephone_link
from broker.components.form_scripts import fill_once, fill_times, remember_form, submit_if_reached
from broker.components.forms.post_form import (
    Choices,
    TextField,
    choices_field,
    consent_field,
    error_summary,
    hidden,
    honeypot,
    joined_field,
    post_form,
    text_field,
)
from broker.components.jinja import Content, block_if
from broker.content.models.site import ConsentWords, Site
from broker.documents.attachment import RESULT
from broker.duties.support_needs import AGREED, CONSENT_WORDS, MAX_WORDS, NEEDS_WORDS, QUESTION
from broker.enquiries.contact_details import EMAIL, NAME, TELEPHONE, WHEN
from broker.enquiries.enquiry import HIDDEN, MARKETING, MESSAGE, PRIVACY, TOKEN, Channel, EnquiryKind
from broker.enquiries.form_view import CALL_TIMES, CAME_FROM, KIND, OPTIONS, TEXT_VERSION, TIMES
from broker.jinja_places import markup_variable, variable

CALLBACK, _MESSAGE_PLACE = "callback", "message"
"""Anchors in the form."""

_UNREACHED = "unreached"
"""Id of the message that the server does not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryForm:
    """Where a form posts to and the words of its button; `has_kind` whether a call or a message may be chosen.

    With `is_template` it is drawn for the edge, with variables for what was entered and its errors.
    """

    action: str
    button: str
    has_kind: bool = False
    is_template: bool = False


def enquiry_form(site: Site, form: EnquiryForm) -> rx.Component:
    """Draw the form, with the firm's current words of consent, whose version is stored with the enquiry."""
    is_template = form.is_template
    wanted = Choices(
        name=KIND,
        legend="What would you like?",
        options=((EnquiryKind.CALLBACK, "A call"), (EnquiryKind.CONTACT, "To send a message")),
    )
    return post_form(
        *([error_summary(site.phone, site.tel)] if is_template else []),
        *([_result()] if is_template and form.has_kind else []),
        *([choices_field(wanted, is_template=is_template)] if form.has_kind else []),
        *_contact_fields(is_template=is_template),
        rx.el.div(_message(has_kind=form.has_kind, is_template=is_template), id=_MESSAGE_PLACE),
        _needs(is_template=is_template),
        *_consent_fields(site.consent, is_template=is_template),
        hidden(TEXT_VERSION, site.consent.version),
        hidden(CAME_FROM, variable(CAME_FROM) if is_template else ""),
        hidden(TOKEN, ""),
        honeypot(HIDDEN),
        *([] if is_template else [_server_unreachable(site)]),
        button(form.button, kind="submit"),
        rx.el.p(
            "You can ",
            rx.el.a("see and delete what you sent", href=routes.YOUR_ENQUIRY),
            " at any time. A record of our advice must stay.",
            class_name="small mute",
        ),
        action=form.action,
        class_name="stack loose",
        **({} if is_template else _with_scripts(form.action)),
    )


def _result() -> rx.Component:
    """Draw the attached result as a ticked box, or why it cannot be attached."""
    box = rx.el.input(type="checkbox", name=RESULT, value=variable("result_address"), default_checked=True)
    tick = rx.el.label(box, rx.el.span("Send this with it: ", rx.el.b(variable("result_words"))), class_name="tick")
    hint = rx.el.p("The adviser sees it as you do now. Untick it to leave it out.", class_name="small mute")
    return rx.fragment(
        block_if("result_address", rx.el.div(tick, hint, class_name="panel stack tight-6")),
        block_if("not_attached", note(variable("not_attached"), ".", tone="warn")),
    )


def _with_scripts(action: str) -> dict[str, rx.Var]:
    """Return the event handlers that keep what is typed, fetch the token, and submit only to a server that answers."""
    return {
        **remember_form(action),
        "on_focus": fill_once(TOKEN, routes.FORM_TOKEN),
        "on_submit": submit_if_reached(_UNREACHED),
    }


def _server_unreachable(site: Site) -> rx.Component:
    words = rx.el.p(
        "What you typed is still on this page. Wait a moment and press the button again, or call ",
        telephone_link(site.phone, number=site.tel),
        ".",
    )
    notice = note("We cannot reach our server", words, tone="warn")
    return rx.el.div(notice, id=_UNREACHED, role="alert", tab_index=-1, hidden=True)


def _contact_fields(*, is_template: bool) -> list[rx.Component]:
    name = TextField(name=NAME, label="Full name", required=True, attributes={"auto_complete": "name"})
    telephone = TextField(
        name=TELEPHONE,
        label="Telephone number",
        hint="A UK number, for example 07700 900123",
        required=True,
        attributes={"type": "tel", "auto_complete": "tel", "input_mode": "tel"},
    )
    email = TextField(
        name=EMAIL,
        label="Email address (optional)",
        hint="For example name@example.com",
        attributes={"type": "email", "auto_complete": "email", "input_mode": "email", "spell_check": False},
    )
    soon = rx.el.span("As soon as we can", class_name="hint with-times")
    when = Choices(
        name=WHEN,
        legend=rx.fragment("When should we call?", soon),
        options=[(each, words) for each, words in CALL_TIMES.items()],
    )
    fields = [text_field(each, is_template=is_template) for each in (name, telephone, email)]
    # the edge fills the place of the times where an adviser has some
    if is_template:
        return [*fields, choices_field(when, rx.el.div(markup_variable(TIMES), id=PLACE), is_template=True)]
    filled = {"dangerouslySetInnerHTML": rx.Var.create({"__html": ""})}
    return [*fields, joined_field(when, rx.el.div(id=PLACE, custom_attrs=filled, on_mount=fill_times(PLACE)))]


def _message(*, has_kind: bool, is_template: bool) -> rx.Component:
    label: Content = "Anything we should know? (optional)"
    if has_kind:
        label = rx.fragment(
            rx.el.span(label, class_name="for-call"), rx.el.span("Your message", class_name="for-message")
        )
    hint = "For example: we are buying for the first time, around £300,000. Please leave out account numbers."
    return text_field(TextField(name=MESSAGE, label=label, hint=hint, rows=5), is_template=is_template)


def _needs(*, is_template: bool) -> rx.Component:
    """Draw the question about support needs with its own consent; both may stay empty."""
    hint = "For example: large print, more time, somebody else on the call. You need not say why."
    text = TextField(name=NEEDS_WORDS, label=f"{QUESTION} (optional)", hint=hint, attributes={"max_length": MAX_WORDS})
    value = OPTIONS[AGREED][0]
    agreed = consent_field(AGREED, CONSENT_WORDS, value=value, is_template=is_template, required=False)
    return rx.el.div(text_field(text, is_template=is_template), agreed, class_name="stack tight-8")


def _consent_fields(words: ConsentWords, *, is_template: bool) -> list[rx.Component]:
    ways = {Channel.EMAIL: words.email, Channel.TELEPHONE: words.telephone, Channel.TEXT: words.text}
    marketing = Choices(name=MARKETING, legend=words.marketing, options=list(ways.items()), kind="checkbox")
    # in a new tab, so that a half-filled form stays open
    hint = rx.el.span(" (opens in a new tab)", class_name="vh")
    privacy = rx.el.a("Privacy notice", hint, href=routes.PRIVACY, target="_blank", rel="noopener")
    return [
        choices_field(marketing, is_template=is_template),
        rx.el.p(words.use, " ", privacy, class_name="small mute"),
        consent_field(PRIVACY, words.privacy, value=OPTIONS[PRIVACY][0], is_template=is_template),
    ]
