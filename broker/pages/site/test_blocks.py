"""Blocks made of several components, for the component sheet at `/test/`: rates, guides, reviews, asides."""

from dataclasses import replace

import reflex as rx

from broker.components.elements.lists import contents
from broker.components.elements.messages import note, skeleton
from broker.components.inline_style import inline_style
from broker.components.rates.rate_notices import read_notice
from broker.domain.guides import GuideCategory
from broker.domain.rates.customers import Customer
from broker.pages.registry import BuildInputs
from broker.presenters.guide_lists import grid_view
from broker.presenters.guides import guide_card
from broker.presenters.rates.best_deals import AWAY, BestDeals
from broker.presenters.rates.results import RatesList
from broker.presenters.reviews import ReviewCard
from broker.presenters.themes import theme_style
from broker.sections.guide_list import guide_grid, guide_slide, guide_slider, guide_tile, more_guides
from broker.sections.rates.live_rates import best_rates_panels, best_rates_table, ltv_tables
from broker.sections.rates.rates_by_ltv import rates_by_ltv
from broker.sections.reviews import footer_reviews, review_card
from broker.sections.site.contact import REMORTGAGE, contact_aside

FEW = 6
"""Number of guides in each list on the sheet."""

_REVIEW = ReviewCard(
    title="A title",
    text="What was written.",
    reviewer="Somebody",
    initial="S",
    stars=5,
    out_of=5,
    source="A review site, 21 November 2026",
    href="",
    sample=True,
)


def rate_blocks(inputs: BuildInputs) -> rx.Component:
    """Draw rate blocks: built in, live, with the feed unavailable, for buy to let, and empty."""
    site, home = inputs.store.site(), inputs.deals("")
    live = replace(home.best, sample="", dated="Rates read at 09:12 on 21 November 2026.")
    let = inputs.deals(Customer.BUY_TO_LET).best
    return rx.el.div(
        _named("A table, as built", best_rates_table(home.best, site)),
        _named("From a live feed", best_rates_table(live, site)),
        _named("The feed is away", best_rates_table(replace(live, away=AWAY), site)),
        _named("Panels, for let property", best_rates_panels(let, site)),
        _named("No deal", best_rates_panels(BestDeals(), site)),
        _named("By loan to value", ltv_tables(inputs.deals(Customer.REMORTGAGING).tables, site, first_head="Deal")),
        rates_by_ltv("", built=inputs.rates_by_ltv(""), site=site),
        class_name="stack loose",
    )


def notices() -> rx.Component:
    live = RatesList(sample=False, read_at="09:12 on 21 November 2026")
    return rx.el.div(
        *(
            read_notice(rx.Var.create(shown).to(RatesList))
            for shown in (replace(live, sample=True), live, replace(live, stale=True))
        ),
        note("Error: ", "the content could not be read.", tone="bad"),
        skeleton(1),
        class_name="stack",
    )


def guide_blocks(inputs: BuildInputs) -> rx.Component:
    guides = inputs.store.guides()[:FEW]
    tile = guide_card(guides[0])
    return rx.el.div(
        rx.el.div(
            guide_tile(tile),
            guide_slide(tile),
            *(guide_tile(replace(tile, tag=category.value, categories=category.value)) for category in GuideCategory),
            class_name="g3",
        ),
        rx.el.div(guide_grid(grid_view(guides), has_buttons=True), more_guides(), class_name="stack loose"),
        class_name="stack loose",
    )


def review_blocks() -> rx.Component:
    linked = replace(_REVIEW, sample=False, stars=3.5, href="https://reviews.example/")
    return rx.el.div(*map(review_card, (_REVIEW, linked, replace(_REVIEW, sample=False, stars=None))), class_name="g3")


def sliders(inputs: BuildInputs) -> rx.Component:
    store = inputs.store
    return rx.fragment(guide_slider(store.guides()[:FEW]), footer_reviews(store.reviews(), store.site().reviews))


def asides(inputs: BuildInputs) -> rx.Component:
    listed = contents((("What you pay", "main"), ("A heading that takes more than one line of the list", "main")))
    look = inline_style(theme_style("remortgaging"))
    return rx.el.div(
        listed, contact_aside(inputs.store.site(), REMORTGAGE, "A few words."), class_name="g2", custom_attrs=look
    )


def _named(title: str, block: rx.Component) -> rx.Component:
    return rx.el.section(rx.el.h3(title), block, class_name="stack")
