"""The page of all calculators, in two columns, and a page for each, whose address has its inputs."""

from functools import partial

import reflex as rx

from broker import routes
from broker.components.share import share_link
from broker.domain.calculators import registry
from broker.domain.calculators.calculator import GROUP_TITLES, Calculator, Group
from broker.domain.money import number_word
from broker.domain.site_search import Kind
from broker.pages.layout import banner, columns, layout
from broker.pages.registry import BuildInputs, Page, Section, edge_template_page
from broker.presenters.site_search import SearchWords, calculator_words
from broker.presenters.social_images import CALCULATORS as PICTURE
from broker.presenters.social_images import path
from broker.sections.calculator import calculator_panel, calculator_template

LEAD = "Type a figure or move the slider. The answer changes as you go, and the working is one click away."

LABEL = "Mortgage calculators"

FIGURES = "Your figures"
"""The heading of a calculator on its own page."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    every = Page(
        route=routes.CALCULATORS,
        title=f"Mortgage calculators: {number_word(len(registry.CALCULATORS))} sums with their working",
        description="Work out what you could borrow, what a mortgage costs a month and what a remortgage saves. "
        "Every answer shows its working.",
        render=partial(_render_all, inputs),
        picture=path(PICTURE),
        label=LABEL,
        section=Section.TOOLS,
        search=SearchWords(
            kind=Kind.CALCULATOR,
            description="What you could borrow, what a mortgage costs a month and what a remortgage saves.",
        ),
    )
    return every, *(_page(inputs, calculator) for calculator in registry.CALCULATORS)


def template_pages(_: BuildInputs) -> tuple[Page, ...]:
    """Return the panels of all calculators as templates, which the export puts into the page of each."""
    return (
        edge_template_page(
            "calculators",
            title=LABEL,
            description=LEAD,
            render=lambda: rx.fragment(
                *(
                    calculator_template(calculator, heading=rx.el.h2, title=FIGURES)
                    for calculator in registry.CALCULATORS
                )
            ),
        ),
    )


def _page(inputs: BuildInputs, calculator: Calculator) -> Page:
    name = calculator.title if calculator.title.endswith("?") else f"{calculator.title} calculator"
    return Page(
        route=routes.calculator(calculator.slug),
        title=name,
        description=f"{name.rstrip('?')}: {calculator.subtitle[0].lower()}{calculator.subtitle[1:]}. With its "
        "working, and a link to share.",
        render=partial(_render, inputs, calculator),
        picture=path(PICTURE),
        label=calculator.title,
        parents=((LABEL, routes.CALCULATORS),),
        section=Section.TOOLS,
        search=calculator_words(calculator),
    )


def _render(inputs: BuildInputs, calculator: Calculator) -> rx.Component:
    return layout(
        inputs,
        routes.calculator(calculator.slug),
        banner(calculator.title, f"{calculator.subtitle}. The answer changes as you type."),
        columns(
            rx.el.div(
                calculator_panel(calculator, heading=rx.el.h2, own_title=FIGURES),
                share_link("these figures"),
                class_name="stack",
            ),
            _others(calculator.slug),
        ),
    )


def _others(current: str) -> rx.Component:
    """Draw links to the page of every calculator but the `current` one, by group.

    A link to the page itself would lose its figures, as its address has none.
    """
    groups = (
        rx.el.div(
            rx.el.p(title, class_name="small mute"),
            rx.el.ul(*(_link(one, current) for one in registry.CALCULATORS if one.group == group)),
        )
        for group, title in GROUP_TITLES.items()
    )
    return rx.el.nav(*groups, aria_label="Calculators", class_name="panel stack tight-18 calc-list")


def _link(calculator: Calculator, current: str = "", *, class_name: str = "") -> rx.Component:
    if calculator.slug == current:
        return rx.el.li(rx.el.span(calculator.title, custom_attrs={"aria-current": "page"}))
    return rx.el.li(rx.el.a(calculator.title, href=routes.calculator(calculator.slug), class_name=class_name))


def _render_all(inputs: BuildInputs) -> rx.Component:
    return layout(
        inputs,
        routes.CALCULATORS,
        banner(LABEL, LEAD),
        rx.el.div(
            rx.el.nav(
                rx.el.ul(*(_link(one, class_name="chip") for one in registry.CALCULATORS), class_name="chips jumps"),
                aria_label="Calculators",
            ),
            rx.el.div(*(_column(group, title) for group, title in GROUP_TITLES.items()), class_name="calcs"),
            class_name="wrap band-s",
        ),
    )


def _column(group: Group, title: str) -> rx.Component:
    panels = (calculator_panel(calculator) for calculator in registry.CALCULATORS if calculator.group == group)
    return rx.el.section(rx.el.h2(title, id=f"group-{group}"), *panels, aria_labelledby=f"group-{group}")
