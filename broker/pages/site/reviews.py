"""Reviews of clients; samples are marked as such, and counts carry the date that they were read (decision 16)."""

from collections.abc import Sequence

import reflex as rx

from broker import routes
from broker.components.client_scripts import shared_component
from broker.components.elements import (
    button_link,
    carousel_band,
    content_picture,
    icon_picture,
    inline_style,
    logo_picture,
)
from broker.content.models.pages import Review
from broker.content.models.pictures import CARD
from broker.content.models.site import ReviewCount, ReviewTotals
from broker.content.reviews import IN_BODY, IN_FOOTER, ReviewCard, review_cards, totals_sentence

_DEFAULT_LINK = "Read all reviews"
"""Default text of the link to all reviews."""

_PORTRAIT = 44
"""Width of a portrait in CSS pixels, as in the stylesheet."""

_MARK_HEIGHT, _MARK_WIDTH = 20, 110
"""Height and greatest width of a review site's logo or stars in CSS pixels, as in the stylesheet."""

_DRAWN_STARS = 5
"""Number of stars that the stylesheet draws by default."""


def reviews_slider(reviews: Sequence[Review], totals: ReviewTotals) -> rx.Component:
    """Draw the carousel of many pages, which shows 6 (specification 9, "extras")."""
    shown = tuple(reviews[: totals.shown or IN_BODY])
    return shared_component(_slider, shown, totals) if shown else rx.fragment()


def footer_reviews(reviews: Sequence[Review], totals: ReviewTotals) -> rx.Component:
    """Draw the carousel above the footer, which shows 8 (specification 9, "footer")."""
    return _slider(reviews[: totals.shown or IN_FOOTER], totals)


def all_reviews(reviews: Sequence[Review], totals: ReviewTotals) -> rx.Component:
    """Draw every review as a grid, under the counts of each review site."""
    return rx.el.section(
        rx.el.h2("Reviews", id="reviews"),
        _review_totals(totals),
        rx.el.div(*(review_card(card) for card in review_cards(reviews, totals)), class_name="g3"),
        class_name="stack loose",
        aria_labelledby="reviews",
    )


def _review_totals(totals: ReviewTotals) -> rx.Component:
    photo = (icon_picture(totals.author_photo, "who", width=_PORTRAIT),) if totals.author_photo else ()
    counts = (_count(entry) for entry in totals.counts)
    drawn = (_stars(totals.rating, int(totals.out_of)),) if totals.rating is not None else ()
    return rx.el.div(
        rx.el.p(*photo, *drawn, totals_sentence(totals), class_name="row small"),
        rx.el.ul(*counts, class_name="chips", aria_label="Reviews by site"),
        class_name="stack tight-8",
    )


def _count(entry: ReviewCount) -> rx.Component:
    pictures = (
        logo_picture(shown, height=_MARK_HEIGHT, max_width=_MARK_WIDTH) for shown in (entry.logo, entry.stars) if shown
    )
    words = f"{entry.label}: {entry.count}"
    name = rx.el.a(words, href=entry.url, target="_blank", rel="noopener") if entry.url else words
    return rx.el.li(*pictures, name, class_name="tag plain")


def review_card(card: ReviewCard) -> rx.Component:
    source = rx.el.a(card.source, href=card.href, target="_blank", rel="noopener") if card.href else card.source
    given = () if card.stars is None else (_stars(card.stars, card.out_of),)
    sample = (rx.el.span("Sample", class_name="tag lamp"),) if card.sample else ()
    return rx.el.article(
        rx.el.div(*given, *sample, class_name="row between"),
        rx.el.h3(card.title, class_name="as-h4"),
        rx.el.p(card.text),
        *([content_picture(card.screenshot, place=CARD)] if card.screenshot else []),
        rx.el.footer(_portrait(card), rx.el.span(rx.el.b(card.reviewer), rx.el.br(), source)),
        class_name="panel quote",
    )


def _portrait(card: ReviewCard) -> rx.Component:
    if card.portrait:
        return icon_picture(card.portrait, "who", width=_PORTRAIT)
    return rx.el.span(card.initial, class_name="who", aria_hidden="true")


def _stars(given: float, out_of: int) -> rx.Component:
    width = {} if given == _DRAWN_STARS else inline_style({"--stars": f"{given:g}"})
    return rx.el.span(class_name="stars", role="img", aria_label=f"{given:g} of {out_of:g} stars", custom_attrs=width)


def _slider(shown: Sequence[Review], totals: ReviewTotals) -> rx.Component:
    cards = [review_card(card) for card in review_cards(shown, totals)]
    if not cards:
        return rx.fragment()
    link = rx.el.div(
        _review_totals(totals),
        button_link(totals.link_title or _DEFAULT_LINK, routes.REVIEWS, look="line"),
        class_name="row between",
    )
    return carousel_band(
        "What clients say", cards, noun="reviews", more=[rx.el.div(link, class_name="slides-more")], white=True
    )
