"""Which guides each filter shows, in which order (specification 4, decisions 26 and 43), and a description's cut."""

from dataclasses import dataclass, replace

from broker.content.guides import filter_guides, filters_of, truncate


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
    shown = {chosen: " ".join(card.name for card in filter_guides(CARDS, chosen)) for chosen in SHOWN}
    assert shown == SHOWN
    assert filter_guides((), "all") == filter_guides((), "property") == ()


def test_guide_with_all_its_categories_is_in_their_lists_alone() -> None:
    cards = [replace(card, categories_complete=True) for card in CARDS]
    assert {chosen: " ".join(card.name for card in filter_guides(cards, chosen)) for chosen in COMPLETE} == COMPLETE
    assert filters_of(cards[0]) == ("buy-to-let", "home-mover", "property")
    assert filters_of(CARDS[0]) == ("first-time-buyer", "remortgaging", "buy-to-let", "home-mover", "property")


CUT = {"": "", "Short.": "Short.", "x" * 99: "x" * 99, "x" * 100: "x" * 100, "x" * 101: "x" * 100 + "..."}
CUT |= {"word " * 40: "word " * 20 + "...", "é" * 101: "é" * 100 + "..."}


def test_description_is_cut_at_a_hundred_characters() -> None:
    assert {description: truncate(description) for description in CUT} == CUT
