"""The list of all lenders, from A to Z, with a link to each letter and a filter: data, like the lenders themselves."""

from functools import partial
from typing import Any

import reflex as rx

from broker import routes
from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler
from broker.components.elements import jump_link, picture
from broker.components.forms.fields import Segment, field, segmented
from broker.components.forms.post_form import PostForm
from broker.components.jinja import foreach, when_text
from broker.content.models.lenders import LenderText
from broker.content.models.site import Site
from broker.content.page_head import LENDERS, path
from broker.content.store import lender_text
from broker.lenders.lender import KnownLender
from broker.lenders.page_view import LendersPage, LetterGroup, ListedLender, lenders_page
from broker.pages.head import MODIFIED
from broker.pages.layout import banner, call_band
from broker.pages.registry import BuildInputs, DataPage, Page, Section
from broker.site_search.view import SearchWords

LENDER_LIST = "lenders"
"""The template of the list."""

TITLE = "Mortgage lenders, A to Z"

FORM, LIST = "lender-filter", "lender-list"

_KINDS = (
    Segment(value="", label="Any kind"),
    Segment(value="kind-bank", label="Banks"),
    Segment(value="kind-building-society", label="Societies"),
    Segment(value="kind-specialist", label="Specialists"),
)
_PROPERTY = (
    Segment(value="", label="Any property"),
    Segment(value="on-homes", label="Homes"),
    Segment(value="on-let", label="Let property"),
)
"""Choices of the filter; their values are among the words of an entry."""


def data_pages(inputs: BuildInputs) -> tuple[DataPage, ...]:
    """Return the kind of the list."""
    draw = partial(_draw, inputs.store.site())
    return (DataPage(name=LENDER_LIST, view=LendersPage, draw=draw, dates=(MODIFIED,), is_list=True),)


def lender_list(inputs: BuildInputs) -> Page:
    return Page(
        route=routes.LENDERS,
        template=LENDER_LIST,
        view=lambda head: lenders_page(inputs.lenders, head=head),
        title=TITLE,
        label="All lenders",
        section=Section.LENDERS,
        search=SearchWords(
            title=TITLE, description="Every lender whose rates we show: banks, building societies and specialists."
        ),
        description="Every lender whose rates we show: banks, building societies and specialists, each with its deals, "
        "APRC, fees and true cost.",
        lastmod=max(
            (text_of(inputs, lender).updated.isoformat() for lender in inputs.lenders if lender.slug), default=""
        ),
        picture=path(LENDERS),
    )


def _draw(site: Site, page: LendersPage | Any) -> rx.Component:
    letters = foreach(page.groups, lambda group: jump_link(group.letter, group.anchor, class_name="chip"))
    return rx.fragment(
        banner(TITLE, page.lead),
        rx.el.div(
            _filter(page.count),
            rx.el.nav(letters, class_name="chips", aria_label="Lenders by letter"),
            rx.el.div(foreach(page.groups, _group), id=LIST, class_name="stack loose"),
            class_name="wrap band-s stack loose a-to-z",
        ),
        call_band(site),
    )


def _filter(count: Any) -> rx.Component:
    """Draw the filter, which works in the browser alone; without scripts the letters do."""
    submitted = rx.Var("typed.preventDefault()")
    box = rx.el.input(id="lender-name", name="q", type="search", auto_complete="off")
    return PostForm.create(
        field("Name of the lender", rx.el.div(box, class_name="num"), identity="lender-name"),
        segmented("Kind of lender", _KINDS, name="kind", chosen=""),
        segmented("Lends on", _PROPERTY, name="property", chosen=""),
        rx.el.p(count, class_name="small mute", role="status"),
        method="get",
        action=routes.LENDERS,
        on_change=client_handler(script_function("list_filter", "filterEntries").call(FORM, LIST)),
        on_submit=client_handler(submitted),
        id=FORM,
        class_name="panel g3 needs-script",
        role="search",
        aria_label="Filter the lenders",
    )


def _group(group: LetterGroup | Any) -> rx.Component:
    return rx.el.section(
        rx.el.h2(group.letter),
        rx.el.ul(foreach(group.lenders, _entry), class_name="lenders"),
        id=group.anchor,
        class_name="stack",
    )


def _entry(lender: ListedLender | Any) -> rx.Component:
    logo = rx.el.span(picture(lender.logo, width=118, height=48), class_name="logo")
    link = rx.el.a(when_text(lender.logo, logo), lender.name, href=lender.href)
    return rx.el.li(link, custom_attrs={"data-words": lender.words})


def text_of(inputs: BuildInputs, lender: KnownLender) -> LenderText:
    return lender_text(
        inputs.store, slug=lender.slug, name=lender.name, kind=lender.kind, residential=lender.residential
    )
