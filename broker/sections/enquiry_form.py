"""The form of every enquiry: a call, a message, or the answers of a questionnaire; it posts plainly, without scripts.

A page that stands as it was built is the same for everybody, and most visitors come to it by a link inside the site,
where the edge draws nothing. So its script asks for the form's ticket when somebody begins to fill it in: by it the
service knows how long they were at it. Without scripts there is none, and an address may send fewer such forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import reflex as rx

from broker import routes
from broker.components.elements.buttons import button
from broker.components.elements.messages import note
from broker.components.elements.text import telephone_link
from broker.components.form_scripts import fill_once, remember_form, submit_if_reached
from broker.components.forms.post_form import (
    Choices,
    TextField,
    any_of,
    hidden,
    one_of,
    posted_form,
    problem_summary,
    statement,
    text_field,
    trap,
)
from broker.content.models.site import ConsentWords, Site
from broker.domain.enquiries.contact_details import EMAIL, NAME, TELEPHONE, WHEN
from broker.domain.enquiries.enquiry import MARKETING, MESSAGE, PRIVACY, Channel, EnquiryKind
from broker.domain.enquiries.stored_records import HIDDEN, TICKET
from broker.presenters.enquiry_form import CALL_TIMES, CAME_FROM, CHOSEN, KIND, TEXT_VERSION
from broker.presenters.marks import mark

CALLBACK, MESSAGE_PLACE = "callback", "message"
"""The places of the form that links lead to."""

UNREACHED = "unreached"
"""The place of what is said where nobody answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryForm:
    """Where a form posts to and what its button says; `asks` whether a call or a message is wanted.

    An `unfilled` one is for the edge to fill, with what was entered and what is wrong with it.
    """

    action: str
    button: str
    asks: bool = False
    unfilled: bool = False


def enquiry_form(site: Site, form: EnquiryForm) -> rx.Component:
    """Draw the form; the firm's words of consent are those that a record names."""
    unfilled = form.unfilled
    wanted = Choices(
        name=KIND,
        legend="What would you like?",
        options=((EnquiryKind.CALLBACK, "A call"), (EnquiryKind.CONTACT, "To send a message")),
    )
    return posted_form(
        *([problem_summary(site.phone, site.tel)] if unfilled else []),
        *([one_of(wanted, unfilled=unfilled)] if form.asks else []),
        *_reached(unfilled=unfilled),
        rx.el.div(_message(asks=form.asks, unfilled=unfilled), id=MESSAGE_PLACE),
        *_allowed(site.consent, unfilled=unfilled),
        hidden(TEXT_VERSION, site.consent.version),
        hidden(CAME_FROM, mark(CAME_FROM) if unfilled else ""),
        hidden(TICKET, ""),
        trap(HIDDEN),
        *([] if unfilled else [_unreached(site)]),
        button(form.button, kind="submit"),
        rx.el.p(
            "You can ",
            rx.el.a("see and delete what you sent", href=routes.YOUR_ENQUIRY),
            " at any time.",
            class_name="small mute",
        ),
        action=form.action,
        class_name="stack loose",
        **({} if unfilled else _with_scripts(form.action)),
    )


def _with_scripts(action: str) -> dict[str, rx.Var]:
    """Return what the script of a page does for a form.

    It keeps what was typed, has its ticket, and leaves the page only for an answer.
    """
    return {
        **remember_form(action),
        "on_focus": fill_once(TICKET, routes.FORM_TICKET),
        "on_submit": submit_if_reached(UNREACHED),
    }


def _unreached(site: Site) -> rx.Component:
    """Draw what is said where the form cannot be sent now."""
    words = rx.el.p(
        "What you typed is still on this page. Wait a moment and press the button again, or call ",
        telephone_link(site.phone, number=site.tel),
        ".",
    )
    told = note("We cannot reach our server", words, tone="warn")
    return rx.el.div(told, id=UNREACHED, role="alert", tab_index=-1, hidden=True)


def _reached(*, unfilled: bool) -> list[rx.Component]:
    """Draw who asks, and how and when to reach them."""
    name = TextField(name=NAME, label="Full name", needed=True, attributes={"auto_complete": "name"})
    telephone = TextField(
        name=TELEPHONE,
        label="Telephone number",
        hint="A UK number, for example 07700 900123",
        needed=True,
        attributes={"type": "tel", "auto_complete": "tel", "input_mode": "tel"},
    )
    email = TextField(
        name=EMAIL,
        label="Email address (optional)",
        hint="For example name@example.com",
        attributes={"type": "email", "auto_complete": "email", "input_mode": "email", "spell_check": False},
    )
    when = Choices(
        name=WHEN, legend="When should we call?", options=[(each, words) for each, words in CALL_TIMES.items()]
    )
    fields = [text_field(each, unfilled=unfilled) for each in (name, telephone, email)]
    return [*fields, one_of(when, unfilled=unfilled)]


def _message(*, asks: bool, unfilled: bool) -> rx.Component:
    label: Any = "Anything we should know? (optional)"
    if asks:
        label = rx.fragment(
            rx.el.span(label, class_name="for-call"), rx.el.span("Your message", class_name="for-message")
        )
    hint = "For example: we are buying for the first time, around £300,000. Please leave out account numbers."
    return text_field(TextField(name=MESSAGE, label=label, hint=hint, rows=5), unfilled=unfilled)


def _allowed(words: ConsentWords, *, unfilled: bool) -> list[rx.Component]:
    """Draw what is asked to be allowed, in the firm's words, nothing of it ticked beforehand."""
    ways = {Channel.EMAIL: words.email, Channel.TELEPHONE: words.telephone, Channel.TEXT: words.text}
    marketing = Choices(name=MARKETING, legend=words.marketing, options=list(ways.items()), first=False)
    return [
        any_of(marketing, unfilled=unfilled),
        rx.el.p(words.use, " ", _in_new_tab(), class_name="small mute"),
        statement(PRIVACY, words.privacy, value=CHOSEN[PRIVACY][0], unfilled=unfilled),
    ]


def _in_new_tab() -> rx.Component:
    """Link to the privacy notice without leaving a form that is half filled in."""
    return rx.el.a(
        "Privacy notice",
        rx.el.span(" (opens in a new tab)", class_name="vh"),
        href=routes.PRIVACY,
        target="_blank",
        rel="noopener",
    )
