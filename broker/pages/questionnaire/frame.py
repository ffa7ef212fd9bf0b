"""The frame of the questionnaire, and parts around every question: progress, answers, help, notices and deals."""

from collections.abc import Sequence
from typing import Any

import reflex as rx
from reflex_components_core.core.banner import has_too_many_connection_errors

from broker import routes
from broker.components.client_scripts import expression, shared_component
from broker.components.client_values import BrowserValues, client_handler
from broker.components.elements import (
    button,
    button_link,
    icon,
    inline_style,
    jump_link,
    note,
    picture,
    skeleton,
    telephone_link,
    titled_section,
    visually_hidden,
)
from broker.components.form_scripts import exchange_code
from broker.components.forms.figures import clear_figures, figure_text
from broker.components.jinja import Content, Text, foreach
from broker.components.rates.best_deals import best_panels
from broker.components.url_params import PATH
from broker.content.models.site import Site
from broker.pages.enquiry_form import EnquiryForm, enquiry_form
from broker.pages.layout import FRAME, brand, cookie_notice, storage_notice
from broker.pages.questionnaire.question import SCRIPT, STATE
from broker.pages.registry import BuildInputs
from broker.pages.site.contact import opening_hours
from broker.questionnaire.step_view import DEALS_AWAY, NO_DEALS, AnswerRow
from broker.rates.query import MAX_TERM
from broker.state.questionnaire import QuestionnaireState, SavedAnswersState

_CALLBACK = f"{routes.CONTACT}#callback"
"""A form that works without scripts."""

IN_VIEW = 3
"""Answers beside a question; earlier ones are folded."""

_FOCUS_HEADING = client_handler(
    rx.Var(
        "window.isHydrated && document.activeElement === document.body"
        " && document.querySelector('main h1').focus({preventScroll: true})"
    )
)
"""Focus the heading, but not on the first page of a visit: `isHydrated` is set after that page is hydrated."""

_REFUSED = "isRefused"
_COOKIE = BrowserValues("journey_cookie", {_REFUSED: False})
"""Whether the browser refused the cookie of the journey."""

_FOOTER_LINKS = {
    routes.PRIVACY: "Privacy notice",
    routes.COOKIES: "Cookie policy",
    routes.ACCESSIBILITY: "Accessibility",
}
"""Words by path; a page that the content service does not have is left out."""


def frame(inputs: BuildInputs, *content: rx.Component) -> rx.Component:
    """Draw a page of the questionnaire: no menu that leads away, but the telephone and the way home."""
    site, paths = inputs.store.site(), {page.path for page in inputs.store.pages()}
    return rx.el.div(
        jump_link("Skip to main content", "main", class_name="skip"),
        shared_component(cookie_notice, script=FRAME),
        shared_component(storage_notice, script=FRAME),
        shared_component(cookie_exchange, script=SCRIPT),
        shared_component(_header, site, script=SCRIPT),
        rx.el.main(rx.el.div(*content, class_name="wrap stack loose"), id="main", class_name="page", tab_index=-1),
        shared_component(_footer, site, tuple(path for path in _FOOTER_LINKS if path in paths), script=SCRIPT),
        class_name="site q",
    )


def _header(site: Site) -> rx.Component:
    return rx.el.header(
        rx.el.div(
            brand(site),
            telephone_link(
                icon("phone"),
                rx.el.span(site.phone),
                number=site.tel,
                class_name="tel",
                label=f"Call us on {site.phone}",
            ),
            class_name="wrap",
        ),
        class_name="top",
    )


def _footer(site: Site, paths: Sequence[str]) -> rx.Component:
    return rx.el.footer(
        rx.el.div(
            rx.el.p(
                rx.el.b(site.risk_warning),
                f" {site.regulation} {site.how_we_are_paid} No credit check. "
                "We keep your answers for 30 days, or until you delete them. Nobody calls you until you send them. ",
                *[part for path in paths for part in (rx.el.a(_FOOTER_LINKS[path], href=path), " · ")][:-1],
                clear_figures(),
            ),
            class_name="wrap xs",
        ),
        class_name="q-foot",
    )


def heading(words: str) -> rx.Component:
    """Draw the heading of a page, which takes the focus after an answer, Back or Forward (decision 25)."""
    return rx.el.h1(words, tab_index=-1, on_mount=_FOCUS_HEADING)


