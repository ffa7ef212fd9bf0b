"""Page layout: skip link, notices, header, breadcrumb bar, main, contact banner, footer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx
from reflex_components_core.core.banner import has_too_many_connection_errors

from broker import routes
from broker.components.client_scripts import effect, expression, script_function, shared_component
from broker.components.elements import (
    banner_picture,
    button,
    button_link,
    drawing,
    icon,
    icon_picture,
    inline_style,
    jump_link,
    logo_picture,
    markup,
    telephone_link,
    toast,
    visually_hidden,
)
from broker.components.forms.figures import clear_figures
from broker.components.jinja import Content, Shown, Text, class_if, foreach, has_text, set_attribute, when_text
from broker.content.menus import MenuLink, deal_links, menu_links
from broker.content.models.pages import ContentPage, FrontPage
from broker.content.models.pictures import Picture
from broker.content.models.site import Site
from broker.content.page_parts import BannerView, banner_view, theme_style
from broker.content.store import ContentStore
from broker.pages.registry import BuildInputs
from broker.pages.site.contact import contact_banner

FRAME = "frame"
"""Name of the script chunk of header, footer and notices."""

_NO_PICTURE = BannerView()

_MENU_ID = "menu"
"""Id of the header's last element. Where a slow line ends in the middle of the header, nothing is drawn before it."""

_LOGO_HEIGHT, _LOGO_WIDTH = 28, 300
"""Height and greatest width of a logo in CSS pixels, without the space around it, as in the stylesheet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crumb:
    label: str
    href: str


def layout(
    inputs: BuildInputs,
    path: str,
    *content: rx.Component,
    theme: str = "",
    service: str = "",
    crumbs: Sequence[_Crumb] = (),
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
        shared_component(footer, site, _footer_columns(store), script=FRAME),
        custom_attrs=inline_style(colours or theme_style(theme, store.look(service))),
        class_name="site",
    )


def connection_toast() -> rx.Component:
    """Draw the notice of a lost connection, with the effect that opens terms of the glossary on every page."""
    lost = toast(
        "Connection lost.", "The calculators still work, and we’ve kept what you typed. Reconnecting.", icon_name="wifi"
    )
    opened = script_function("terms", "openTerms").call()
    look = expression('"toast-slot"', effect(opened, opened)).to(str)
    return rx.el.div(rx.cond(has_too_many_connection_errors, lost), class_name=look, aria_live="polite")


def storage_notice() -> rx.Component:
    """Draw the notice of a browser that stores nothing; `server/js/head.js` shows it once a visit."""
    return rx.el.p(
        "Your browser doesn’t let this site store anything. Everything works, but we can’t remember your figures once "
        "you reload a page or close it.",
        class_name="storage-notice",
    )


def cookie_notice() -> rx.Component:
    """Draw the notice in the specification's words; the head script hides it before the first paint."""
    return rx.el.section(
        rx.el.div(
            rx.el.p(
                "Our site uses cookies. By continuing to use our site you are agreeing to our ",
                rx.el.a("cookie policy", href=routes.COOKIES),
            ),
            rx.el.form(
                button("Accept & Close", look="lamp s", kind="submit"), method="post", action=routes.COOKIE_NOTICE
            ),
            class_name="wrap",
        ),
        class_name="cookie dark",
        aria_label="Cookie notice",
    )


def call_band(site: Site) -> rx.Component:
    return shared_component(contact_banner, site, script=FRAME)


def _footer_columns(store: ContentStore) -> tuple[tuple[MenuLink, ...], ...]:
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
    title: Content,
    lead: Text,
    *more: rx.Component,
    door: str = "",
    scene: str = "",
    picture: Shown[BannerView] = _NO_PICTURE,
    icon: Picture | None = None,
) -> rx.Component:
    """Draw a page's banner: icon, h1 and lead paragraph if there is one, beside a picture, a drawn door or a scene."""
    art = drawing(f"door-{door}", width=150, height=200, class_name="door", lazy=False) if door else None
    art = drawing(scene, width=420, height=240, class_name="banner-pic", lazy=False) if scene else art
    look = "banner with wide" if scene else "banner with" if door else "banner"
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
        class_name=class_if(has_text(picture.src), "banner with wide", otherwise=look),
    )


