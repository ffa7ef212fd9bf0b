"""Review cards, and the selection for a carousel (specification 3, "Review"; decision 16)."""

from collections.abc import Iterable
from dataclasses import dataclass

from broker.content.models.pages import Review
from broker.content.models.pictures import Picture
from broker.content.models.site import ReviewTotals

IN_BODY, IN_FOOTER = 6, 8
"""Default number of reviews in the page carousel and above the footer (specification 9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCard:
    """A review as display strings: `stars` are None when not rated, `initial` is of the last name."""

    title: str
    text: str
    reviewer: str
    initial: str
    stars: float | None
    out_of: int
    source: str
    href: str
    sample: bool
    portrait: Picture | None = None
    screenshot: Picture | None = None


def review_cards(reviews: Iterable[Review], totals: ReviewTotals) -> tuple[ReviewCard, ...]:
    """Return review cards; `totals` gives the display names of the review sites."""
    names = {entry.site: entry.label for entry in totals.counts}
    return tuple(
        ReviewCard(
            title=review.title,
            text=review.text,
            reviewer=review.reviewer,
            initial=review.reviewer.split()[-1][:1].upper(),
            stars=review.rating,
            out_of=int(totals.out_of),
            source=_source(review, names.get(review.site, review.site.title())),
            href=review.url,
            sample=review.sample,
            portrait=review.portrait,
            screenshot=review.screenshot,
        )
        for review in reviews
    )


def totals_sentence(totals: ReviewTotals) -> str:
    """Return the sentence with the rating, the number of reviews and the date they were read; samples are marked."""
    whole = f"{totals.total} {'sample reviews' if totals.sample else 'reviews'}"
    read = f"as read on {totals.read_on:%-d %B %Y}."
    if totals.rating is None:
        return f"{whole}, {read}"
    rating = f"{totals.rating:.1f} of {totals.out_of:g}"
    if totals.rated in (None, totals.total):
        return f"{rating} from {whole}, {read}"
    average = f"{rating} on average over the {totals.rated} reviews on this site"
    return f"{average}; {whole} in all, {read}" if totals.total else f"{average}, {read}"


def _source(review: Review, site: str) -> str:
    place = f"A sample of a {site} review" if review.sample else site
    return ", ".join(filter(None, (place, f"{review.read_on:%-d %B %Y}")))
