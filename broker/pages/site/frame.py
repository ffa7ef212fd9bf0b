"""The header of every page: brand, main menu, telephone, call back; a menu in the flow on small screens."""

from collections.abc import Sequence

import reflex as rx

from broker import routes
from broker.components.client_scripts import shared_component
from broker.components.elements import button_link, drawing, icon, telephone_link, visually_hidden
from broker.components.forms.figures import clear_figures
from broker.content.menus import MenuLink
from broker.content.models.site import Site
from broker.pages.site.contact import logo_picture


def brand(site: Site, *, on_dark: bool = False) -> rx.Component:
    """Draw the mark and the name, linked to the home page."""
    first, _, rest = site.name.partition(" ")
    return rx.el.a(
        drawing("mark-on-dark" if on_dark else "mark", width=36, height=40, class_name="mark", lazy=on_dark),
        rx.el.span(first, rx.el.small(rest)),
        href=routes.HOME,
        class_name="brand",
    )


_MENU_ID = "menu"
"""Id of the header's last element. Where a slow line ends in the middle of the header, nothing is drawn before it."""


def header(site: Site, links: tuple[MenuLink, ...], *, path: str) -> rx.Component:
    """Draw the header of the page at `path`, which its menus mark as the current one."""
    listed = {routes.SEARCH, *(link.href for group in links for link in (group, *group.links))}
    return shared_component(_drawn, site, links, path if path in listed else "")


def _drawn(site: Site, links: tuple[MenuLink, ...], path: str) -> rx.Component:
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


LOGO_HEIGHT, LOGO_WIDTH = 28, 300
"""Height and greatest width of a logo in CSS pixels, without the space around it, as in the stylesheet."""


def footer(site: Site, columns: tuple[tuple[MenuLink, ...], ...]) -> rx.Component:
    """Draw the footer; each of `columns` holds the groups of links that stand in it."""
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
    logos = [rx.el.li(logo_picture(logo, height=LOGO_HEIGHT, max_width=LOGO_WIDTH)) for logo in site.logos]
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
