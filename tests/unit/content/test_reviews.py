"""Reviews as cards, the selection for a slider, and the sentence on all (specification 9, decision 16)."""

from datetime import date
from typing import Any

from broker.content.models.pages import Review
from broker.content.models.site import ReviewCount, ReviewTotals
from broker.content.reviews import review_cards, totals_sentence
from tests.our_content import STORE

DAY = date(2026, 11, 21)


def totals(*, sample: bool = False) -> ReviewTotals:
    counts = (ReviewCount(site="google", label="Google", count=85), ReviewCount(site="own", label="Own", count=2))
    return ReviewTotals(counts=counts, rating=4.9, out_of=5, read_on=DAY, sample=sample)


def review(reviewer: str, *, site: str = "google", sample: bool = False) -> Review:
    shown: dict[str, Any] = {"title": "Good", "text": "Words.", "rating": 4.5, "read_on": DAY}
    return Review(reviewer=reviewer, site=site, sample=sample, **shown)


def test_card_of_a_review_is_written_out() -> None:
    (card,) = review_cards([review("Jane Doe")], totals())
    assert (card.title, card.text, card.reviewer, card.initial) == ("Good", "Words.", "Jane Doe", "D")
    assert (card.stars, card.out_of, card.source) == (4.5, 5, "Google, 21 November 2026")
    assert (card.href, card.sample, card.portrait, card.screenshot) == ("", False, None, None)
    (card,) = review_cards([review("A", sample=True)], totals())
    assert (card.source, card.sample) == ("A sample of a Google review, 21 November 2026", True)
    (card,) = review_cards([review("A", site="facebook")], totals())
    assert (card.source, card.sample) == ("Facebook, 21 November 2026", False)
    (card,) = review_cards([review("A", site="")], totals())
    assert card.source == "21 November 2026"


def test_totals_say_of_how_many_and_of_when() -> None:
    assert totals_sentence(totals()) == "4.9 of 5 from 87 reviews, as read on 21 November 2026."
    assert totals_sentence(totals(sample=True)) == "4.9 of 5 from 87 sample reviews, as read on 21 November 2026."


def test_embedded_counts_are_the_specifications_and_every_review_a_sample() -> None:
    reviews = STORE.site().reviews
    assert {entry.site: entry.count for entry in reviews.counts} == {"google": 85, "reviewsio": 78, "trustpilot": 181}
    assert (reviews.rating, reviews.out_of, reviews.sample) == (5.0, 5, True)
    names = [one.reviewer for one in STORE.reviews() if one.sample]
    assert [name for name in names if not name.startswith("Sample client ")] == []
    assert len(names) == len(set(names)) == len(STORE.reviews())
