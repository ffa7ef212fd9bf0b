"""What clients say; samples are marked as samples, counts stand with the date they were read (decision 16)."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from broker.content.model import Review
from broker.content.site import ReviewTotals


def reviews(shown: Sequence[Review], totals: ReviewTotals) -> rx.Component:
    """Draw the reviews as cards, under the counts of each review site."""
    mark = " (sample)" if totals.sample else ""
    counts = (
        rx.el.li(f"{entry.label}: {entry.count} reviews{mark}", class_name="tag plain") for entry in totals.counts
    )
    rating = f"Rated {totals.rating:.1f} of {totals.out_of:g}{mark}, as read on {totals.read_on:%-d %B %Y}."
    return rx.el.div(
        rx.el.ul(*counts, class_name="chips", aria_label="Reviews by site"),
        rx.el.p(rating, class_name="small mute"),
        rx.el.div(*(_review(review) for review in shown), class_name="g3"),
        class_name="stack",
    )


def _review(review: Review) -> rx.Component:
    source = "Sample review, not a real client." if review.sample else f"{review.site}, {review.read_on:%-d %B %Y}"
    sample = (rx.el.span("Sample", class_name="tag plain"),) if review.sample else ()
    return rx.el.article(
        rx.el.div(rx.el.h3(review.title), *sample, class_name="row between"),
        rx.el.p(review.text),
        rx.el.footer(f"{review.reviewer}. {source}"),
        class_name="panel quote",
    )
