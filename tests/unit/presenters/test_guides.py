"""Cards of guides, the filters of their list, and their count."""

from datetime import date

from broker.content.models.guides import Guide
from broker.content.models.safe_html import SafeHtml
from broker.domain.guides import GuideCategory
from broker.presenters.guides import FILTERS, GuideCard, counted, guide_card, guide_cards

LONG = (
    "What the share of the price that you borrow is, why lenders care about it, and where the rates change by a step."
)


def guide(url: str, *categories: GuideCategory) -> Guide:
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
    without = guide_card(guide("a"))
    assert (without.tag, without.categories) == ("Mortgage", ())


def test_filters_and_counts_have_the_specifications_words() -> None:
    labels = ["All Guides", "Property Guides", "First Time Buyer Guides", "Remortgage Guides", "Mortgage Guides"]
    assert [label for _, label in FILTERS] == labels
    assert (counted(1), counted(12)) == ("Showing 1 guide", "Showing 12 guides")
    assert guide("a").minutes == 5
