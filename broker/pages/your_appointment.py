"""The page on which visitors move and cancel their appointment, and its template."""

from functools import partial
from itertools import starmap

import reflex as rx

from broker import routes
from broker.appointments.appointment_view import CANCEL, MOVE, SEQUENCE
from broker.appointments.times_view import PLACE
from broker.components.elements import button, button_link, note, plain_link, telephone_link
from broker.components.forms.post_form import error_summary, hidden, post_form, step_form
from broker.components.jinja import block_if
from broker.enquiries.form_view import ERROR_TITLE, TIMES
from broker.enquiries.summary import ASK, LINK, SHOW, STEP
from broker.jinja_places import markup_variable, variable
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page

_TITLE = "Your appointment: move it or cancel it"
_MOVED = "We have moved your appointment. The time below is the new one."
_LEAD = "See the time that an adviser has kept for you, and move or cancel it."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (_page(routes.YOUR_APPOINTMENT, _TITLE, partial(_render, inputs)),)


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    title = f"{variable(ERROR_TITLE)}{_TITLE}"
    return (_page(f"/{routes.edge_template('your-appointment')}/", title, partial(_render_template, inputs)),)


def _page(route: str, title: str, render: partial[rx.Component]) -> Page:
    return Page(route=route, title=title, description=_LEAD, render=render, indexed=False)


def _render(inputs: BuildInputs) -> rx.Component:
    words = rx.el.p("To see your appointment, open the link in the mail that confirmed it.")
    ways = button_link("Book a time", routes.CALLBACK, look="line")
    panel = rx.el.div(words, rx.el.div(ways, class_name="row"), class_name="panel stack narrow-panel")
    return _draw(inputs, "Your appointment", _LEAD, panel)


def _render_template(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    book = rx.el.div(button_link("Book another time", routes.CALLBACK, look="line"), class_name="row")
    content = rx.fragment(
        error_summary(site.phone, site.tel),
        block_if("refusal", rx.el.div(note(variable("refusal"), ".", tone="warn"), class_name="narrow-panel")),
        block_if("is_moved", rx.el.div(note(_MOVED, tone="good"), class_name="narrow-panel", role="status")),
        block_if("is_asked", _confirmation()),
        block_if("appointment", appointment_panel()),
        block_if("is_coming", block_if("is_asked", otherwise=(block_if(TIMES, _move()), _cancel())), otherwise=(book,)),
    )
    return _draw(inputs, variable("heading"), variable("lead"), content)


def _draw(inputs: BuildInputs, heading: str, lead: str, content: rx.Component) -> rx.Component:
    site = inputs.store.site()
    more = rx.el.p("Or call ", telephone_link(site.phone, number=site.tel), ".", class_name="small mute")
    body = rx.el.div(content, more, class_name="wrap band-s stack loose")
    return layout(inputs, routes.YOUR_APPOINTMENT, banner(heading, lead), body, call=False)


def appointment_panel(*more: rx.Component) -> rx.Component:
    """Draw the time of a template's `appointment`, how it is held, and its calendar file while it is to come."""
    calendar = plain_link("Add to your calendar", href=variable("appointment.calendar"), class_name="btn s")
    return rx.el.section(
        rx.el.h2(variable("appointment.title"), id="appointment", class_name="as-h4"),
        rx.el.p(
            rx.el.span(variable("appointment.time"), class_name="fig"),
            rx.el.b(variable("appointment.day")),
            ", UK time",
            class_name="appointment-time",
        ),
        rx.el.p(variable("appointment.kind"), ". ", variable("appointment.how")),
        block_if("is_coming", block_if("is_asked", otherwise=(rx.el.div(calendar, *more, class_name="row"),))),
        class_name="panel stack narrow-panel",
        aria_labelledby="appointment",
    )


def _move() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Move it", id="move", class_name="as-h4"),
        post_form(
            *starmap(hidden, _credentials(MOVE).items()),
            rx.el.fieldset(rx.el.legend("The new time", class_name="vh"), rx.el.div(markup_variable(TIMES), id=PLACE)),
            button("Move it to this time", kind="submit"),
            action=routes.YOUR_APPOINTMENT,
            class_name="stack",
        ),
        class_name="panel stack narrow-panel",
        aria_labelledby="move",
    )


def _cancel() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Cancel it", id="cancel", class_name="as-h4"),
        rx.el.p("You don’t have to say why. We free the time for somebody else."),
        _step("Cancel my appointment", ASK, look="line"),
        class_name="panel stack narrow-panel",
        aria_labelledby="cancel",
    )


def _confirmation() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Cancel this time?", id="ask", tab_index=-1, custom_attrs={"autoFocus": True}),
        rx.el.p("We keep what you sent us, and you can book another time whenever you like."),
        rx.el.div(_step("Yes, cancel it", CANCEL), _step("No, keep it", SHOW, look="line"), class_name="row"),
        class_name="panel stack narrow-panel",
        aria_labelledby="ask",
    )


def _step(label: str, step: str, *, look: str = "") -> rx.Component:
    return step_form(label, _credentials(step), action=routes.YOUR_APPOINTMENT, look=look)


def _credentials(step: str) -> dict[str, str]:
    """Return the hidden fields of a step: what it is, the link, and the version of the appointment."""
    return {STEP: step, LINK: variable(LINK), SEQUENCE: variable(SEQUENCE)}
