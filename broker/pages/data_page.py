"""The two pages of each kind of data pages: the template that the edge fills, and what React draws in its place."""

from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import Any, get_type_hints

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.components.client_scripts import effect, expression, script_function, var_data
from broker.components.elements import button_link, inline_style, note, telephone_link
from broker.components.jinja import foreach
from broker.content.models.site import Site
from broker.jinja_places import template_of
from broker.pages.layout import layout
from broker.pages.registry import BuildInputs, DataPage, linked_data

_LOADED, _FAILED, _MISSING = "loaded", "failed", "missing"

_FAILURE = "We could not load this page"
_AGAIN = "We will try again in 5 seconds. "
_ON_ITS_WAY, _NOT_FOUND = "Loading the page", "We can’t find that page"
_UNKNOWN = "There is no page at this address. It may have moved, or there may be a mistake in the address."

_LINES = ("46%", "100%", "97%", "92%", "58%", "38%", "100%", "94%", "99%", "71%")
"""The lines of a page on its way: a heading and a paragraph, twice."""

_PATH = rx.Var(
    "path",
    _var_data=VarData(
        hooks={"const {pathname: path} = useLocation()": None}, imports={"react-router": [ImportVar(tag="useLocation")]}
    ),
).to(str)

_PAGE = "page"
"""The name of the view in a template."""


def shape(view: type) -> str:
    """Return a short text that differs for views of other fields: a page of another release may have those."""
    return sha256(repr(_fields(view)).encode()).hexdigest()[:8]


def _fields(view: Any) -> Any:
    hints = get_type_hints(view)
    return [(each.name, _described(hints[each.name])) for each in fields(view)]


def _described(hint: Any) -> Any:
    if isinstance(hint, type) and is_dataclass(hint):
        return _fields(hint)
    parts = getattr(hint, "__args__", ())
    return [str(getattr(hint, "__name__", hint)), *map(_described, parts)]


class PageInBrowser:
    """The page at the current address: its status, its view, or the problem."""

    def __init__(self, view: type) -> None:
        script = "data_page"
        subscribe, page_at = script_function(script, "subscribeToPages"), script_function(script, "pageAt")
        opened = script_function(script, "openPage").call(_PATH, shape(view))
        here = f"() => {page_at.call(_PATH)!s}"
        store = f"const shown = useSyncExternalStore({subscribe!s}, {here}, {here})"
        react = ("useSyncExternalStore", "useEffect")
        data = var_data(_PATH, subscribe, page_at.call(_PATH), hooks=(store,), react=react)
        self.view: Any = expression("shown.page", data).to(view)
        self.status = expression("shown.status", data).to(str)
        self.problem = expression("shown.problem", data).to(str)
        self.again = expression("shown.again", data).to(bool)
        title = rx.match(
            self.status, (_LOADED, self.view.head.title), (_FAILED, _FAILURE), (_MISSING, _NOT_FOUND), _ON_ITS_WAY
        )
        self.title = rx.Var.create(title).to(str)
        """The title of the window."""
        self.path = _PATH
        """The status, with the effect that reads the page; for the one component that is always drawn."""
        self.opening = expression("shown.status", data, effect(opened, opened, after=(_PATH,))).to(str)


def _page_in_browser(site: Site, page: PageInBrowser, *, drawn: rx.Component) -> rx.Component:
    """Draw `drawn` once the page is loaded, and before that placeholders or the problem."""
    return rx.fragment(
        rx.match(
            page.opening,
            (_LOADED, drawn),
            (_FAILED, rx.fragment(_banner(_FAILURE), _failed(site, page))),
            (_MISSING, rx.fragment(_banner(_NOT_FOUND), _plain(rx.el.p(_UNKNOWN), _ways()))),
            rx.fragment(_banner(_ON_ITS_WAY), _loading(page)),
        )
    )


def _banner(heading: str) -> rx.Component:
    return rx.el.div(
        rx.el.div(rx.el.div(rx.el.h1(heading, tab_index=-1), class_name="txt stack"), class_name="wrap"),
        class_name="banner",
    )


def _failed(site: Site, page: PageInBrowser) -> rx.Component:
    """Draw the problem in the specification's words, and what a visitor can do."""
    return _plain(
        rx.cond(page.problem != "", note(f"Error: {page.problem}", tone="bad")),
        rx.el.p(
            rx.cond(page.again, _AGAIN, ""),
            "If it does not load, ",
            A.create("try again", href=page.path),
            " in a minute, or call ",
            telephone_link(site.phone, number=site.tel),
            ": an adviser can answer your question.",
        ),
        _ways(),
    )


def _loading(page: PageInBrowser) -> rx.Component:
    """Draw placeholder lines, and a link to the page that needs no script."""
    lines = (rx.el.span(class_name="sk", custom_attrs=inline_style({"height": "20px", "width": one})) for one in _LINES)
    return _plain(
        rx.el.p("If it does not load, ", A.create("open it on a page of its own", href=page.path), ".", role="status"),
        rx.el.div(*lines, class_name="stack", aria_hidden="true", custom_attrs=inline_style({"maxWidth": "680px"})),
    )


def _plain(*content: rx.Component) -> rx.Component:
    return rx.el.div(rx.el.div(*content, class_name="wrap band-s stack"), class_name="white")


def _ways() -> rx.Component:
    return rx.el.div(
        button_link("Search the site", routes.SEARCH, look="lamp"),
        button_link("Request a callback", routes.CONTACT, look="line"),
        class_name="row",
    )


def template(inputs: BuildInputs, page: DataPage) -> rx.Component:
    view: Any = template_of(page.view, _PAGE)
    bar = page.bar(view) if page.bar else None
    return _page(inputs, page, page.draw(view), view=view, bar=bar)


def in_browser(inputs: BuildInputs, page: DataPage, *, shown: PageInBrowser) -> rx.Component:
    """Draw the page of a kind at the current address: the same elements, of a view in the browser."""
    drawn = _page_in_browser(inputs.store.site(), shown, drawn=page.draw(shown.view))
    bar = rx.cond(shown.status == "loaded", page.bar(shown.view)) if page.bar else None
    return _page(inputs, page, drawn, view=shown.view, bar=bar)


def _page(
    inputs: BuildInputs, page: DataPage, drawn: rx.Component, *, view: Any, bar: rx.Component | None
) -> rx.Component:
    colours = page.colours(view) if page.colours else None
    site = layout(inputs, page.path, drawn, bar=bar, colours=colours, call=False)
    return rx.fragment(site, foreach(view.head.data, linked_data))
