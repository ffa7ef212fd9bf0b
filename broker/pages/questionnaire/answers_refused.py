"""Templates of the pages that answer a questionnaire's answers which could not be accepted."""

from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements import (
    button_link,
    fact,
    note,
    plain_link,
    telephone_link,
    titled_section,
    visually_hidden,
)
from broker.components.jinja import block_for
from broker.jinja_places import variable
from broker.pages.enquiry_form import EnquiryForm
from broker.pages.questionnaire.frame import contact_options
from broker.pages.questionnaire.pages import frame, reach_panel
from broker.pages.registry import BuildInputs, Page, edge_template_page

SEND = "Send my answers"
UNSENT = "Your answers were not sent"


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the page that checks the answers, and the page that says why they cannot be sent."""
    return (
        edge_template_page(
            "check",
            title="Error: check your answers",
            description="We haven't sent your answers yet: there is something to correct first.",
            render=partial(_check, inputs),
        ),
        edge_template_page(
            "unsent",
            title=UNSENT,
            description="Your answers were not sent, and this page says why.",
            render=partial(_unsent, inputs),
        ),
    )


def _check(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    form = EnquiryForm(action=routes.SEND_ANSWERS, button=SEND, is_template=True)
    change = rx.el.dd(
        plain_link("Change", visually_hidden(f" {variable('answer.label')}"), href=variable("answer.href")),
        class_name="change",
    )
    row = fact(variable("answer.label"), variable("answer.words"), change)
    listed = rx.el.dl(block_for("answer", "answers", row), class_name="kv answers whole")
    answers = titled_section("Your answers", "answers", listed, look="as-h3", class_name="panel stack")
    reach = reach_panel(site, form)
    return frame(
        inputs,
        rx.el.p("Last step", class_name="small mute"),
        rx.el.div(
            rx.el.div(rx.el.h1("Check your answers", tab_index=-1), reach, answers, class_name="stack"),
            rx.el.aside(contact_options(site), class_name="stack", aria_label="Help"),
            class_name="side",
        ),
    )


def _unsent(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    number = telephone_link(site.phone, number=site.tel)
    return frame(
        inputs,
        rx.el.h1(UNSENT, tab_index=-1),
        rx.el.div(
            note(variable("reason"), tone="warn"),
            rx.el.p("We haven't sent anything to an adviser yet. If you would rather talk, call ", number, "."),
            rx.el.div(
                plain_link(variable("go_on"), href=variable("href"), class_name="btn"),
                button_link("Request a callback", routes.CALLBACK, look="line"),
                class_name="row",
            ),
            class_name="stack",
        ),
    )
