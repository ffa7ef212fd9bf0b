"""Pages of the questionnaire that the edge renders: a question, and answers that could not be accepted."""

from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements import (
    button_link,
    fact,
    icon,
    note,
    picture,
    plain_link,
    telephone_link,
    titled_section,
    visually_hidden,
)
from broker.components.forms.fields import choice_field, descriptions, field, invalid_if, template_error
from broker.components.forms.post_form import error_summary, hidden, post_form
from broker.components.jinja import block_for, block_if, class_if
from broker.components.rates.best_deals import best_table
from broker.content.models.site import Site
from broker.jinja_places import Placeholder, attribute_if, template_of, variable
from broker.pages.enquiry_form import EnquiryForm
from broker.pages.questionnaire.frame import contact_options, frame, reach_panel, why_we_ask
from broker.pages.registry import BuildInputs, Page, edge_template_page
from broker.questionnaire.forms import DIGEST, STEP
from broker.questionnaire.step_view import GO_ON
from broker.rates.best_deals import BestDeals

_UNSENT = "Your answers were not sent"


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        edge_template_page(
            "check",
            title="Error: check your answers",
            description="We haven’t sent your answers yet: there is something to correct first.",
            render=partial(_check, inputs),
        ),
        edge_template_page(
            "unsent",
            title=_UNSENT,
            description="Your answers were not sent, and this page says why.",
            render=partial(_unsent, inputs),
        ),
        edge_template_page(
            "question",
            title=variable("title"),
            description="A question about you or the property.",
            render=partial(_question, inputs),
        ),
    )


def _check(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    form = EnquiryForm(action=routes.SEND_ANSWERS, button="Send my answers", is_template=True)
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
        rx.el.h1(_UNSENT, tab_index=-1),
        rx.el.div(
            note(variable("reason"), tone="warn"),
            rx.el.p("We haven’t sent anything to an adviser yet. If you would rather talk, call ", number, "."),
            rx.el.div(
                plain_link(variable("go_on"), href=variable("href"), class_name="btn"),
                button_link("Request a callback", routes.CALLBACK, look="line"),
                class_name="row",
            ),
            class_name="stack",
        ),
    )


def _question(inputs: BuildInputs) -> rx.Component:
    """Draw a question that the content service changed since the build, or whose posted answer was refused."""
    site = inputs.store.site()
    options = block_if("field.is_cards", _cards(), otherwise=(_radios(),))
    drawn = block_if(
        "field.is_hidden",
        hidden(variable("field.name"), variable("field.value")),
        otherwise=(block_if("field.options", options, otherwise=(_number_box(),)),),
    )
    form = post_form(
        error_summary(site.phone, site.tel),
        hidden(STEP, variable(STEP)),
        hidden(DIGEST, variable(DIGEST)),
        block_if("text", rx.el.p(variable("text"), class_name="mute")),
        block_for("field", "fields", drawn),
        rx.el.div(
            rx.el.button(variable("button"), icon("arrow"), type="submit", class_name="btn wide"), class_name="row"
        ),
        action=variable("action"),
        class_name="stack loose",
    )
    question = rx.el.div(
        block_if("go_on", note(GO_ON, rx.el.p(rx.el.a("Carry on where you left off", href=variable("go_on"))))),
        rx.el.h1(variable("question"), tab_index=-1),
        _deals(site),
        form,
        class_name="stack",
    )
    aside = rx.el.aside(
        block_if("answers", _answers()),
        block_if("why", why_we_ask(variable("why"))),
        contact_options(site),
        class_name="stack",
        aria_label="Help and your answers",
    )
    return frame(inputs, _progress(), rx.el.div(question, aside, class_name="side"))


def _progress() -> rx.Component:
    tile = picture(f"/art/path-{variable('tile')}.svg", width=40, height=40, lazy=False)
    back = rx.el.a(icon("back"), "Back", href=variable("back"), class_name="more back")
    return block_if(
        "progress",
        rx.el.div(
            rx.el.div(block_if("back", back), class_name="back-slot"),
            rx.el.div(block_for("tile", "tiles", tile), class_name="path", aria_hidden="true"),
            rx.el.p(variable("progress"), class_name="small mute way-words"),
            class_name="stack tight-8",
        ),
    )


def _answers() -> rx.Component:
    change = rx.el.a("Change", visually_hidden(rx.fragment(" ", variable("row.label"))), href=variable("row.href"))
    row = rx.el.div(
        rx.el.dt(variable("row.label")), rx.el.dd(variable("row.words")), rx.el.dd(change, class_name="change")
    )
    return rx.el.section(
        rx.el.h2("Your answers so far", class_name="as-h4"),
        rx.el.dl(block_for("row", "answers", row), class_name="kv answers"),
        class_name="panel stack",
    )


def _deals(site: Site) -> rx.Component:
    """Draw the deals of a rate step, with the risk warnings; or the sentence that says why there are none."""
    deals = template_of(BestDeals, "found.deals")
    found = rx.el.div(
        rx.el.p(variable("found.basis"), class_name="lead"),
        block_for("remark", "found.remarks", note(variable("remark"), tone="")),
        best_table(deals, site),
        rx.el.p(rx.el.a("See all of them in the rates search", href=variable("found.deals.href")), class_name="small"),
        class_name="stack",
    )
    return rx.fragment(
        block_if("found.message", note(variable("found.message"), tone="warn")), block_if("found.deals", found)
    )


def _number_box() -> rx.Component:
    identity = variable("field.id")
    control = rx.el.input(
        id=identity,
        name=variable("field.name"),
        default_value=variable("field.value"),
        input_mode="numeric",
        auto_complete="off",
        custom_attrs={"aria-describedby": descriptions(identity, hint=True), **invalid_if("field.error")},
    )
    return field(
        variable("field.label"),
        rx.el.div(_unit("field.prefix"), control, _unit("field.suffix"), class_name="num"),
        identity=identity,
        hint=variable("field.hint"),
        error=template_error("field.error", identity=identity),
    )


def _unit(name: str) -> rx.Component:
    return block_if(name, rx.el.span(variable(name), aria_hidden="true"))


def _radios() -> rx.Component:
    name = variable("field.name")
    option = rx.el.input(
        type="radio",
        id=variable("option.id"),
        name=name,
        value=variable("option.value"),
        custom_attrs=attribute_if("checked", "option.checked"),
    )
    labels = block_for("option", "field.options", rx.el.label(option, variable("option.words")))
    return choice_field(
        variable("field.label"),
        rx.el.div(labels, class_name="seg"),
        error=template_error("field.error", identity=name),
        described_by=descriptions(name),
    )


def _cards() -> rx.Component:
    name = variable("field.name")
    control = rx.el.input(
        type="radio",
        id=variable("option.id"),
        name=name,
        value=variable("option.value"),
        custom_attrs=attribute_if("checked", "option.checked"),
    )
    words = rx.el.span(rx.el.b(variable("option.words")), block_if("option.note", rx.el.span(variable("option.note"))))
    wider = class_if(Placeholder("option.is_half"), "choice w6", otherwise="choice w12")
    width = class_if(Placeholder("option.is_third"), "choice w4", otherwise=wider)
    card = rx.el.label(words, control, class_name=width, html_for=variable("option.id"))
    return choice_field(
        variable("field.label"),
        rx.el.div(block_for("option", "field.options", card), class_name="choices"),
        error=template_error("field.error", identity=name),
        described_by=descriptions(name),
        is_legend_hidden=True,
    )
