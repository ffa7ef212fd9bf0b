"""The list of the active calculators, and a page for each, whose address has its inputs."""

import json
from collections.abc import Callable, Sequence
from functools import partial

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators import registry
from broker.calculators.buying.rental_cover import CALCULATOR as RENTAL_COVER
from broker.calculators.calculator import GROUP_TITLES, Calculator, Group
from broker.calculators.view import FIXED_FIELDS, calculator_view
from broker.components.calculator import Panel
from broker.components.client_scripts import ask_at_rest, expression
from broker.components.client_values import memoized_section
from broker.components.elements import drawing, icon, more_link, terms_line
from broker.components.jinja import when
from broker.components.rates.plan_deals import let_deals_block
from broker.components.share import share_link
from broker.components.url_params import edge_answer
from broker.content.models.site import Site
from broker.content.page_head import CALCULATORS as PICTURE
from broker.content.page_head import image_path
from broker.jinja_places import as_template, template_of
from broker.lending.arithmetic import shared
from broker.pages.calculator import OWN_LOOK, CalculatorValues, calculator_panel, calculator_template, panel_content
from broker.pages.layout import banner, front_text, layout
from broker.pages.registry import BuildInputs, Page, Section, edge_template_page
from broker.rates.let_deals import ABOVE_VALUE, WAITING, LetDeals, lets_key
from broker.site_search.index import Kind
from broker.site_search.view import SearchWords, calculator_words
from broker.state.rates.plan_deals import LetDealsState

_LABEL = "Mortgage calculators"

FIGURES = "Your figures"
"""The heading of a calculator on its own page."""

_TERMS = {
    "buying": ("ltv",),
    "buy-to-let-borrowing": ("ltv",),
    "buy-to-let-rent": ("rental-cover",),
    "early-repayment-charge": ("erc",),
    "landlord-test": ("rental-cover",),
    "overpayment": ("erc",),
    "remortgage": ("erc", "product-fee"),
    "two-deals": ("product-fee",),
}
"""Terms of the labels of calculators, by slug."""

_DRAWING_SIZES = {Group.BORROW: (148, 192), Group.COST: (120, 92), Group.BUYING: (120, 180), Group.CHANGES: (200, 104)}
"""Width and height of the drawing of each group in its own units."""

_DEALS = f"{RENTAL_COVER.slug}-deals"
"""The id of the section of the deals."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    page = inputs.store.front_page(routes.CALCULATORS)
    every = Page(
        route=routes.CALCULATORS,
        counted_as=Counted.CALCULATOR,
        title=page.meta_title,
        description=page.description,
        render=partial(_render_all, inputs),
        picture=image_path(PICTURE),
        label=_LABEL,
        section=Section.TOOLS,
        search=SearchWords(kind=Kind.CALCULATOR, keywords=(page.title, page.meta_title), html=page.html),
    )
    listed = {calculator.slug for calculator in _active(inputs)}
    listed |= {slug for service in inputs.store.services() for slug in service.calculators}
    return every, *(_page(inputs, each, is_listed=each.slug in listed) for each in registry.CALCULATORS)


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the panels of calculators as templates; that of rental cover, which has deals, is among those of plans."""
    return (
        edge_template_page(
            "calculators",
            title=_LABEL,
            description=inputs.store.front_page(routes.CALCULATORS).description,
            render=lambda: rx.fragment(
                *(
                    calculator_template(calculator, heading=rx.el.h2, title=FIGURES)
                    for calculator in registry.CALCULATORS
                    if calculator.slug != RENTAL_COVER.slug
                )
            ),
        ),
    )


