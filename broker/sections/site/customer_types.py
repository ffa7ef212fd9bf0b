"""The five customer types of the home page, each drawn as a front door (DESIGN 1)."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import reflex as rx

from broker import routes
from broker.components.elements.picture import drawing
from broker.components.inline_style import inline_style
from broker.content.models.pages import Service, ServiceLook
from broker.presenters.themes import theme_style

Looks: TypeAlias = Callable[[str], ServiceLook | None]
"""Function that returns the look of a service by its slug."""

HOME_SERVICES = ("first-time-buyer", "home-mover", "remortgaging", "buy-to-let", "protection-needs")


def customer_types(services: Sequence[Service], look: Looks) -> rx.Component:
    """Draw the doors of the five services of the main menu, each in its own colour or that of the content."""
    named = {service.slug: service for service in services}
    return rx.el.div(*(_door(named[slug], look(slug)) for slug in HOME_SERVICES if slug in named), class_name="doors")


def _door(service: Service, look: ServiceLook | None) -> rx.Component:
    return rx.el.a(
        drawing(f"door-{service.slug}", width=150, height=200, class_name="door"),
        rx.el.div(rx.el.h3(service.short_title), rx.el.p(service.summary)),
        href=routes.service(service.slug),
        custom_attrs=inline_style(theme_style(service.theme, look)),
    )