_SCENES = {routes.ABOUT: "office", routes.REVIEWS: "call"}
"""The drawings in the banners of pages, where the content has no picture."""


def content_banner(inputs: BuildInputs, page: ContentPage, *, author: str = "") -> rx.Component:
    updated = rx.el.p(f"{author}Updated on {page.updated:%-d %B, %Y}", class_name="by")
    shown = banner_view(inputs.store.banner(page.path))
    return banner(page.title, page.summary, updated, picture=shown, scene=_SCENES.get(page.path, ""))


def front_text(page: FrontPage) -> list[rx.Component]:
    return [rx.el.div(rx.el.div(markup(page.html), class_name="wrap"), class_name="band-s")] if page.html else []


def columns(*content: rx.Component, look: str = "side") -> rx.Component:
    """Draw a band of columns: a text and its aside."""
    return rx.el.div(rx.el.div(*content, class_name=look), class_name="wrap band-s")


def crumb_bar(crumbs: Sequence[_Crumb], path: str) -> rx.Component:
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


def service_crumbs(title: str, slug: str, *, customer: str) -> tuple[_Crumb, ...]:
    """Return the breadcrumb bar of a service: its page, guides and rates (specification 2)."""
    return (
        _Crumb(label=title, href=routes.service(slug)),
        _Crumb(label="Guides", href=routes.guides(slug)),
        _Crumb(label="Rates", href=routes.deals(customer)),
    )


def brand(site: Site, *, on_dark: bool = False) -> rx.Component:
    first, _, rest = site.name.partition(" ")
    return rx.el.a(
        drawing("mark-on-dark" if on_dark else "mark", width=36, height=40, class_name="mark", lazy=on_dark),
        rx.el.span(first, rx.el.small(rest)),
        href=routes.HOME,
        class_name="brand",
    )


def header(site: Site, links: tuple[MenuLink, ...], *, path: str) -> rx.Component:
    """Draw the header; menus mark `path` as the current page."""
    listed = {routes.SEARCH, *(link.href for group in links for link in (group, *group.links))}
    return shared_component(_header, site, links, path if path in listed else "")


def _header(site: Site, links: tuple[MenuLink, ...], path: str) -> rx.Component:
    return rx.el.header(
        rx.el.link(rel="expect", href=f"#{_MENU_ID}", custom_attrs={"blocking": "render"}),
        rx.el.div(
            brand(site),
            rx.el.nav(*(_wide(link, path) for link in links), _search_link(path), class_name="nav", aria_label="Main"),
            telephone_link(
                icon("phone"),
                rx.el.span(site.phone),
                number=site.tel,
                class_name="tel",
                label=f"Call us on {site.phone}",
            ),
            button_link("Request a callback", routes.CONTACT, look="s"),
            _small_menu(links, path),
            class_name="wrap",
        ),
        class_name="top",
    )


def menu_anchor(link: MenuLink, path: str = "") -> rx.Component:
    """Draw one link of a menu; one that leaves the site opens a new tab and says so."""
    here = {"aria-current": "page"} if link.href == path else {}
    if link.title:
        here["title"] = link.title
    look = link.css_classes or None
    if link.new_tab:
        return rx.el.a(
            link.label,
            visually_hidden(" (opens in a new tab)"),
            href=link.href,
            target="_blank",
            rel="noopener",
            custom_attrs=here,
            class_name=look,
        )
    return rx.el.a(link.label, href=link.href, custom_attrs=here, class_name=look)


def _wide(link: MenuLink, path: str) -> rx.Component:
    if not link.links:
        return menu_anchor(link, path)
    here = {"aria-current": "true"} if any(inner.href == path for inner in link.links) else {}
    return rx.el.details(
        rx.el.summary(link.label, icon("down"), custom_attrs=here),
        rx.el.ul(*(rx.el.li(menu_anchor(inner, path)) for inner in link.links)),
        custom_attrs={"name": "main-menu"},
    )


