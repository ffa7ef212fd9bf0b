"""Cards of guides, and what pages tell search engines."""

from datetime import date

from broker.content.models.guides import Guide
from broker.content.models.pages import Faq
from broker.content.models.safe_html import SafeHtml
from broker.domain.guides import GuideCategory
from broker.presenters.guides import FILTERS, GuideCard, counted, guide_card, guide_cards
from broker.presenters.structured_data import answers, trail

SITE = "https://broker.example"
LONG = (
    "What the share of the price that you borrow is, why lenders care about it, and where the rates change by a step."
)


def guide(url: str, *categories: GuideCategory) -> Guide:
    """Return a guide of some categories."""
    return Guide(
        url=url,
        title="What is loan to value?",
        meta_title="Loan to value",
        description=LONG,
        summary="In short.",
        categories=categories,
        created=date(2026, 3, 5),
        updated=date(2026, 11, 21),
        author="the advice team",
        html=SafeHtml("<p>Text.</p>"),
        headings=(),
        related=(),
        words=1_000,
    )


def test_card_of_a_guide_is_written_out() -> None:
    assert guide_card(guide("ltv", GuideCategory.PROPERTY, GuideCategory.MORTGAGING)) == GuideCard(
        title="What is loan to value?",
        description=LONG,
        short=LONG[:100] + "...",
        href="/mortgage-guides/ltv/",
        picture="card-ltv",
        tag="Property",
        theme="home-mover",
        categories=("property", "mortgaging"),
    )


def test_cards_are_those_of_the_filter_in_their_order() -> None:
    both = (GuideCategory.PROPERTY, GuideCategory.MORTGAGING)
    guides = [guide("a", GuideCategory.PROPERTY), guide("b", GuideCategory.MORTGAGING), guide("c", *both)]
    assert [card.href for card in guide_cards(guides, "mortgaging")] == ["/mortgage-guides/b/", "/mortgage-guides/c/"]
    assert len(guide_cards(guides)) == 3


def test_guide_that_has_lost_its_categories_is_one_to_mortgages() -> None:
    assert (guide_card(guide("a")).tag, guide_card(guide("a")).categories) == ("Mortgage", ())


def test_filters_have_the_specifications_words() -> None:
    assert [label for _, label in FILTERS] == [
        "All Guides",
        "Property Guides",
        "First Time Buyer Guides",
        "Remortgage Guides",
        "Mortgage Guides",
    ]


def test_count_agrees_with_its_noun() -> None:
    assert (counted(1), counted(12)) == ("Showing 1 guide", "Showing 12 guides")


def test_reading_time_is_a_minute_at_least() -> None:
    assert guide("a").minutes == 5


def test_trail_begins_at_home() -> None:
    assert trail((("Lenders", "/lenders/"),), site_url=SITE)["itemListElement"] == [
        {"@type": "ListItem", "position": 1, "name": "Home", "item": "https://broker.example/"},
        {"@type": "ListItem", "position": 2, "name": "Lenders", "item": "https://broker.example/lenders/"},
    ]


def test_answers_are_plain_text() -> None:
    told = answers([Faq(question="Is it free?", answer=SafeHtml("<p>Yes &amp; always.</p>\n<p>Ask <b>us</b>.</p>"))])
    assert told["mainEntity"][0]["acceptedAnswer"]["text"] == "Yes & always. Ask us."
