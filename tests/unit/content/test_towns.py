import re

from broker.content.models.pages import Town
from tests.our_content import CONTENT, STORE
from tests.unit.content.models.test_guides import alike, amounts_in_no_sum
from tests.unit.content.test_writing_rules import words

TOWNS = {town.slug: town for town in STORE.towns()}

SPECIFIED = (
    *("Ealing", "London", "Brent", "Kingston", "Harrow", "Hounslow", "Slough", "Richmond", "Croydon", "Watford"),
    *("Berkshire", "Hackney", "Greenwich", "Bexley", "Reading", "Surrey", "Barnet", "Enfield", "Barking"),
    *("Wandsworth", "Guilford", "Bromley", "Redbridge", "East Ham", "Camden", "Hammersmith"),
)
"""The towns of specification 2, in its spelling, which is that of their addresses."""

OTHERS = ("Havering", "Hillingdon", "Merton", "Sutton")
"""Those that make about 30 of them."""

COUNTIES = {"berkshire", "surrey"}
"""They have no middle to measure a distance from."""

RELIEF_ENDS = "500,000"
"""The price above which first-time buyers have no relief from stamp duty; it goes into no sum."""


def shown(town: Town) -> str:
    return town.html + " ".join(f"{faq.question} {faq.answer}" for faq in town.faqs)


def test_towns_are_those_specified_and_four_more_by_name_and_differ() -> None:
    assert (len(SPECIFIED), len(OTHERS)) == (26, 4)
    assert set(TOWNS) == {name.lower().replace(" ", "-") for name in (*SPECIFIED, *OTHERS)}
    names = [town.name for town in STORE.towns()]
    assert names == sorted(names)
    assert alike({town.slug: shown(town) for town in TOWNS.values()}, 0.05) == []


def test_town_has_its_name_useful_length_warning_and_three_to_five_near_it() -> None:
    for town in TOWNS.values():
        name = town.name.split(" and ")[0].removeprefix("Royal ")
        assert (name in town.title, name in town.meta_title, name in town.html) == (True, True, True), town.slug
        assert 350 <= len(words(shown(town))) <= 700, town.slug
        assert town.html.endswith(f"<p>{STORE.site().risk_warning}</p>"), town.slug
        assert (3 <= len(set(town.near)) <= 5, len(set(town.near))) == (True, len(town.near)), town.slug
        assert set(town.near) <= set(TOWNS) - {town.slug}, town.slug


def test_town_has_two_questions_of_its_own() -> None:
    questions = [faq.question for town in TOWNS.values() for faq in town.faqs]
    assert (len(questions), len(set(questions))) == (2 * len(TOWNS), 2 * len(TOWNS))
    assert [town.slug for town in TOWNS.values() if [faq.question[-1] for faq in town.faqs] != ["?", "?"]] == []
    assert [town.slug for town in TOWNS.values() if "Questions people ask" in town.html] == []


def test_centre_is_in_the_south_east_and_counties_have_none() -> None:
    assert {town.slug for town in TOWNS.values() if town.centre is None} == COUNTIES
    centres = {town.slug: town.centre for town in TOWNS.values() if town.centre}
    assert [slug for slug, (north, east) in centres.items() if not (51 < north < 52 and -1.5 < east < 0.5)] == []


def test_example_is_at_a_round_price_and_worked_out() -> None:
    for town in TOWNS.values():
        text = (CONTENT / f"towns/{town.slug}.md").read_text(encoding="utf-8")
        sections = re.split(r"(?m)^(?=## )", text)
        (example,) = [section for section in sections if "payment(" in section]
        marked = re.search(r"example|illustrat|for show|for arithmetic|chosen only because", example, re.IGNORECASE)
        sums = example.count("{{=")
        assert (sums >= 2, marked is not None, "{{" in shown(town)) == (True, True, False), town.slug
        assert amounts_in_no_sum(example) <= {RELIEF_ENDS}, town.slug