def _page(inputs: BuildInputs, calculator: Calculator, *, is_listed: bool) -> Page:
    """Return a calculator's own page; the sitemap page and the site search leave out one that no page lists."""
    name = calculator.title if calculator.title.endswith("?") else f"{calculator.title} calculator"
    return Page(
        route=routes.calculator(calculator.slug),
        counted_as=Counted.CALCULATOR,
        title=name,
        description=f"{name.rstrip('?')}: {calculator.subtitle[0].lower()}{calculator.subtitle[1:]}. With its "
        "working, and a link to share.",
        render=partial(_render, inputs, calculator),
        picture=image_path(PICTURE),
        label=calculator.title,
        parents=((_LABEL, routes.CALCULATORS),),
        section=Section.TOOLS if is_listed else None,
        search=calculator_words(calculator) if is_listed else None,
    )


def _render(inputs: BuildInputs, calculator: Calculator) -> rx.Component:
    return layout(
        inputs,
        routes.calculator(calculator.slug),
        _heading(calculator),
        rx.el.div(
            _own_panel(inputs, calculator),
            share_link("these figures", pdf=routes.calculator(calculator.slug) + routes.RESULT_PDF),
            *_guide(inputs, calculator),
            terms_line(*_TERMS.get(calculator.slug, ())),
            method_link(),
            class_name="wrap stack loose calc-page",
        ),
        rx.el.section(
            rx.el.div(
                rx.el.h2("All calculators, by question", id="all-title", class_name="h-sec"),
                _list(_active(inputs), heading=rx.el.h3, current=calculator.slug),
                class_name="wrap stack loose",
            ),
            class_name="white band-s",
            aria_labelledby="all-title",
        ),
    )


def _heading(calculator: Calculator) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.a(icon("left"), "All calculators", href=routes.CALCULATORS, class_name="back"),
            rx.el.h1(calculator.title, tab_index=-1, class_name="one"),
            rx.el.p(f"{calculator.subtitle}. The answer changes as you type.", class_name="lead"),
            class_name="wrap",
        ),
        class_name="fh plain",
    )


def _own_panel(inputs: BuildInputs, calculator: Calculator) -> rx.Component:
    if calculator.slug == RENTAL_COVER.slug:
        return _rental_cover_section(inputs.store.site(), title=FIGURES)
    return calculator_panel(calculator, heading=rx.el.h2, own_title=FIGURES)


def _guide(inputs: BuildInputs, calculator: Calculator) -> list[rx.Component]:
    guides = [guide for guide in inputs.store.guides() if guide.url == calculator.guide]
    return [rx.el.p("Read more: ", rx.el.a(guide.title, href=routes.guide(guide.url))) for guide in guides]


def method_link() -> rx.Component:
    return rx.el.p(
        rx.el.a("How we calculate", href=routes.HOW_WE_CALCULATE), ": every formula, and published figures beside ours."
    )


def rate_history_link() -> rx.Component:
    return rx.el.p(
        rx.el.a("Is now a good time to fix?", href=routes.RATE_HISTORY),
        " Average rates since 2017, and two years or five for your loan.",
    )


def _list(active: Sequence[Calculator], *, heading: Callable[..., rx.Component], current: str = "") -> rx.Component:
    """Draw links to the page of every `active` calculator, by the question that each group answers.

    The `current` one is no link: its address without a query would lose the figures. Without one each has an anchor.
    """
    groups = (
        rx.el.div(
            rx.el.div(_drawing(group), class_name="grp-art"),
            rx.el.div(heading(GROUP_TITLES[group]), rx.el.ul(*(_link(one, current) for one in listed))),
            class_name=f"grp {group}",
        )
        for group, listed in _by_group(active).items()
    )
    return rx.el.nav(*groups, aria_label="Calculators", class_name="groups")


def _drawing(group: Group) -> rx.Component:
    width, height = _DRAWING_SIZES[group]
    return drawing(f"calculators-{group}", width=width, height=height)


def _link(calculator: Calculator, current: str) -> rx.Component:
    if calculator.slug == current:
        return rx.el.li(rx.el.span(calculator.title, custom_attrs={"aria-current": "page"}))
    link = rx.el.a(calculator.title, icon("right"), href=routes.calculator(calculator.slug))
    return rx.el.li(link, id=None if current else calculator.slug)