def cookie_exchange() -> rx.Component:
    """Draw nothing; exchange each code of the state for the cookie of its journey, then load what is not compiled."""
    checked = _COOKIE.put({_REFUSED: rx.Var("!isKept")})
    on_checked = expression(f"((isKept) => {checked!s})", checked)
    elsewhere, is_replaced = STATE.elsewhere, STATE.elsewhere_replaces
    exchanged = exchange_code(STATE.cookie_code, on_checked, elsewhere=elsewhere, is_replaced=is_replaced)
    return rx.el.span(_COOKIE.state, exchanged, hidden=True)


def progress_tiles() -> rx.Component:
    """Draw the progress as tiles and in words, with the link back; both wait for the server after a step."""

    def tile(kind: Text) -> rx.Component:
        return picture("/art/path-" + rx.Var.create(kind).to(str) + ".svg", width=40, height=40, lazy=False)

    is_here = STATE.path == PATH
    back = _link(icon("back"), "Back", href=STATE.back, class_name="more back")
    return rx.el.div(
        rx.el.div(rx.cond(is_here & (STATE.back != ""), back), class_name="back-slot"),
        rx.el.div(foreach(STATE.way.tiles, tile), class_name="path", aria_hidden="true"),
        rx.el.p(rx.cond(is_here, STATE.way.words, ""), class_name="small mute way-words"),
        class_name="stack tight-8",
    )


def _link(*children: Content, href: Text, **looks: Any) -> rx.Component:
    """Link to a question, which is loaded from the server where the visitor's flow is not that of the build."""
    return rx.el.a(*children, href=href, custom_attrs={"reloadDocument": STATE.is_other_flow}, **looks)


def opening(words: str) -> rx.Component:
    """Draw the words above the first question, which a returning visitor sees replaced by where to carry on."""
    return rx.el.div(
        rx.cond(STATE.go_on != "", _journey_notice(), rx.el.p(words, class_name="lead")),
        class_name="opening",
        aria_live="polite",
    )


def _journey_notice() -> rx.Component:
    on = rx.cond(STATE.go_on != "", rx.el.p(_link("Carry on where you left off", href=STATE.go_on)))
    return note(STATE.notice, on)


def notices(site: Site, is_first: bool) -> rx.Component:
    """Draw the notices above a question: of the journey, the connection, and scripts that are off.

    The `opening` of the first question says itself where to carry on.
    """
    has_notice = (STATE.notice != "") & (STATE.go_on == "") if is_first else STATE.notice != ""
    lost = note(
        "We cannot reach our server",
        rx.el.p(
            "Your answers are saved. We’ll send the next one when you’re back online. If you’d rather not wait, ",
            rx.el.a("ask us to call you", href=_CALLBACK),
            " or call ",
            telephone_link(site.phone, number=site.tel),
            ".",
        ),
        tone="warn",
    )
    return rx.el.div(
        _COOKIE.state,
        rx.cond(has_notice, _journey_notice()),
        rx.cond(_COOKIE[_REFUSED], _cookie_refused(site)),
        rx.cond(has_too_many_connection_errors, lost),
        rx.el.noscript(
            note(
                "JavaScript isn’t running in your browser",
                rx.el.p(
                    "You can still answer the questions and send them. We can’t show your earlier answers or matching "
                    "deals without JavaScript. You can also ",
                    rx.el.a("ask us to call you", href=_CALLBACK),
                    ".",
                ),
            )
        ),
        class_name="stack notices",
        aria_live="polite",
    )


def _cookie_refused(site: Site) -> rx.Component:
    """Draw what to do in a browser that blocks cookies: the last page could not send the answers."""
    words = rx.el.p(
        "We need it to send your answers. Allow cookies for this site, then press “Try again”. Until then, keep this "
        "page open and don’t reload it, or your answers are lost. You can also ",
        rx.el.a("ask us to call you", href=_CALLBACK),
        " or call ",
        telephone_link(site.phone, number=site.tel),
        ".",
    )
    again = button("Try again", look="line s", on_click=QuestionnaireState.renew_cookie)
    content = rx.el.div(words, again, class_name="stack tight-8 cookie-refused")
    return note("Your browser blocks our cookie", content, tone="warn")


