"""The thank-you page, and its template with the enquiry that a visitor has just sent."""

from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements import button, button_link, facts_of_template, note, plain_link, steps, titled_section
from broker.components.forms.post_form import hidden, post_form
from broker.components.jinja import Content, block_if
from broker.enquiries.summary import BEGIN, REFERENCE, STEP
from broker.jinja_places import variable
from broker.pages.layout import banner, columns, layout
from broker.pages.registry import BuildInputs, Page, edge_template_page
from broker.pages.your_appointment import appointment_panel

_DOCUMENTS = "Payslips or accounts, bank statements and proof of identity. We send a list that fits you."
_ADVICE = "In writing, with the reasons and the fee the lender pays us. You decide."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the thank-you page; search engines leave it out (decision 8)."""
    return (
        Page(
            route=routes.THANK_YOU,
            title="Thank you",
            description="Thank you for getting in touch. This page says what happens next.",
            render=partial(_render, inputs),
            indexed=False,
        ),
    )


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        edge_template_page(
            "thank-you",
            title="Thank you: we have your details",
            description="Thank you for getting in touch. This page says what happens next, and what you sent us.",
            render=partial(_render_template, inputs),
        ),
    )


def _next_steps(phone: str, *, is_template: bool) -> tuple[tuple[str, Content], ...]:
    number = phone.replace(" ", "\N{NO-BREAK SPACE}")
    call: Content = f"Within one working day, from {number}."
    if is_template:
        call = block_if("appointment", "At the time you chose.", otherwise=(call,))
    return (("We call you", call), ("You send documents", _DOCUMENTS), ("We recommend", _ADVICE))


def _render(inputs: BuildInputs) -> rx.Component:
    head = banner(
        "Thank you for getting in touch",
        "An adviser will read what you send us and reply. Here is what happens next.",
        rx.el.div(
            button_link("See mortgage rates", routes.RATES),
            button_link("Use the calculators", routes.CALCULATORS, look="line"),
            class_name="row",
        ),
        door="first-time-buyer",
    )
    return _page(inputs, head)


def _render_template(inputs: BuildInputs) -> rx.Component:
    meanwhile = rx.el.div(
        button_link("Read the guides", routes.GUIDES),
        button_link("Use the calculators", routes.CALCULATORS, look="line"),
        class_name="row",
    )
    head = banner(
        variable("heading"),
        variable("next_call"),
        block_if("reference", rx.el.p("Your reference is ", rx.el.b(variable("reference"), class_name="nb"), ".")),
        block_if("email", rx.el.p("We are sending a confirmation to ", rx.el.b(variable("email")), ".")),
        block_if("appointment", otherwise=(meanwhile,)),
        door="first-time-buyer",
    )
    change = plain_link("Move or cancel it", href=variable("appointment.address"), class_name="btn line s")
    booked = rx.el.div(appointment_panel(change), class_name="wrap booked")
    sent = titled_section("What you sent us", "sent", facts_of_template("sent"), class_name="panel stack")
    known = columns(sent, _see_or_delete())
    return _page(inputs, head, block_if("reference", known), booked=block_if("appointment", booked))


def _see_or_delete() -> rx.Component:
    """Draw the form that asks for the digits: the reference is posted, so that no URL holds it."""
    return post_form(
        rx.el.p(
            "Keep this reference. With it and the last four digits of your telephone number you can see the details we "
            "hold about you, and delete all but a record of our advice, on the page ",
            rx.el.a("Your enquiry", href=routes.YOUR_ENQUIRY),
            ".",
        ),
        hidden(STEP, BEGIN),
        hidden(REFERENCE, variable("reference")),
        button("See or delete it", kind="submit", look="line"),
        action=routes.YOUR_ENQUIRY,
        class_name="stack",
    )


def _what_happens_next(phone: str, *, is_template: bool) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(rx.el.h2("What happens next", id="next"), class_name="head"),
            steps(_next_steps(phone, is_template=is_template)),
            class_name="wrap",
        ),
        class_name="band",
        aria_labelledby="next",
    )


def _page(
    inputs: BuildInputs, head: rx.Component, *content: rx.Component, booked: rx.Component | None = None
) -> rx.Component:
    """Draw the page; `booked` is the appointment of its template."""
    site = inputs.store.site()
    warning = note(site.risk_warning, " Nothing is agreed until a lender makes you an offer.", tone="warn")
    following = _what_happens_next(site.phone, is_template=booked is not None)
    parts = (head, *([booked] if booked else []), following, *content, rx.el.div(warning, class_name="wrap end-space"))
    return layout(inputs, routes.THANK_YOU, *parts, call=False)
