"""The search of this site: its page, and `js/site_search.js`, which searches in the browser."""

import json
from collections.abc import Iterable
from functools import partial
from typing import Any

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar

from broker import routes
from broker.components.client_scripts import TARGET, expression, script_function
from broker.components.client_values import TYPED, MemoizedSection, client_handler
from broker.components.elements import button, telephone_link
from broker.components.jinja import Content, Text, foreach
from broker.content.models.site import Site
from broker.jinja_places import template_of
from broker.pages.layout import banner, columns, layout
from broker.pages.registry import BuildInputs, Page, edge_template_page
from broker.pages.site.contact import contact_aside
from broker.site_search.index import (
    MAX_JOINED_LENGTH,
    MAX_QUERY_LENGTH,
    MIN_PART_LENGTH,
    MIN_PLURAL_LENGTH,
    MIN_SLIP_LENGTH,
    PLURALS,
    STOP_WORDS,
    WHOLE_WORD,
    SearchIndex,
    build_index,
)
from broker.site_search.view import MAX_SHOWN, QUERY, STEP, EntryGroup, EntryLink, Hit, SearchPage, page_entries

_RULES = {
    "stopWords": sorted(STOP_WORDS),
    "plurals": PLURALS,
    "minPluralLength": MIN_PLURAL_LENGTH,
    "minPartLength": MIN_PART_LENGTH,
    "minSlipLength": MIN_SLIP_LENGTH,
    "maxJoinedLength": MAX_JOINED_LENGTH,
    "maxQueryLength": MAX_QUERY_LENGTH,
    "wholeWord": WHOLE_WORD,
    "step": STEP,
    "maxShown": MAX_SHOWN,
}

_HERE = f'(new URLSearchParams(window.location.search).get("{QUERY}") ?? "").slice(0, {MAX_QUERY_LENGTH})'

_HOOKS = {
    "const place = useLocation()": None,
    'const [siteQuery, setSiteQuery] = useState("")': None,
    "const [tables, setTables] = useState(knownTables)": None,
    f"useEffect(() => setSiteQuery({_HERE}), [place])": None,
    f"useEffect(() => void loadTables('{routes.SEARCH_INDEX}').then(setTables), [siteQuery])": None,
    "const found = useMemo(() => searchSite(siteQuery, tables), [siteQuery, tables])": None,
}

_DATA = VarData(
    hooks=_HOOKS,
    imports={
        "react": [ImportVar(tag=tag) for tag in ("useState", "useEffect", "useMemo")],
        "react-router": [ImportVar(tag="useLocation")],
        f"$/{TARGET}/site_search.js": [ImportVar(tag=tag) for tag in ("knownTables", "loadTables", "siteSearcher")],
    },
)

_LABEL = "Search this site"

_EVERYTHING = "everything"
"""The id of the list of everything, which the edge fills in."""

_FOCUS_RESULTS = client_handler(rx.Var("document.getElementById('finds').focus()"))
"""Results appear while typing, so Enter moves the focus to them."""

_SUBMIT = client_handler(rx.Var("typed.target.submit()"))
"""Submits the form: Reflex prevents the default of every submit event."""

_ASK = "Tell an adviser what you are looking for. It costs nothing to ask."

_DESCRIPTION = "Search our guides, questions, calculators, rates, lenders and local brokers by word."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        Page(
            route=routes.SEARCH, title=_LABEL, description=_DESCRIPTION, render=partial(_render, inputs), indexed=False
        ),
    )


def template_pages(_: BuildInputs) -> tuple[Page, ...]:
    listed = template_of(SearchPage, "page").groups
    return (edge_template_page("search", title=_LABEL, description=_DESCRIPTION, render=lambda: _everything(listed)),)


def _value(expression: str) -> rx.Var:
    return rx.Var(expression, _var_data=_DATA)


_SEARCHED = _value("siteQuery").to(str)  # the query: from the address, then from the field

_HAS_QUERY = _value('(siteQuery.trim() !== "")').to(bool)

_IS_READY = _value("Boolean(tables.words)").to(bool)  # whether the tables have been loaded

_HAS_FAILED = _value("Boolean(tables.failed)").to(bool)  # whether that failed; the next change of the query retries

_TOTAL = _value("found.total").to(int)

_HAS_ALL_WORDS = _value("found.whole").to(bool)  # whether every result has all words of the query

_INSTEAD = _value("found.instead").to(str)  # the words that replaced those typed; empty for none

_HITS = _value("found.hits").to(list[Hit])  # the results to show, best first

_GROUPS = _value("tables.groups").to(list[EntryGroup])
"""Links to everything that can be found; none before the tables are there, in a document that has none."""


def _search_on_type() -> rx.Var:
    """Return the handler of the search field, which searches and puts the query into the address.

    It changes the entry of the history in place and without React Router, which would send the server every letter.
    Back, Forward and a reload read the address.
    """
    show = script_function("site_search", "showQuery").call(QUERY, TYPED)
    return client_handler(expression(f"(setSiteQuery({TYPED!s}), {show!s})", _DATA, show))


class _SearchSection(MemoizedSection):
    """The section that must hold every use of the values of this module: its script has the search function."""

    def add_custom_code(self) -> list[str]:
        return [f"const searchSite = siteSearcher({json.dumps(_RULES)});"]


_search_section = _SearchSection.create


