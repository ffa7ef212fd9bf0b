"""A guide that the browser reads over the socket: loading, loaded, missing or failed."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.components.elements.buttons import button_link
from broker.components.elements.lists import contents_entry, contents_list
from broker.components.elements.messages import note
from broker.components.elements.picture import picture
from broker.components.elements.text import more_link, telephone_link
from broker.components.foreach import foreach
from broker.components.inline_style import inline_style
from broker.content.models.site import Site
from broker.sections.site.contact import contact_aside
from broker.sections.site.pictures import guide_banner_picture
from broker.sections.site.themes import THEMES
from broker.state.unbuilt_guide import UnbuiltGuideState

FAILED = "We could not load this guide"
MISSING = "There is no guide at this address. It may have moved, or there may be a mistake in the address."
AGAIN = "We will try again in 5 seconds. "

LINES = ("46%", "100%", "97%", "92%", "58%", "38%", "100%", "94%", "99%", "71%")
"""The lines of a text on its way: a heading and a paragraph, twice."""

_HERE = rx.Var("window.location.pathname").to(str)


def unbuilt_guide_page(site: Site, *, advice: str) -> rx.Component:
    """Draw the guide of the page on screen; `advice` stands in the block beside its text."""
    state, guide = UnbuiltGuideState, UnbuiltGuideState.guide
    status = rx.cond(state.path == _HERE, state.status, "loading").to(str)
    heading = rx.match(
        status, ("loaded", guide.title), ("failed", FAILED), ("missing", "We can't find that page"), state.title
    )
    shown = rx.match(
        status,
        ("loaded", _text(site, guide, advice)),
        ("failed", guide_not_read(site, state.problem, again=rx.cond(state.again, AGAIN, ""), path=_HERE)),
        ("missing", _plain(rx.el.p(MISSING), _ways())),
        _loading(),
    )
    # a problem is an alert of its own
    told = rx.match(status, ("loading", "Loading the guide"), ("loaded", "The guide has loaded"), "")
    return rx.el.div(
        _banner(status, heading, guide),
        rx.el.p(told, role="status", class_name="vh"),
        shown,
        custom_attrs=inline_style(_colours(rx.cond(status == "loaded", guide.theme, "").to(str))),
    )


def guide_not_read(site: Site, problem: Any, *, again: Any, path: Any) -> rx.Component:
    """Draw what went wrong in the specification's words, and what a visitor can do; `again` tells of the retry."""
    return _plain(
        note(f"Error: {problem}", tone="bad"),
        rx.el.p(
            again,
            "If the guide does not load, ",
            A.create("try again", href=path),
            " in a minute, or call ",
            telephone_link(site.phone, number=site.tel),
            ": an adviser can answer your question.",
        ),
        _ways(),
    )


def _banner(status: rx.Var[str], heading: Any, guide: Any) -> rx.Component:
    """Draw the banner of a guide; its h1 stays one element, so that the focus on it is not lost when its words come."""
    loaded = status == "loaded"
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.cond(loaded, rx.el.p(rx.el.a(guide.tag, href=guide.listed, class_name="tag theme"))),
                rx.el.h1(heading, tab_index=-1),
                rx.cond(loaded, rx.el.p(guide.summary, class_name="lead")),
                rx.cond(loaded, rx.el.p(guide.by, class_name="by")),
                class_name="txt stack",
            ),
            rx.cond(loaded & (guide.banner.src != ""), guide_banner_picture(guide.banner)),
            class_name="wrap",
        ),
        rx.cond(loaded & (guide.banner.src == ""), _street(guide.theme)),
        class_name="banner with wide",
    )


def _street(theme: Any) -> rx.Component:
    return picture(f"/art/street-{theme}.svg", width=1440, height=250, class_name="skyline", lazy=False)


def _colours(theme: rx.Var[str]) -> dict[str, Any]:
    """Return the variables of the style sheet for a theme that only the browser knows."""
    named = THEMES.items()
    return {
        "--theme": rx.match(theme, *((one, f"var(--{name})") for one, name in named), "var(--mover)"),
        "--theme-bg": rx.match(theme, *((one, f"var(--{name}-bg)") for one, name in named), "var(--mover-bg)"),
    }


def _text(site: Site, guide: Any, advice: str) -> rx.Component:
    links = foreach(guide.headings, lambda heading: contents_entry(heading.text, heading.anchor))
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                contents_list(links),
                rx.el.article(
                    _markup(guide.html),
                    rx.el.p(more_link("See more guides", routes.GUIDES)),
                    rx.cond(guide.disclaimer != "", _markup(guide.disclaimer, "small mute")),
                    class_name="stack loose",
                ),
                contact_aside(site, "Talk it through", advice),
                class_name="side guide",
            ),
            class_name="wrap band-s",
        ),
        class_name="white",
    )


def _markup(html: Any, class_name: str = "prose") -> rx.Component:
    return rx.el.div(custom_attrs={"dangerouslySetInnerHTML": rx.Var.create({"__html": html})}, class_name=class_name)


def _plain(*content: rx.Component) -> rx.Component:
    return rx.el.div(rx.el.div(*content, class_name="wrap band-s stack"), class_name="white")


def _loading() -> rx.Component:
    """Draw the boxes of a text on its way, and a way to it that needs no socket."""
    lines = (rx.el.span(class_name="sk", custom_attrs=inline_style({"height": "20px", "width": one})) for one in LINES)
    return _plain(
        rx.el.p("Loading the guide. If it does not load, ", A.create("open it on a page of its own", href=_HERE), "."),
        rx.el.div(*lines, class_name="stack", aria_hidden="true", custom_attrs=inline_style({"maxWidth": "680px"})),
    )


def _ways() -> rx.Component:
    return rx.el.div(
        button_link("See all mortgage guides", routes.GUIDES, look="lamp"),
        button_link("Request a callback", routes.CONTACT, look="line"),
        class_name="row",
    )