def _render_all(inputs: BuildInputs) -> rx.Component:
    page = inputs.store.front_page(routes.CALCULATORS)
    return layout(
        inputs,
        routes.CALCULATORS,
        banner(page.title, page.summary, rx.el.p(more_link("Buying? Plan it all in one place", routes.BUYING_PLAN))),
        rx.el.div(_list(_active(inputs), heading=rx.el.h2), method_link(), class_name="wrap band-s stack loose"),
        *front_text(page),
    )


def _active(inputs: BuildInputs) -> tuple[Calculator, ...]:
    return registry.active_calculators(inputs.store.front_page(routes.CALCULATORS).calculators)


def _by_group(active: Sequence[Calculator]) -> dict[Group, list[Calculator]]:
    groups: dict[Group, list[Calculator]] = {}
    for calculator in active:
        groups.setdefault(calculator.group, []).append(calculator)
    return groups


def _rental_cover_section(site: Site, *, title: str) -> rx.Component:
    """Draw the calculator under a title, and its deals; its address has its figures."""
    values = CalculatorValues(RENTAL_COVER, "", path=routes.calculator(RENTAL_COVER.slug))
    key = shared(lets_key(values.numbers))
    deals = _deals_in_browser(key)
    find = LetDealsState.find(key)  # pyright: ignore[reportCallIssue] - Reflex's own way to name an event
    effects = (values.address_effect(), ask_at_rest(key, deals.key, find))
    # A list of one item, so that the script holds the expression of the deals once.
    drawn = rx.foreach(rx.Var.create([deals]).to(list[LetDeals]), lambda each: _let_deals(each, site))
    return memoized_section(
        values.values.state,
        values.seen.state,
        *_rental_parts(values.panel(), drawn, title),
        on_mount=values.mount(),
        class_name="stack",
        id=expression(json.dumps(f"{values.prefix}-tool"), *effects).to(str),
    )


def rental_cover_template(site: Site, *, title: str) -> rx.Component:
    """Draw both as a template: the edge fills it with a `calculator_view`, `panel`, and `LetDeals`, `deals`."""
    view = as_template(calculator_view(RENTAL_COVER, {}), "panel", fixed=FIXED_FIELDS)
    panel = Panel(form=RENTAL_COVER, view=view, prefix=RENTAL_COVER.slug)
    return rx.fragment(*_rental_parts(panel, _let_deals(template_of(LetDeals, "deals"), site), title))


def _rental_parts(panel: Panel, deals: rx.Component, title: str) -> list[rx.Component]:
    return [
        rx.el.section(
            panel_content(panel, rx.el.h2, title=title),
            id=panel.prefix,
            class_name=OWN_LOOK,
            aria_labelledby=f"{panel.prefix}-title",
        ),
        rx.el.section(
            rx.el.h2("Today’s deals that the rent passes", id=f"{_DEALS}-title", class_name="as-h3"),
            when(panel.view.is_wrong, rx.el.p("Put your figures right to see deals here."), otherwise=deals),
            id=_DEALS,
            class_name="stack",
            aria_labelledby=f"{_DEALS}-title",
        ),
    ]


def _let_deals(deals: LetDeals, site: Site) -> rx.Component:
    return let_deals_block(deals, site)


def _deals_in_browser(key: rx.Var) -> LetDeals:
    answered = edge_answer()
    own = rx.Var.create(LetDealsState.found).to(list[LetDeals])
    edge = expression(f"({answered!s}?.deals)", answered).to(LetDeals)
    is_edges = expression(f"({answered!s}?.deals?.key === {key!s})", answered).to(bool)
    is_own = expression(f"({own!s}[0]?.key === {key!s})", own).to(bool)
    found = rx.cond(is_own, own[0], rx.cond(is_edges, edge, rx.Var.create(WAITING)))
    return shared(rx.cond(key == "", rx.Var.create(ABOVE_VALUE), found).to(LetDeals))
