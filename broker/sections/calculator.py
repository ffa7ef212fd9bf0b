"""A calculator on a page, computed in the browser; on its own page the address has its inputs."""

import json
from collections.abc import Callable, Iterable, Sequence

import reflex as rx

from broker import routes
from broker.calculators.calculator import INDICATIVE, Calculator
from broker.calculators.view import calculator_view
from broker.components.calculator import error_summary, panel_form, panel_heading, panel_plate, panel_working
from broker.components.calculator_panel import Panel
from broker.components.client_values import memoized_section
from broker.components.foreach import foreach
from broker.components.shared_component import component_on_demand, shared_component
from broker.presenters.jinja import Placeholder, placeholders
from broker.presenters.page_parts import LinkView
from broker.sections.calculator_values import CalculatorValues


def calculator_panel(
    calculator: Calculator,
    *,
    scope: str = "",
    heading: Callable[..., rx.Component] = rx.el.h3,
    own_title: str = "",
    is_brief: bool = False,
) -> rx.Component:
    """Draw a calculator as a panel; `scope` separates its values from those of the same calculator elsewhere.

    On its own page it has `own_title` in place of its title, and the address has its values. A brief one has its charts
    in the working.
    """
    return shared_component(_panel, calculator, scope, heading, own_title, is_brief)


def calculators_on_demand(
    slugs: Iterable[str] | rx.Var, links: Iterable[LinkView], *, calculators: Sequence[Calculator]
) -> list[rx.Component]:
    """Draw those of the calculators whose slugs the page of the moment lists; without scripts `links` to their pages.

    Only the scripts of the listed ones are loaded.
    """
    plain = rx.el.noscript(rx.el.ul(foreach(links, lambda link: rx.el.li(rx.el.a(link.label, href=link.href)))))
    if isinstance(slugs, Placeholder):
        return [plain]
    if not isinstance(slugs, rx.Var):
        return [plain, *(calculator_panel(each) for each in calculators if each.slug in slugs)]
    listed = slugs.to(list)
    panels = (
        rx.cond(listed.contains(each.slug), component_on_demand(_panel, each, "", rx.el.h3, "", False))
        for each in calculators
    )
    return [plain, *panels]


def _panel(
    calculator: Calculator, scope: str, heading: Callable[..., rx.Component], title: str, is_brief: bool
) -> rx.Component:
    values = CalculatorValues(calculator, scope, path=routes.calculator(calculator.slug) if title else "")
    return memoized_section(
        values.values.state,
        values.seen.state,
        *values.figures(),
        *panel_content(values.panel(), heading, title=title, is_brief=is_brief),
        id=values.prefix,
        on_mount=values.mount(),
        class_name="panel stack",
        aria_labelledby=rx.Var(json.dumps(values.heading_id), _var_data=values.address_effect()).to(str),
    )


def calculator_template(calculator: Calculator, *, heading: Callable[..., rx.Component], title: str) -> rx.Component:
    """Draw the panel as a template: the edge fills it with a `calculator_view` of the name `panel`."""
    view = placeholders(calculator_view(calculator, {}), "panel", fixed={"per", "tone", "subject", "heads"})
    panel = Panel(calculator=calculator, view=view, prefix=calculator.slug)
    return rx.el.section(
        *panel_content(panel, heading, title=title),
        id=panel.prefix,
        class_name="panel stack",
        aria_labelledby=f"{panel.prefix}-title",
    )


def panel_content(
    panel: Panel, heading: Callable[..., rx.Component], *, title: str, is_brief: bool = False
) -> list[rx.Component]:
    """Draw what stands in a calculator's section."""
    return [
        panel_heading(panel, title, heading=heading),
        *([error_summary(panel)] if title else []),
        panel_form(panel, has_pdf=bool(title)),
        panel_plate(panel),
        panel_working(panel, is_brief=is_brief),
        rx.el.p(INDICATIVE, class_name="xs mute"),
    ]


def quick_repayment(calculator: Calculator, *, title: str) -> rx.Component:
    """Draw the repayment calculator for a banner: fields and answer, without chart or working."""
    values = CalculatorValues(calculator, "quick")
    panel = values.panel()
    return memoized_section(
        values.values.state,
        values.seen.state,
        *values.figures(),
        rx.el.div(
            rx.el.h2(title, id="quick-title", class_name="as-h3"),
            rx.el.span("Repayment", class_name="tag plain"),
            class_name="row between",
        ),
        panel_form(panel, tight=True),
        panel_plate(panel),
        rx.el.p(INDICATIVE, class_name="xs mute"),
        on_mount=values.mount("quick-title"),
        class_name="panel stack",
        aria_labelledby="quick-title",
    )
