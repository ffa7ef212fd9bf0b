"""Cards of guides, the filters of their list, and their count."""

from dataclasses import replace
from datetime import date

from broker.content.guide_pages import (
    FILTERS,
    FOR_EVERYBODY,
    STARTERS,
    GuideCard,
    guide_card,
    main_guide,
    service_first,
    starter_cards,
)
from broker.content.guides import USUAL_SUBJECTS, GuideCategory, GuideSubject
from broker.content.models.pages import Guide
from broker.content.models.pictures import SafeHtml
from tests.our_content import STORE

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
        href="/mortgage-guides/ltv/",
        picture="card-van-ltv",
        tag="Property",
        categories="property mortgaging",
        filters="first-time-buyer remortgaging buy-to-let home-mover property mortgaging",
    )


def test_picture_shows_the_subject_of_a_guide_else_that_of_its_category() -> None:
    usual = {category: guide_card(guide("a", category)).picture for category in GuideCategory}
    assert usual == {category: f"card-{USUAL_SUBJECTS[category]}-a" for category in GuideCategory}
    named = replace(guide("a", GuideCategory.PROPERTY), subject=GuideSubject.LEAF)
    assert guide_card(named).picture == "card-leaf-a"


def test_guide_without_categories_is_on_mortgages_or_for_everybody() -> None:
    without = guide_card(guide("a"))
    assert (without.tag, without.categories) == ("Mortgage", "")
    everybody = guide_card(replace(guide("a"), categories_complete=True))
    assert (everybody.tag, everybody.filters) == (FOR_EVERYBODY, "")


def test_starters_are_the_guides_that_are_there_by_situation() -> None:
    cards = starter_cards([guide("help-if-you-cannot-pay"), guide("other"), guide("home-mover-guide")])
    assert [(card.tag, card.href) for card in cards] == [
        ("Moving home", "/mortgage-guides/home-mover-guide/"),
        ("Trouble paying", "/mortgage-guides/help-if-you-cannot-pay/"),
    ]
    assert [card.tag for card in starter_cards(STORE.guides())] == [situation for situation, _ in STARTERS]


def test_service_has_its_own_guides_first_then_its_filters() -> None:
    service = replace(STORE.services()[0], slug="remortgaging", guides=("c", "gone", "a"))
    remortgage = GuideCategory.REMORTGAGING
    guides = [guide("a"), guide("b"), guide("c"), guide("d", remortgage), guide("remortgaging-guide", remortgage)]
    assert [each.url for each in service_first(guides, service)] == ["remortgaging-guide", "c", "a", "d", "b"]
    assert (main_guide(guides, service), main_guide(guides[:4], service)) == (guides[4], None)


def test_filters_have_the_specifications_words() -> None:
    labels = ["All Guides", "Property Guides", "First Time Buyer Guides", "Remortgage Guides", "Mortgage Guides"]
    assert [label for _, label in FILTERS] == labels
    assert guide("a").minutes == 5
