"""What is kept of a visitor, to be seen and deleted by who sent it (decision 33): the edge fills the page."""

from __future__ import annotations

from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements.buttons import button, button_link
from broker.components.elements.lists import facts_to_fill
from broker.components.elements.messages import note
from broker.components.elements.text import telephone_link
from broker.components.forms.post_form import TextField, hidden, posted_form, problem_summary, text_field
from broker.components.unfilled import whether
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page
from broker.presenters.marks import mark
from broker.presenters.your_enquiry import ASK, DELETE, DIGITS, GROUPS, LINK, REFERENCE, SHOW, STEP

TITLE = "Your enquiry: see it, delete it"
LEAD = "See everything that we keep of an enquiry of yours, and delete it if you wish."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the page, which search engines leave out."""
    return (_page(inputs, routes.YOUR_ENQUIRY, partial(_render, inputs)),)


def unfilled_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the page as the edge fills it."""
    page = _page(inputs, f"/{routes.unfilled('your-enquiry')}/", partial(_render_unfilled, inputs))
    return (page,)


def _page(inputs: BuildInputs, route: str, render: partial[rx.Component]) -> Page:
    del inputs
    return Page(route=route, title=TITLE, description=LEAD, render=render, indexed=False)


def _render(inputs: BuildInputs) -> rx.Component:
    return _drawn(inputs, "Your enquiry", LEAD, _look(unfilled=False), unfilled=False)


def _render_unfilled(inputs: BuildInputs) -> rx.Component:
    content = rx.fragment(
        whether("gone", _gone()),
        whether("asked", _asked()),
        whether("found", _found()),
        whether("look", _look(unfilled=True)),
    )
    return _drawn(inputs, mark("heading"), mark("lead"), content, unfilled=True)


def _drawn(inputs: BuildInputs, heading: str, lead: str, content: rx.Component, *, unfilled: bool) -> rx.Component:
    site = inputs.store.site()
    problems = [problem_summary(site.phone, site.tel)] if unfilled else []
    more = rx.el.p(
        "How we use what you send, and your other rights, are in the ",
        rx.el.a("privacy notice", href=routes.PRIVACY),
        ". To change something, call ",
        telephone_link(site.phone, number=site.tel),
        ".",
        class_name="small mute",
    )
    body = rx.el.div(*problems, content, more, class_name="wrap band-s stack loose")
    return layout(inputs, routes.YOUR_ENQUIRY, banner(heading, lead), body, call=False)


def _look(*, unfilled: bool) -> rx.Component:
    reference = TextField(
        name=REFERENCE,
        label="Reference",
        hint="For example HG-7K3M-Q2XD; it is on the page that thanked you",
        needed=True,
        attributes={"auto_complete": "off", "spell_check": False},
    )
    digits = TextField(
        name=DIGITS,
        label="Last four digits of your telephone number",
        hint="The number that you gave us, for example 0123",
        needed=True,
        attributes={"auto_complete": "off", "input_mode": "numeric"},
    )
    return posted_form(
        text_field(reference, unfilled=unfilled),
        text_field(digits, unfilled=unfilled),
        button("Show my enquiry", kind="submit"),
        action=routes.YOUR_ENQUIRY,
        class_name="panel stack narrow-panel",
    )


def _found() -> rx.Component:
    groups = (
        rx.el.section(
            rx.el.h2(title, id=f"{name}-title", class_name="as-h4"),
            facts_to_fill(name),
            class_name="panel stack",
            aria_labelledby=f"{name}-title",
        )
        for name, title in GROUPS.items()
    )
    offer = whether("offered", _step("Delete this enquiry", ASK, look="line"))
    return rx.el.div(*groups, offer, class_name="stack loose narrow-panel")


def _asked() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Delete it all?", id="delete-title", tab_index=-1, custom_attrs={"autoFocus": True}),
        rx.el.p(
            "Everything below is deleted from our records at once, and nobody can bring it back. Somebody who has "
            "already read it may still call you once."
        ),
        rx.el.div(_step("Yes, delete it", DELETE), _step("No, keep it", SHOW, look="line"), class_name="row"),
        class_name="panel stack narrow-panel",
        aria_labelledby="delete-title",
    )


def _gone() -> rx.Component:
    return rx.el.div(
        note("It is deleted. ", "Nothing that you sent with this enquiry is kept any longer.", tone="good"),
        rx.el.div(
            button_link("Back to the home page", routes.HOME),
            button_link("Contact us", routes.CONTACT, look="line"),
            class_name="row",
        ),
        class_name="stack narrow-panel",
    )


def _step(label: str, step: str, *, look: str = "") -> rx.Component:
    """Draw a button that goes on with the same enquiry: what it was found by goes with it, in the form alone."""
    return posted_form(
        hidden(STEP, step),
        *(hidden(name, mark(name)) for name in (REFERENCE, DIGITS, LINK)),
        button(label, kind="submit", look=look),
        action=routes.YOUR_ENQUIRY,
    )
