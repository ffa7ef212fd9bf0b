"""The footer of every page: menus, contact, slogans, and the regulatory text (decision 18)."""

from collections.abc import Sequence

import reflex as rx

from broker import routes
from broker.components.elements.text import telephone_link
from broker.components.forms.figures import clear_figures
from broker.content.models.site import Site
from broker.presenters.menus import MenuLink
from broker.sections.site.header import brand, menu_anchor
from broker.sections.site.pictures import logo_picture

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
