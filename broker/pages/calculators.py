"""The page of all calculators, in two columns."""

from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements.text import jump_link
from broker.domain.calculators import registry
from broker.domain.calculators.calculator import GROUP_TITLES, Group
from broker.domain.money import number_word
from broker.domain.site_search import Kind
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page, Section
from broker.presenters.site_search import SearchWords, calculator_entries
from broker.presenters.social_images import CALCULATORS as PICTURE
from broker.presenters.social_images import path
from broker.sections.calculator import calculator_panel

LEAD = "Type a figure or move the slider. The answer changes as you go, and the working is one click away."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        Page(
            route=routes.CALCULATORS,
            title=f"Mortgage calculators: {number_word(len(registry.CALCULATORS))} sums with their working",
            description="Work out what you could borrow, what a mortgage costs a month and what a remortgage saves. "
            "Every answer shows its working.",
            render=partial(_render, inputs),
            picture=path(PICTURE),
            label="Mortgage calculators",
            section=Section.TOOLS,
            search=SearchWords(
                kind=Kind.CALCULATOR,
                description="What you could borrow, what a mortgage costs a month and what a remortgage saves.",
                places=calculator_entries(registry.CALCULATORS),
            ),
        ),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    jumps = (
        rx.el.li(jump_link(calculator.title, calculator.slug, class_name="chip")) for calculator in registry.CALCULATORS
    )
    return layout(
        inputs,
        routes.CALCULATORS,
        banner("Mortgage calculators", LEAD),
        rx.el.div(
            rx.el.nav(rx.el.ul(*jumps, class_name="chips jumps"), aria_label="Calculators on this page"),
            rx.el.div(*(_column(group, title) for group, title in GROUP_TITLES.items()), class_name="calcs"),
            class_name="wrap band-s",
        ),
    )


def _column(group: Group, title: str) -> rx.Component:
    panels = (calculator_panel(calculator) for calculator in registry.CALCULATORS if calculator.group == group)
    return rx.el.section(rx.el.h2(title, id=f"group-{group}"), *panels, aria_labelledby=f"group-{group}")
