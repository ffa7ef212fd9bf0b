"""The page on which visitors see and delete their enquiry (decision 33), and its template."""

from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements import (
    button,
    button_link,
    facts_of_template,
    note,
    plain_link,
    telephone_link,
    titled_section,
)
from broker.components.forms.post_form import TextField, error_summary, hidden, post_form, text_field
from broker.components.jinja import block_if
from broker.enquiries.form_view import ERROR_TITLE
from broker.enquiries.summary import (
    ADVICE_UNTIL,
    ASK,
    CHANGE,
    CREDENTIALS,
    DELETE,
    DIGITS,
    GROUPS,
    REFERENCE,
    SHOW,
    STEP,
)
from broker.jinja_places import variable
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page

_TITLE = "Your enquiry: see it or delete it"
_RULE = "MCOB 4.7A.25R"
_LEAD = (
    "See the details we hold about you from an enquiry, and delete them if you wish. A record of our advice must stay."
)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (_page(routes.YOUR_ENQUIRY, _TITLE, partial(_render, inputs)),)


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    title = f"{variable(ERROR_TITLE)}{_TITLE}"
    return (_page(f"/{routes.edge_template('your-enquiry')}/", title, partial(_render_template, inputs)),)


def _page(route: str, title: str, render: partial[rx.Component]) -> Page:
    return Page(route=route, title=title, description=_LEAD, render=render, indexed=False)


def _render(inputs: BuildInputs) -> rx.Component:
    return _draw(inputs, "Your enquiry", _LEAD, _search_form(is_template=False), is_template=False)


def _render_template(inputs: BuildInputs) -> rx.Component:
    content = rx.fragment(
        block_if("is_deleted", _deleted()),
        block_if("is_kept", _kept(inputs)),
        block_if("is_asked", block_if(ADVICE_UNTIL, _confirmation_of_rest(), otherwise=(_confirmation(),))),
        block_if("is_found", _details()),
        block_if("is_searched", _search_form(is_template=True)),
    )
    return _draw(inputs, variable("heading"), variable("lead"), content, is_template=True)


def _draw(inputs: BuildInputs, heading: str, lead: str, content: rx.Component, *, is_template: bool) -> rx.Component:
    site = inputs.store.site()
    problems = [error_summary(site.phone, site.tel)] if is_template else []
    more = rx.el.p(
        "Read how we use your details, and what your other rights are, in our ",
        rx.el.a("privacy notice", href=routes.PRIVACY),
        ". To change something, call ",
        telephone_link(site.phone, number=site.tel),
        ".",
        class_name="small mute",
    )
    body = rx.el.div(*problems, content, more, class_name="wrap band-s stack loose")
    return layout(inputs, routes.YOUR_ENQUIRY, banner(heading, lead), body, call=False)


def _search_form(*, is_template: bool) -> rx.Component:
    reference = TextField(
        name=REFERENCE,
        label="Reference",
        hint="For example HG-7K3M-Q2XD. You saw it on the thank-you page",
        required=True,
        attributes={"auto_complete": "off", "spell_check": False},
    )
    digits = TextField(
        name=DIGITS,
        label="Last four digits of your telephone number",
        hint="The number that you gave us, for example 0123",
        required=True,
        attributes={"auto_complete": "off", "input_mode": "numeric"},
    )
    return post_form(
        text_field(reference, is_template=is_template),
        text_field(digits, is_template=is_template),
        button("Show my enquiry", kind="submit"),
        action=routes.YOUR_ENQUIRY,
        class_name="panel stack narrow-panel",
    )


def _details() -> rx.Component:
    groups = (
        titled_section(title, f"{name}-title", facts_of_template(name), look="as-h4", class_name="panel stack")
        for name, title in GROUPS.items()
    )
    change = plain_link("Move or cancel your appointment", href=variable(CHANGE), class_name="btn line")
    booked = block_if(CHANGE, rx.el.div(change, class_name="row"))
    offer = block_if("is_asked", otherwise=(_step("Delete this enquiry", ASK, look="line"),))
    return rx.el.div(*groups, booked, offer, class_name="stack loose narrow-panel")


def _confirmation() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Delete it all?", id="delete-title", tab_index=-1, custom_attrs={"autoFocus": True}),
        rx.el.p(
            "We will delete everything below straight away, and any other enquiry of yours that we keep together with "
            "it. We can’t bring it back. An adviser who has already read it may still call you once."
        ),
        rx.el.div(_step("Yes, delete it", DELETE), _step("No, keep it", SHOW, look="line"), class_name="row"),
        class_name="panel stack narrow-panel",
        aria_labelledby="delete-title",
    )


def _confirmation_of_rest() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Delete all but our advice?", id="delete-title", tab_index=-1, custom_attrs={"autoFocus": True}),
        rx.el.p(
            f"We have advised you, and the Financial Conduct Authority’s rules ({_RULE}) make us keep a record of it. "
            "We keep who you are, what you sent us and our advice until ",
            rx.el.strong(variable(ADVICE_UNTIL)),
            ", and then delete them.",
        ),
        rx.el.p(
            "The rest we can delete straight away: our other notes and emails, any appointment, what would make a call "
            "easier for you, and your permission to send you news. We also close your case. If we are still arranging "
            "a mortgage for you, please call us first."
        ),
        rx.el.div(_step("Yes, delete the rest", DELETE), _step("No, keep it", SHOW, look="line"), class_name="row"),
        class_name="panel stack narrow-panel",
        aria_labelledby="delete-title",
    )


def _deleted() -> rx.Component:
    return rx.el.div(
        note("It is deleted. ", "We no longer hold anything you sent with this enquiry.", tone="good"),
        _ways_on(),
        class_name="stack narrow-panel",
    )


def _kept(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    return rx.el.div(
        note(
            "We must keep our advice. ",
            f"The Financial Conduct Authority’s rules ({_RULE}) make us keep a record of the advice we gave you. We "
            f"keep who you are, what you sent us and our advice until {variable(ADVICE_UNTIL)}, and then delete them.",
        ),
        rx.el.p(
            "We have closed your case, and you will get no news from us. You can still ask us to put right what is "
            "wrong, or not to contact you at all: call ",
            telephone_link(site.phone, number=site.tel),
            " or email ",
            rx.el.a(site.email, href=f"mailto:{site.email}"),
            ". If you are not happy with this, ",
            rx.el.a("complain to us", href=f"{routes.COMPLAINTS}#complaints-about-your-personal-information"),
            " or to the ",
            rx.el.a("Information Commissioner’s Office", href="https://ico.org.uk/make-a-complaint/"),
            ".",
        ),
        _ways_on(),
        class_name="stack narrow-panel",
    )


def _ways_on() -> rx.Component:
    return rx.el.div(
        button_link("Back to the home page", routes.HOME),
        button_link("Contact us", routes.CONTACT, look="line"),
        class_name="row",
    )


def _step(label: str, step: str, *, look: str = "") -> rx.Component:
    """Draw the button of a step; the enquiry's credentials are posted with it."""
    return post_form(
        hidden(STEP, step),
        *(hidden(name, variable(name)) for name in CREDENTIALS),
        button(label, kind="submit", look=look),
        action=routes.YOUR_ENQUIRY,
    )