def answers_so_far() -> rx.Component:
    count = STATE.answers.length()
    earlier = rx.el.details(
        rx.el.summary("Show all your answers (", count, ")", class_name="as-link"),
        rx.el.dl(foreach(STATE.answers[:-IN_VIEW], _row), class_name="kv answers"),
        class_name="small",
    )
    listed = rx.el.section(
        rx.el.h2("Your answers so far", class_name="as-h4"),
        rx.cond(count > IN_VIEW, earlier),
        rx.el.dl(foreach(STATE.answers[-IN_VIEW:], _row), class_name="kv answers"),
        class_name="panel stack",
    )
    return rx.cond(count > 0, listed)


def all_answers() -> rx.Component:
    listed = rx.el.dl(foreach(STATE.answers, _row), class_name="kv answers whole")
    return titled_section("Your answers", "answers", listed, look="as-h3", class_name="panel stack")


def _row(row: AnswerRow) -> rx.Component:
    return rx.el.div(
        rx.el.dt(row.label),
        rx.el.dd(row.words),
        rx.el.dd(_link("Change", visually_hidden(rx.fragment(" ", row.label)), href=row.href), class_name="change"),
    )


def why_we_ask(words: str) -> rx.Component:
    return rx.el.section(
        rx.el.h2("Why we ask", class_name="as-h4"), rx.el.p(words, class_name="small"), class_name="panel why"
    )


def contact_options(site: Site) -> rx.Component:
    return rx.el.section(
        rx.el.h2("Prefer to talk?", class_name="as-h4"),
        rx.el.p("An adviser can go through the questions with you by phone, free of charge.", class_name="small"),
        telephone_link(icon("phone"), site.phone, number=site.tel, class_name="btn line full"),
        opening_hours(site),
        rx.el.p(rx.el.a("Ask us to call you", href=_CALLBACK), class_name="small"),
        class_name="panel stack",
    )


def matching_deals(site: Site) -> rx.Component:
    listed = rx.el.div(
        rx.el.p(STATE.basis, class_name="lead"),
        foreach(STATE.remarks, lambda words: note(words, tone="")),
        rx.el.h2("The deals", class_name="vh"),
        best_panels(STATE.deals, site),
        rx.el.p(
            rx.el.a("See all of them in the rates search", href=STATE.deals.href),
            ". We’ll keep your answers here.",
            class_name="small",
        ),
        class_name="stack",
    )
    return rx.el.div(
        rx.match(
            STATE.deals_status,
            ("loaded", listed),
            ("empty", note(NO_DEALS, rx.el.p(STATE.basis))),
            ("failed", note(DEALS_AWAY, tone="warn")),
            rx.el.div(skeleton(3), class_name="needs-script"),
        ),
        rx.el.p(rx.cond(STATE.deals_status == "loaded", "The deals have loaded", ""), role="status", class_name="vh"),
        custom_attrs=inline_style({"minHeight": "420px"}),
        class_name="matching",
        on_mount=QuestionnaireState.take_term(figure_text(("term",), low=1, high=MAX_TERM)),
    )


def resume_status(site: Site) -> rx.Component:
    """Draw the state of a saved link: loading, opened before, or a problem."""
    wrong = note(
        STATE.problem,
        rx.el.p("You can start again, or call us and we will go through the questions together."),
        tone="bad",
    )
    two = note(
        STATE.notice,
        rx.el.div(
            _link("Carry on with the answers in this browser", href=STATE.go_on, class_name="btn line"),
            button("Open the saved answers", on_click=SavedAnswersState.resume_anyway),
            class_name="row",
        ),
    )
    waiting = rx.el.p("Looking for your answers.", class_name="lead needs-script", role="status")
    said = rx.cond(STATE.notice != "", note(STATE.notice, tone="good"), waiting)
    return rx.el.div(
        rx.cond(STATE.problem != "", wrong, rx.cond(STATE.go_on != "", two, said)),
        rx.el.noscript(
            note(
                "JavaScript isn’t running in your browser",
                "A saved link needs JavaScript. Your answers are safe: turn JavaScript on and open the link again, or "
                "call us and we will go through the questions together.",
            )
        ),
        rx.el.div(
            button_link("Start the questions", routes.QUESTIONNAIRE, look="line"),
            telephone_link(icon("phone"), site.phone, number=site.tel, class_name="btn line"),
            class_name="row",
        ),
        opening_hours(site),
        class_name="stack",
    )


def reach_panel(site: Site, form: EnquiryForm) -> rx.Component:
    return titled_section(
        "How can we reach you?", "reach", enquiry_form(site, form), look="as-h3", class_name="panel stack"
    )