def _search_link(path: str, *, label: str = "") -> rx.Component:
    """Draw the link to the site search: a word, or an icon named `label`."""
    here = {"aria-current": "page"} if path == routes.SEARCH else {}
    shown = (label,) if label else (icon("search"), visually_hidden("Search this site"))
    return rx.el.a(*shown, href=routes.SEARCH, custom_attrs=here)


def _small_menu(links: Sequence[MenuLink], path: str) -> rx.Component:
    groups: list[rx.Component] = []
    for link in links:
        if link.links:
            inner = (rx.el.li(menu_anchor(entry, path)) for entry in link.links)
            groups += [rx.el.p(link.label), rx.el.ul(*inner, aria_label=link.label)]
        else:
            groups.append(menu_anchor(link, path))
    return rx.el.details(
        rx.el.summary(icon("menu"), "Menu", class_name="btn line s burger"),
        rx.el.nav(
            _search_link(path, label="Search"),
            *groups,
            button_link("Request a callback", routes.CONTACT, look="full"),
            class_name="drawer",
            aria_label="Menu",
        ),
        id=_MENU_ID,
        class_name="menu",
    )


def footer(site: Site, columns: tuple[tuple[MenuLink, ...], ...]) -> rx.Component:
    """Draw the footer; each of `columns` holds groups of links."""
    return rx.fragment(
        rx.el.div(class_name="tiles", aria_hidden="true"),
        rx.el.footer(
            rx.el.div(
                rx.el.div(_firm(site), *(_column(groups) for groups in columns), class_name="g4"),
                _legal(site),
                class_name="wrap",
            ),
            class_name="foot dark",
        ),
    )


def _firm(site: Site) -> rx.Component:
    social = (
        ("Facebook", site.social.facebook),
        ("Instagram", site.social.instagram),
        ("WhatsApp", site.social.whatsapp),
    )
    logos = [rx.el.li(logo_picture(logo, height=_LOGO_HEIGHT, max_width=_LOGO_WIDTH)) for logo in site.logos]
    return rx.el.div(
        brand(site, on_dark=True),
        rx.el.p(site.company_description),
        rx.el.p(
            ", ".join(site.address),
            rx.el.br(),
            rx.el.a(site.email, href=f"mailto:{site.email}"),
            rx.el.br(),
            telephone_link(site.phone, number=site.tel),
        ),
        rx.el.ul(
            *(
                rx.el.li(rx.el.a(name, href=address, target="_blank", rel="noopener"))
                for name, address in social
                if address
            ),
            class_name="row",
            aria_label="Social media, in new tabs",
        ),
        rx.el.ul(*(rx.el.li(slogan) for slogan in site.slogans if slogan), class_name="slogans"),
        *([rx.el.ul(*logos, class_name="logos")] if logos else []),
        class_name="stack",
    )


def _column(groups: Sequence[MenuLink]) -> rx.Component:
    return rx.el.div(*(_group(group) for group in groups), class_name="stack")


def _group(group: MenuLink) -> rx.Component:
    links = rx.el.ul(*(rx.el.li(menu_anchor(link)) for link in group.links))
    return rx.el.nav(rx.el.h2(group.label), links, aria_label=group.label)


def _legal(site: Site) -> rx.Component:
    return rx.el.div(
        rx.el.p(site.risk_warning, class_name="risk"),
        rx.el.p(
            site.regulation,
            " You can check this on the ",
            rx.el.a("Financial Services Register", href=site.register_url),
            ".",
        ),
        rx.el.p(rx.el.b("How we are paid. "), site.how_we_are_paid, " ", site.range_sentence),
        rx.el.p(site.buy_to_let_sentence, " ", site.indicative_sentence),
        rx.el.p(_sentences(site.copyright, site.registration, site.sample_sentence if site.sample else "")),
        rx.el.p(
            rx.el.a("Search this site", href=routes.SEARCH),
            " · ",
            rx.el.a("Sitemap", href=routes.SITE_MAP),
            " · ",
            rx.el.a("How we calculate", href=routes.HOW_WE_CALCULATE),
            clear_figures(),
        ),
        class_name="legal",
    )


def _sentences(*texts: str) -> str:
    """Return texts as sentences: each ends with a full stop, whether an editor typed one or not."""
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in texts if text)
