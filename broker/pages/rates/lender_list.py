"""The list of all lenders, from A to Z, with a link to each letter and a filter."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

import reflex as rx

from broker import routes
from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler
from broker.components.elements.picture import picture
from broker.components.elements.text import jump_link
from broker.components.forms.field import field
from broker.components.forms.fields import Segment, segmented
from broker.components.forms.post_form import PostForm
from broker.content.models.lenders import LenderText
from broker.content.store import lender_text
from broker.domain.rates.customers import default_query
from broker.domain.rates.lenders import KnownLender
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page, Section
from broker.presenters.rates.search_params import search_address
from broker.presenters.site_search import SearchWords
from broker.presenters.social_images import LENDERS, path

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


def lender_list(inputs: BuildInputs) -> Page:
    return Page(
        route=routes.LENDERS,
        title="Mortgage lenders, A to Z",
        label="All lenders",
        section=Section.LENDERS,
        search=SearchWords(
            title="Mortgage lenders, A to Z",
            description="Every lender whose rates we show: banks, building societies and specialists.",
        ),
        description="Every lender whose rates we show: banks, building societies and specialists, each with its deals, "
        "APRC, fees and true cost.",
        render=partial(_render_list, inputs),
        lastmod=max(
            (text_of(inputs, lender).updated.isoformat() for lender in inputs.lenders if lender.slug), default=""
        ),
        picture=path(LENDERS),
    )


def _render_list(inputs: BuildInputs) -> rx.Component:
    count = sum(lender.lender_id > 0 for lender in inputs.lenders)
    groups = _by_letter(inputs.lenders)
    return layout(
        inputs,
        routes.LENDERS,
        banner(
            "Mortgage lenders, A to Z",
            f"Rates from {count} lenders. Choose one to see its deals, with the APRC, fees and true cost of each.",
        ),
        rx.el.div(
            _filter(len(inputs.lenders)),
            _letters(groups),
            rx.el.div(
                *(_group(letter, listed) for letter, listed in groups.items()), id=LIST, class_name="stack loose"
            ),
            class_name="wrap band-s stack loose a-to-z",
        ),
    )


def _by_letter(lenders: Iterable[KnownLender]) -> dict[str, list[KnownLender]]:
    """Return the lenders by the first letter of their names, in the order of the alphabet."""
    groups: dict[str, list[KnownLender]] = {}
    for lender in sorted(lenders, key=lambda each: each.name.casefold()):
        groups.setdefault(lender.name[:1].upper(), []).append(lender)
    return groups


def _filter(count: int) -> rx.Component:
    """Draw the filter, which works in the browser alone; without scripts the letters do."""
    submitted = rx.Var("typed.preventDefault()")
    box = rx.el.input(id="lender-name", name="q", type="search", auto_complete="off")
    return PostForm.create(
        field("Name of the lender", rx.el.div(box, class_name="num"), identity="lender-name"),
        segmented("Kind of lender", _KINDS, name="kind", chosen=""),
        segmented("Lends on", _PROPERTY, name="property", chosen=""),
        rx.el.p(f"{count} of {count} shown", class_name="small mute", role="status"),
        method="get",
        action=routes.LENDERS,
        on_change=client_handler(script_function("list_filter", "filterEntries").call(FORM, LIST)),
        on_submit=client_handler(submitted),
        id=FORM,
        class_name="panel g3 needs-script",
        role="search",
        aria_label="Filter the lenders",
    )


def _letters(groups: Mapping[str, object]) -> rx.Component:
    links = (jump_link(letter, _anchor(letter), class_name="chip") for letter in groups)
    return rx.el.nav(*links, class_name="chips", aria_label="Lenders by letter")


def _anchor(letter: str) -> str:
    return f"letter-{letter.casefold()}"


def _group(letter: str, lenders: Iterable[KnownLender]) -> rx.Component:
    return rx.el.section(
        rx.el.h2(letter),
        rx.el.ul(
            *(rx.el.li(_entry(lender), custom_attrs={"data-words": _words(lender)}) for lender in lenders),
            class_name="lenders",
        ),
        id=_anchor(letter),
        class_name="stack",
    )


def _words(lender: KnownLender) -> str:
    """Return what the filter searches for: the name, and the values of the choices that a lender fits."""
    kind = f"kind-{lender.kind}" if lender.kind else ""
    homes, let = "on-homes" if lender.residential else "", "on-let" if lender.buy_to_let else ""
    return " ".join(word for word in (lender.name.lower(), kind, homes, let) if word)


def text_of(inputs: BuildInputs, lender: KnownLender) -> LenderText:
    return lender_text(
        inputs.store, slug=lender.slug, name=lender.name, kind=lender.kind, residential=lender.residential
    )


def _entry(lender: KnownLender) -> rx.Component:
    """Draw a link to a lender's page, or to the search for its deals where it has no page."""
    if not lender.slug:
        return rx.el.a(lender.name, href=search_address(replace(default_query(""), lender_id=lender.lender_id)))
    mark = picture(f"/art/lender-{lender.slug}.svg", width=118, height=48)
    return rx.el.a(rx.el.span(mark, class_name="logo"), lender.name, href=routes.lender(lender.slug))
