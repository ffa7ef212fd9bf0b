"""Which guides each filter shows, in which order (specification 4, decisions 26 and 43), and a description's cut."""

from dataclasses import dataclass, replace

import pytest

from broker.content.guides import GuideCategory, filters_of, guides_shown, truncate


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    name: str
    categories: tuple[str, ...] = ()
    categories_complete: bool = False


CATEGORIES = {"p": "property", "f": "first-time-buyer", "r": "remortgaging", "m": "mortgaging"}
CATEGORIES |= {"fm": "first-time-buyer mortgaging", "fr": "first-time-buyer remortgaging", "none": "", "other": "sheds"}
CARDS = tuple(Card(name=name, categories=tuple(words.split())) for name, words in CATEGORIES.items())

SHOWN = {
    # the filter, and the names of the guides above that it shows, in their order
    "all": "p f r m fm fr none other",
    "property": "p",
    "first-time-buyer": "f fm fr p m",
    "remortgaging": "r p m fm fr",
    **dict.fromkeys(("buy-to-let", "home-mover"), "p r m fm fr"),
    "mortgaging": "m fm",
    **dict.fromkeys(("protection-needs", "self-employed", "nonsense", "", "PROPERTY"), "p f r m fm fr none"),
}


COMPLETE = {
    # the same for guides whose categories are complete
    **SHOWN,
    "first-time-buyer": "f fm fr",
    "remortgaging": "r fr",
}


def test_filter_shows_guides_of_its_main_category_first() -> None:
    shown = {chosen: " ".join(card.name for card in guides_shown(CARDS, chosen)) for chosen in SHOWN}
    assert shown == SHOWN
    assert guides_shown((), "all") == guides_shown((), "property") == ()


SHOWS = {
    # specification 4, "Categories shown": the filter, and the categories of which a guide must have one
    "first-time-buyer": {"property", "first-time-buyer", "mortgaging"},
    "remortgaging": {"property", "remortgaging", "mortgaging"},
    "buy-to-let": {"property", "remortgaging", "mortgaging"},
    "home-mover": {"property", "remortgaging", "mortgaging"},
    "property": {"property"},
    "mortgaging": {"mortgaging"},
    "anything else": {"property", "first-time-buyer", "remortgaging", "mortgaging", ""},
}
SUBSETS = [
    # every combination of categories that a guide may have; none at all is "an empty category"
    tuple(category.value for place, category in enumerate(GuideCategory) if number >> place & 1)
    for number in range(2 ** len(GuideCategory))
]


@pytest.mark.parametrize("chosen", SHOWS)
@pytest.mark.parametrize("categories", SUBSETS, ids=lambda categories: "+".join(categories) or "none")
def test_guide_shows_when_any_of_its_categories_is_selected(categories: tuple[str, ...], chosen: str) -> None:
    selected = any(category in SHOWS[chosen] for category in categories or ("",))
    guide = Card(name="one", categories=categories)
    assert guides_shown([guide], chosen) == ((guide,) if selected else ())
    assert guides_shown([guide], "all") == (guide,)


def test_guide_with_all_its_categories_is_in_their_lists_alone() -> None:
    cards = [replace(card, categories_complete=True) for card in CARDS]
    assert {chosen: " ".join(card.name for card in guides_shown(cards, chosen)) for chosen in COMPLETE} == COMPLETE
    assert filters_of(cards[0]) == ("buy-to-let", "home-mover", "property")
    assert filters_of(CARDS[0]) == ("first-time-buyer", "remortgaging", "buy-to-let", "home-mover", "property")


def test_categories_are_the_four_of_the_specification() -> None:
    assert set(GuideCategory) == {"first-time-buyer", "remortgaging", "mortgaging", "property"}


CUT = {"": "", "Short.": "Short.", "x" * 99: "x" * 99, "x" * 100: "x" * 100, "x" * 101: "x" * 100 + "..."}
CUT |= {"word " * 40: "word " * 20 + "...", "é" * 101: "é" * 100 + "..."}


def test_description_is_cut_at_a_hundred_characters() -> None:
    assert {description: truncate(description) for description in CUT} == CUT
