"""Reviews as cards, which of them a slider shows, and what is said of them all (specification 9, decision 16)."""

from datetime import date

import pytest

from broker.content.models.pages import Review
from broker.content.models.site import ReviewCount, ReviewTotals
from broker.presenters.reviews import IN_BODY, IN_FOOTER, ReviewCard, review_cards, slider_reviews, totals_sentence
from tests.our_content import STORE

DAY = date(2026, 11, 21)


def totals(*, sample: bool = False) -> ReviewTotals:
    """Return the counts of two sites."""
    counts = (ReviewCount(site="google", label="Google", count=85), ReviewCount(site="own", label="Own", count=2))
    return ReviewTotals(counts=counts, rating=4.9, out_of=5, read_on=DAY, sample=sample)


def review(reviewer: str, *, site: str = "google", service: str = "", sample: bool = False) -> Review:
    """Return a review by somebody."""
    return Review(
        reviewer=reviewer,
        title="Good",
        text="Words.",
        site=site,
        read_on=DAY,
        service=service,
        rating=4.5,
        sample=sample,
    )


def test_card_of_a_review_is_written_out() -> None:
    assert review_cards([review("Jane Doe")], totals()) == (
        ReviewCard(
            title="Good",
            text="Words.",
            reviewer="Jane Doe",
            initial="D",
            stars=4.5,
            out_of=5,
            source="Google, 21 November 2026",
            href="",
            sample=False,
        ),
    )


@pytest.mark.parametrize(
    ("site", "sample", "source"),
    [
        ("google", True, "A sample of a Google review, 21 November 2026"),
        ("facebook", False, "Facebook, 21 November 2026"),
    ],
)
def test_source_names_the_site_and_says_what_is_a_sample(site: str, sample: bool, source: str) -> None:
    (card,) = review_cards([review("A", site=site, sample=sample)], totals())
    assert (card.source, card.sample) == (source, sample)


@pytest.mark.parametrize(
    ("count", "service", "shown"),
    [(8, "", "a b c d"), (2, "", "a b"), (3, "let", "b d a"), (1, "let", "b"), (8, "unknown", "a b c d"), (0, "", "")],
)
def test_slider_shows_the_reviews_of_its_service_first(count: int, service: str, shown: str) -> None:
    given = [review("a"), review("b", service="let"), review("c", service="buy"), review("d", service="let")]
    assert " ".join(one.reviewer for one in slider_reviews(given, count, service=service)) == shown


def test_sliders_show_six_and_eight() -> None:
    assert (IN_BODY, IN_FOOTER) == (6, 8)
    assert len(STORE.reviews()) >= IN_FOOTER


def test_totals_say_of_how_many_and_of_when() -> None:
    assert totals_sentence(totals()) == "4.9 of 5 from 87 reviews, as read on 21 November 2026."
    assert totals_sentence(totals(sample=True)) == "4.9 of 5 from 87 sample reviews, as read on 21 November 2026."


def test_embedded_counts_are_the_specifications() -> None:
    reviews = STORE.site().reviews
    assert {entry.site: entry.count for entry in reviews.counts} == {"google": 85, "reviewsio": 78, "trustpilot": 181}
    assert (reviews.rating, reviews.out_of, reviews.sample) == (5.0, 5, True)


def test_every_embedded_review_is_a_sample_of_nobody() -> None:
    assert [
        one.reviewer for one in STORE.reviews() if not (one.sample and one.reviewer.startswith("Sample client "))
    ] == []
    assert len({one.reviewer for one in STORE.reviews()}) == len(STORE.reviews())
