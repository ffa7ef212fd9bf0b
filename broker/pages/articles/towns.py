"""Town pages, and the page that lists them (specification 2, "local broker page")."""

from functools import partial

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators.buying import purchase
from broker.components.client_values import TYPED, BrowserValues, client_handler, memoized_section
from broker.components.elements import (
    banner_picture,
    button_link,
    drawing,
    icon,
    inline_style,
    markup,
    questions,
    telephone_link,
    titled_section,
)
from broker.components.jinja import Attributes
from broker.content.models.pages import ContentPage, PageKind, Town
from broker.content.models.pictures import Picture
from broker.content.models.site import Site
from broker.content.page_head import TOWNS, image_path
from broker.content.page_parts import banner_view
from broker.content.structured_data import faq_data
from broker.pages.calculator import calculator_panel
from broker.pages.layout import columns, content_banner, layout
from broker.pages.registry import BuildInputs, Page, Section, content_page
from broker.pages.site.contact import contact_aside, opening_hours
from broker.pages.site.reviews import reviews_slider
from broker.site_search.view import town_words

_FAMILY = "town_pages"


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    towns = tuple(
        Page(
            route=routes.town(town.slug),
            counted_as=Counted.TOWN,
            title=town.meta_title,
            label=town.name,
            parents=(("My local mortgage broker", routes.LOCAL),),
            section=Section.TOWNS,
            search=town_words(town),
            description=town.description,
            render=partial(_town, inputs, town),
            lastmod=town.updated.isoformat(),
            picture=image_path(TOWNS),
            json_ld=(*([faq_data(town.faqs)] if town.faqs else []),),
            family=_FAMILY,
        )
        for town in inputs.store.towns()
    )
    lists = tuple(
        content_page(page, partial(_list, inputs, page), picture=image_path(TOWNS))
        for page in inputs.store.pages()
        if page.kind is PageKind.LOCAL
    )
    return (*towns, *lists)


def _town(inputs: BuildInputs, town: Town) -> rx.Component:
    site = inputs.store.site()
    return layout(
        inputs,
        routes.town(town.slug),
        _banner(town, site, inputs.store.banner(routes.town(town.slug))),
        columns(
            rx.el.div(
                _buying(),
                *_checks(town),
                markup(town.html),
                *_questions(town),
                *_near(inputs, town),
                class_name="stack loose",
            ),
            contact_aside(site, "Speak to us today", "By telephone or video, wherever you are. ", site.how_we_are_paid),
        ),
        reviews_slider(inputs.store.reviews(), site.reviews),
        call=False,
    )


def _banner(town: Town, site: Site, picture: Picture | None) -> rx.Component:
    """Draw the town's own picture beside the heading, or its street below it over the whole width."""
    street = drawing(f"street-{town.slug}", width=1440, height=250, class_name="skyline", lazy=False)
    ways = rx.el.div(
        telephone_link(icon("phone"), f"Call us on {site.phone}", number=site.tel, class_name="btn"),
        button_link("Request a callback", routes.CONTACT, look="line"),
        class_name="row",
    )
    heading, lead = rx.el.h1(town.title, tab_index=-1), rx.el.p(town.summary, class_name="lead")
    return rx.fragment(
        rx.el.div(
            rx.el.div(
                rx.el.div(heading, lead, ways, opening_hours(site), class_name="txt stack"),
                banner_picture(banner_view(picture)),
                class_name="wrap",
            ),
            *([] if picture else [street]),
            class_name="banner with wide" if picture else "banner",
        ),
        rx.el.div(**_tiles(town.slug)),
    )


def _buying() -> rx.Component:
    lead = rx.el.p("An example price, not an average. Change it to the home you have in mind.", class_name="lead")
    return titled_section("What a home would take", "buying-costs", lead, calculator_panel(purchase.CALCULATOR))


def _checks(town: Town) -> list[rx.Component]:
    listed = rx.el.ul(*(rx.el.li(icon("check"), check) for check in town.checks), class_name="panel checks")
    return [titled_section(f"Before you offer on a home in {town.name}", "checks", listed)] if town.checks else []


def _tiles(slug: str) -> Attributes:
    style = inline_style({"background-image": f"url(/art/tiles-{slug}.svg)"})
    return {"class_name": "tiles", "aria_hidden": "true", "custom_attrs": style}


def _questions(town: Town) -> list[rx.Component]:
    listed = questions((faq.question, faq.answer) for faq in town.faqs)
    return [titled_section(f"Questions people ask in {town.name}", "questions", listed)] if town.faqs else []


def _near(inputs: BuildInputs, town: Town) -> list[rx.Component]:
    names = {other.slug: other.name for other in inputs.store.towns()}
    links = rx.el.ul(*(_tile_link(slug, names[slug]) for slug in town.near), class_name="near")
    return [titled_section("Nearby", "near", links)] if town.near else []


def _tile_link(slug: str, name: str) -> rx.Component:
    return rx.el.li(rx.el.a(rx.el.span(**_tiles(slug)), rx.el.span(name), href=routes.town(slug)))


def _list(inputs: BuildInputs, page: ContentPage) -> rx.Component:
    return layout(
        inputs,
        page.path,
        content_banner(inputs, page),
        rx.el.div(rx.el.div(_finder(inputs.store.towns()), class_name="wrap band-s"), class_name="white"),
        columns(
            markup(page.html),
            contact_aside(inputs.store.site(), "Speak to us today", "By telephone or video, wherever you are."),
        ),
        call=False,
    )


def _finder(towns: tuple[Town, ...]) -> rx.Component:
    """Draw a link per town, filtered in the browser by what is typed."""
    kept = BrowserValues("town_search", {"typed": ""})
    typed = kept["typed"].to(str).lower().strip()
    shown = [typed.contains("") & rx.Var.create(town.name.lower()).to(str).contains(typed) for town in towns]
    none = ~shown[0]
    for each in shown[1:]:
        none = none & ~each
    return memoized_section(
        kept.state,
        rx.el.h2("Find your town", id="towns"),
        rx.el.div(
            rx.el.label("Town or borough", html_for="town", class_name="label"),
            rx.el.div(
                rx.el.input(
                    id="town",
                    type="search",
                    value=kept["typed"],
                    on_change=client_handler(kept.put({"typed": TYPED})),
                    auto_complete="off",
                ),
                class_name="num",
            ),
            class_name="needs-script text-width",
        ),
        rx.el.ul(
            *(rx.cond(fits, _tile_link(town.slug, town.name)) for town, fits in zip(towns, shown, strict=True)),
            class_name="near",
        ),
        rx.cond(
            none,
            rx.el.p("No page for that town yet. We advise people everywhere in the United Kingdom.", role="status"),
        ),
        class_name="stack",
        aria_labelledby="towns",
    )
