from dataclasses import replace

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
from tests.our_content import STORE
from tests.unit.content.guides import guide

PROPERTY = GuideCategory.PROPERTY


def test_card_of_a_guide_is_written_out() -> None:
    both = guide("ltv", title="Loan to value", description="L" * 120, categories=(PROPERTY, GuideCategory.MORTGAGING))
    assert guide_card(both) == GuideCard(
        title="Loan to value",
        description="L" * 120,
        href="/mortgage-guides/ltv/",
        picture="card-van-ltv",
        tag="Property",
        categories="property mortgaging",
        filters="first-time-buyer remortgaging buy-to-let home-mover property mortgaging",
    )


def test_picture_shows_the_subject_of_a_guide_else_that_of_its_category() -> None:
    usual = {category: guide_card(guide("a", categories=(category,))).picture for category in GuideCategory}
    assert usual == {category: f"card-{USUAL_SUBJECTS[category]}-a" for category in GuideCategory}
    named = guide("a", subject=GuideSubject.LEAF)
    assert guide_card(named).picture == "card-leaf-a"


def test_guide_without_categories_is_on_mortgages_or_for_everybody() -> None:
    without = guide_card(guide("a", categories=()))
    assert (without.tag, without.categories) == ("Mortgage", "")
    everybody = guide_card(guide("a", categories=(), categories_complete=True))
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
    ours, others = (GuideCategory.REMORTGAGING,), (PROPERTY,)
    listed = {"a": others, "b": others, "c": others, "d": ours, "remortgaging-guide": ours}
    guides = [guide(slug, categories=categories) for slug, categories in listed.items()]
    assert [each.url for each in service_first(guides, service)] == ["remortgaging-guide", "c", "a", "d", "b"]
    assert (main_guide(guides, service), main_guide(guides[:4], service)) == (guides[4], None)


def test_filters_have_the_specifications_words() -> None:
    labels = ["All Guides", "Property Guides", "First Time Buyer Guides", "Remortgage Guides", "Mortgage Guides"]
    assert [label for _, label in FILTERS] == labels
    assert guide("a", words=1_000).minutes == 5