def search_form(identity: str) -> rx.Component:
    """Draw a plain form that opens the search page; it works without scripts."""
    box = rx.el.input(id=identity, name=QUERY, type="search", max_length=MAX_QUERY_LENGTH)
    return _form(box, identity, class_name="panel stack tight-6 site-search", on_submit=_SUBMIT)


def site_search(site: Site) -> rx.Component:
    """Draw the search; without a query, and without scripts, it lists everything that can be found."""
    box = rx.el.input(
        id="site-search",
        name=QUERY,
        type="search",
        value=_SEARCHED,
        on_change=_search_on_type(),
        auto_complete="off",
        max_length=MAX_QUERY_LENGTH,
    )
    results = rx.cond(
        _IS_READY & (_TOTAL > 0), rx.el.ol(rx.foreach(_HITS, _result), class_name="stack loose text-width")
    )
    return _search_section(
        _form(box, "site-search", class_name="stack tight-6 text-width site-search", on_submit=_FOCUS_RESULTS),
        rx.el.p(
            "Search needs JavaScript, which isn’t running in your browser. Here is a list of every page on this site. "
            "You can look through it with Find in your browser’s menu.",
            class_name="no-script-only",
        ),
        rx.el.div(
            rx.el.p(_summary(), role="status", class_name="mute"),
            rx.cond(_HAS_QUERY, rx.fragment(rx.cond(_IS_READY & (_TOTAL == 0), _no_results(site)), results)),
            id="finds",
            tab_index=-1,
            class_name="stack",
        ),
        rx.cond(~_HAS_QUERY | ~_IS_READY, _everything(_GROUPS)),
        rx.cond(
            _HAS_FAILED & (_GROUPS.length() == 0), rx.el.p(rx.el.a("See every page on this site", href=routes.SITE_MAP))
        ),
        class_name="stack loose",
        aria_label="Search",
    )


def _form(box: rx.Component, identity: str, **attributes: Any) -> rx.Component:
    return rx.el.form(
        rx.el.label(_LABEL, html_for=identity),
        rx.el.div(
            rx.el.div(box, class_name="num"), button("Search", kind="submit", icon_name="search"), class_name="row"
        ),
        action=routes.SEARCH,
        method="get",
        role="search",
        aria_label="This site",
        **attributes,
    )


def _summary() -> rx.Var:
    """Return the sentence about the number of results, a live region for screen readers."""
    count = rx.cond(_TOTAL == 1, "1 result", _TOTAL.to_string() + " results")
    most = rx.cond(_TOTAL > MAX_SHOWN, f". These are the best {MAX_SHOWN}: add a word to see fewer.", ".")
    some = rx.cond(_HAS_ALL_WORDS, " for ", " with some of the words of ")
    instead = rx.cond(_INSTEAD == "", "", " (you typed “" + _SEARCHED + "”)")
    words = rx.cond(_INSTEAD == "", _SEARCHED, _INSTEAD)
    found = count.to(str) + some.to(str) + "“" + words.to(str) + "”" + instead.to(str) + most.to(str)
    nothing = "Nothing found for “" + _SEARCHED + "”."
    waiting = rx.cond(
        _HAS_FAILED, "We could not load the search. Here is every page on this site. Type again to retry.", "Searching."
    )
    return rx.cond(_HAS_QUERY, rx.cond(_IS_READY, rx.cond(_TOTAL == 0, nothing, found), waiting), "")


def _no_results(site: Site) -> rx.Component:
    return rx.el.p(
        "Try fewer words, or another name for the same thing. You can also look through ",
        rx.el.a("all our guides", href=routes.GUIDES),
        ", or call ",
        telephone_link(site.phone, number=site.tel),
        ": an adviser will answer, and it costs nothing to ask.",
    )


def _result(hit: Hit) -> rx.Component:
    title = rx.foreach(hit.pieces, lambda piece: rx.cond(piece.marked, rx.el.mark(piece.text), piece.text))
    return rx.el.li(
        rx.el.span(hit.kind, class_name="tag plain"),
        rx.el.h2(_link(title, hit.href), class_name="as-h4"),
        rx.el.p(hit.description),
        class_name="stack tight-6",
    )


def _everything(groups: Iterable[EntryGroup] | rx.Var) -> rx.Component:
    """Draw links to everything that can be found, in the browser or as a template."""
    return rx.el.section(foreach(groups, _group), id=_EVERYTHING, class_name="stack loose")


def _group(group: EntryGroup) -> rx.Component:
    return rx.el.section(
        rx.el.h2(group.heading, class_name="as-h3"),
        rx.el.ul(foreach(group.links, lambda link: rx.el.li(_entry(link))), class_name="columns"),
        class_name="stack",
    )


def _entry(link: EntryLink) -> rx.Component:
    return _link(link.title, link.href) if isinstance(link.href, rx.Var) else rx.el.a(link.title, href=link.href)


def _link(words: Content, href: Text) -> rx.Component:
    """Draw a link; one with a fragment loads its page, so that the browser scrolls to it."""
    return rx.el.a(words, href=href, custom_attrs={"reloadDocument": rx.Var.create(href).to(str).contains("#")})


def site_index(pages: Iterable[Page]) -> SearchIndex:
    return build_index(
        entry
        for page in pages
        if page.search
        for entry in page_entries(page.search, route=page.route, name=page.name, description=page.description)
    )


def _render(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    return layout(
        inputs,
        routes.SEARCH,
        banner("Search", "Guides, questions, calculators, rates, lenders and towns."),
        rx.el.div(columns(site_search(site), contact_aside(site, "Prefer to talk?", _ASK)), class_name="white"),
        call=False,
    )
