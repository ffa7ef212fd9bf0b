"""The page of how we calculate: each formula and rule, the rates of tax since 2021, and published figures beside ours.

The text is `data/how-we-calculate.md`; a heading there is a section here, and an entry of the contents.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import reflex as rx

from broker import routes
from broker.calculators.published_figures import Source, check_figures
from broker.calculators.published_figures_view import (
    FigureGroup,
    RateTable,
    edition,
    figure_groups,
    rate_tables,
    sources,
    summary,
)
from broker.components.elements import card_row, card_table, contents, markup, question, titled_section
from broker.components.jinja import Content
from broker.content.page_head import CALCULATORS as PICTURE
from broker.content.page_head import image_path
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page, Section
from broker.pages.site.contact import contact_aside
from broker.site_search.view import SearchWords

_TITLE = "How we calculate"
_LEAD = "Every formula and rule behind our figures, and the published figures that we check ours against."

_CONTENTS_LEVEL = 2
_FIGURES, SOURCES = "published-figures", "sources"

_BUYERS = ("A first home", "Moving home", "An additional home")
_FIGURE_HEADS = ("Published", "Ours", "Difference")


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        Page(
            route=routes.HOW_WE_CALCULATE,
            title="How we calculate mortgage payments, costs and tax",
            label=_TITLE,
            description="The formulas and rounding of our mortgage calculators and rates, tax rates since 2021, and "
            f"{len(inputs.method.figures)} published figures beside ours.",
            render=partial(_render, inputs),
            picture=image_path(PICTURE),
            section=Section.TOOLS,
            search=SearchWords(
                keywords=("method formula rounding check accuracy", *(one.text for one in inputs.method.headings)),
                html=inputs.method.html,
            ),
        ),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    method = inputs.method
    listed = [(one.text, one.anchor) for one in method.headings if one.level == _CONTENTS_LEVEL]
    listed += [("Published figures beside ours", _FIGURES), ("Who published them", SOURCES)]
    body = rx.el.div(
        markup(method.html),
        rx.el.div(*map(_rates, rate_tables())),
        _figures(inputs),
        titled_section("Who published them", SOURCES, _sources(sources(method.figures))),
        class_name="stack loose",
    )
    aside = contact_aside(inputs.store.site(), "Talk to us", "No broker fee, and asking is free.")
    return layout(
        inputs,
        routes.HOW_WE_CALCULATE,
        banner(_TITLE, _LEAD),
        rx.el.div(rx.el.div(contents(listed), body, aside, class_name="side guide"), class_name="wrap band-s"),
        call=False,
    )


def _rates(table: RateTable) -> rx.Component:
    """Draw the rates of a nation, which open, with a link to where it publishes them."""
    rows = (
        card_row((f"From {row.since}",), row.rates, heads=_BUYERS, looks=("",) * len(_BUYERS)) for row in table.rows
    )
    drawn = card_table(
        rx.el.caption(table.title, class_name="vh"), ("Completed", *_BUYERS), body=rx.fragment(*rows), words=_BUYERS
    )
    source = rx.el.a(urlsplit(table.source).netloc, href=table.source)
    published = rx.el.p("Published in full at ", source, ".", class_name="small")
    return question(f"{table.title}: rates since 2021", rx.el.div(drawn, published, class_name="prose"))


def _figures(inputs: BuildInputs) -> rx.Component:
    figures = inputs.method.figures
    check_figures(figures)
    return titled_section(
        "Published figures beside ours",
        _FIGURES,
        rx.el.p(summary(figures)),
        rx.el.p(
            "Ours are worked out again each time this site is built, by the functions that the calculators use. If one "
            "differs by more than the rounding of who published it, and we cannot say why, the build stops."
        ),
        rx.el.p(
            "We chose examples that give all their terms and add interest monthly. Examples that count by the day, or "
            "do not say how, are left out: those that we tried differ from ours by pence to a few pounds a month."
        ),
        rx.el.div(*(_group(group, is_open=not place) for place, group in enumerate(figure_groups(figures)))),
    )


def _group(group: FigureGroup, *, is_open: bool) -> rx.Component:
    """Draw the figures of a group, whose rows are data of the page's script."""
    rows = rx.Var.create([[row.asked, row.source, row.theirs, row.ours, row.difference, row.why] for row in group.rows])
    caption = rx.el.caption(group.title, class_name="vh")
    body = rx.foreach(rows.to(list[list[str]]), _row)
    table = card_table(caption, ("What was asked", *_FIGURE_HEADS), body=body)
    return question(f"{group.title} ({len(group.rows)})", rx.el.div(table), is_open=is_open)


def _row(row: Any) -> rx.Component:
    why = rx.cond(row[5], rx.fragment(rx.el.br(), rx.el.span(row[5], class_name="xs")), rx.fragment())
    name = (row[0], rx.el.br(), rx.el.span(row[1], class_name="xs mute"), why)
    return card_row(name, (row[2], row[3], row[4]), heads=_FIGURE_HEADS, looks=("n",) * len(_FIGURE_HEADS))


def _sources(listed: Sequence[Source]) -> rx.Component:
    return rx.el.ul(*(rx.el.li(*_source(source)) for source in listed), class_name="prose")


def _source(source: Source) -> tuple[Content, ...]:
    title = rx.el.a(source.title, href=source.url) if source.url else source.title
    return f"{source.publisher}: ", title, f" ({edition(source)})"
