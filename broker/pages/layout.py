"""Page layout: skip link, cookie notice, header, breadcrumb bar, main, contact banner, footer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from broker import routes
from broker.components.client_scripts import shared_component
from broker.components.elements import drawing, inline_style, jump_link, markup
from broker.components.jinja import class_if, foreach, has_text, set_attribute, when_text
from broker.content.menus import MenuLink, deal_links, menu_links
from broker.content.models.pages import ContentPage, FrontPage
from broker.content.models.pictures import Picture
from broker.content.models.site import Site
from broker.content.page_parts import BannerView, banner_view, theme_style
from broker.content.store import ContentStore
from broker.pages.registry import BuildInputs
from broker.pages.site.contact import (
    banner_picture,
    connection_toast,
    contact_banner,
    cookie_notice,
    icon_picture,
    storage_notice,
)
from broker.pages.site.frame import footer, header

FRAME = "frame"
"""Name of the script chunk of header, footer and notices."""

NO_PICTURE = BannerView()


@dataclass(frozen=True, slots=True, kw_only=True)
class Crumb:
    """An entry of a service's breadcrumb bar."""

    label: str
    href: str


def layout(
    inputs: BuildInputs,
    path: str,
    *content: rx.Component,
    theme: str = "",
    service: str = "",
    crumbs: Sequence[Crumb] = (),
    bar: rx.Component | None = None,
    colours: Mapping[str, Any] | None = None,
    call: bool = True,
) -> rx.Component:
    """Draw a page around its content, or nothing when the main menu is missing (specification 2).

    The colours are those of the content for `service` (a slug), else of `theme`, or `colours`, which are CSS
    variables. `bar` is a breadcrumb bar that is not of `crumbs`.
    """
    store = inputs.store
    main_menu = store.menus().main
    if main_menu is None:
        return rx.fragment()
    site = store.site()
    return rx.el.div(
        jump_link("Skip to main content", "main", class_name="skip"),
        shared_component(cookie_notice, script=FRAME),
        shared_component(storage_notice, script=FRAME),
        header(site, menu_links(main_menu.items), path=path),
        shared_component(connection_toast, script=FRAME),
        bar or crumb_bar(crumbs, path),
        rx.el.main(*content, *([call_band(site)] if call else []), id="main", class_name="page", tab_index=-1),
        shared_component(footer, site, footer_columns(store), script=FRAME),
        custom_attrs=inline_style(colours or theme_style(theme, store.look(service))),
        class_name="site",
    )


def call_band(site: Site) -> rx.Component:
    """Draw the band that ends a page with how to reach us."""
    return shared_component(contact_banner, site, script=FRAME)


def footer_columns(store: ContentStore) -> tuple[tuple[MenuLink, ...], ...]:
    """Return the footer's columns of menus, each a group of links (specification 2, and our deals)."""
    menus = store.menus()
    tools = tools_group(menu_links(menus.main.items if menus.main else ()))
    listed = {link.href for link in tools.links} if tools else set[str]()
    deals = tuple(link for link in deal_links(store.deal_pages()) if link.href not in listed)
    services = MenuLink(label="Services", href="", links=menu_links(menus.promotion_services.items))
    company = MenuLink(label="Company", href="", links=menu_links(menus.footer.items))
    return (services, MenuLink(label="Deals", href="", links=deals)), *([(tools,)] if tools else []), (company,)


def tools_group(links: Sequence[MenuLink]) -> MenuLink | None:
    """Return the group of the main menu that holds the rates search, whatever its label; None without one."""
    return next((group for group in links if any(link.href == routes.RATES for link in group.links)), None)


def banner(
    title: Any,
    lead: Any,
    *more: rx.Component,
    door: str = "",
    picture: BannerView | Any = NO_PICTURE,
    icon: Picture | None = None,
) -> rx.Component:
    """Draw a page's banner: icon, h1 and lead paragraph if there is one, beside a picture or a drawn door."""
    art = drawing(f"door-{door}", width=150, height=200, class_name="door", lazy=False) if door else None
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                *([icon_picture(icon, "service-icon", width=56, lazy=False)] if icon else []),
                rx.el.h1(title, tab_index=-1),
                when_text(lead, rx.el.p(lead, class_name="lead")),
                *more,
                class_name="txt stack",
            ),
            banner_picture(picture, art),
            class_name="wrap",
        ),
        class_name=class_if(has_text(picture.src), "banner with wide", otherwise="banner with" if door else "banner"),
    )


def content_banner(inputs: BuildInputs, page: ContentPage, *, author: str = "") -> rx.Component:
    """Draw the banner of a page of the content, with the day it was updated."""
    updated = rx.el.p(f"{author}Updated on {page.updated:%-d %B, %Y}", class_name="by")
    return banner(page.title, page.summary, updated, picture=banner_view(inputs.store.banner(page.path)))


def front_text(page: FrontPage) -> list[rx.Component]:
    """Draw the text at the end of a front page, if it has one."""
    return [rx.el.div(rx.el.div(markup(page.html), class_name="wrap"), class_name="band-s")] if page.html else []


def columns(*content: rx.Component, look: str = "side") -> rx.Component:
    """Draw a band of columns: a text, and what stands beside it."""
    return rx.el.div(rx.el.div(*content, class_name=look), class_name="wrap band-s")


def crumb_bar(crumbs: Sequence[Crumb], path: str) -> rx.Component:
    """Draw the breadcrumb bar with `path` as the current page, or nothing without entries."""
    if not crumbs:
        return rx.fragment()
    entries = (
        rx.el.li(
            rx.el.a(crumb.label, href=crumb.href, custom_attrs={"aria-current": "page"} if crumb.href == path else {})
        )
        for crumb in crumbs
    )
    return _bar(*entries, label=f"{crumbs[0].label} section")


def links_bar(links: Any, *, label: str) -> rx.Component:
    """Draw the breadcrumb bar of links that the browser or the edge knows."""
    return _bar(foreach(links, _link), label=label)


def _link(link: Any) -> rx.Component:
    in_browser = {"aria-current": rx.cond(link.is_here, "page", rx.Var("undefined"))}
    here = set_attribute("aria-current", link.is_here, otherwise=in_browser)
    return rx.el.li(rx.el.a(link.label, href=link.href, custom_attrs=here))


def _bar(*entries: rx.Component, label: str) -> rx.Component:
    return rx.el.nav(rx.el.div(rx.el.ul(*entries), class_name="wrap"), class_name="crumbs", aria_label=label)


def service_crumbs(title: str, slug: str, *, customer: str) -> tuple[Crumb, ...]:
    """Return the breadcrumb bar of a service: its page, guides and rates (specification 2)."""
    return (
        Crumb(label=title, href=routes.service(slug)),
        Crumb(label="Guides", href=routes.guides(slug)),
        Crumb(label="Rates", href=routes.deals(customer)),
    )
