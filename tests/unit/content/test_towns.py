"""The town pages: which, how unlike, and that their examples are worked out."""

import re
from pathlib import Path

from broker.content.models.guides import Town
from tests.our_content import CONTENT, STORE
from tests.unit.content.faulty_content import first_fault, not_named
from tests.unit.content.likeness import alike
from tests.unit.content.models.test_guides import amounts_in_no_sum
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

TOWN = "towns/barking.md"
NEAR = "near: [east-ham,"
FAULTS = [
    (NEAR, "near: [barking,", "towns near that are not there: barking"),
    (NEAR, "near: [atlantis,", "towns near that are not there: atlantis"),
    ("centre: [51.538, 0.079]", "centre: [51.538]", "centre must be a latitude and a longitude"),
    ("centre: [51.538, 0.079]", "centre: [51.538, true]", "centre must be a latitude and a longitude"),
    ("centre: [51.538, 0.079]", "centre: [51.538, .inf]", "centre must be a latitude and a longitude"),
    ("## Questions people ask in", "## Questions of", "no questions; they stand under ## Questions people ask"),
    ("### Do all landlords", "Do all landlords", "text before the first question"),
    ("## Where Barking ends", "# Where Barking ends", "a heading of level 1"),
    (
        "/mortgage-guides/agreement-in-principle/",
        "/mortgage-broker-atlantis/",
        "dead link '/mortgage-broker-atlantis/'",
    ),
]


def source(town: Town) -> str:
    """Return a town's document."""
    return (CONTENT / "towns" / f"{town.slug}.md").read_text(encoding="utf-8")


def shown(town: Town) -> str:
    """Return the html of a town with that of its questions."""
    return town.html + " ".join(f"{faq.question} {faq.answer}" for faq in town.faqs)


def test_each_fault_is_named_with_its_file(tmp_path: Path) -> None:
    assert not_named(tmp_path, [(TOWN, *fault) for fault in FAULTS]) == []


def test_two_towns_may_not_have_one_slug(tmp_path: Path) -> None:
    fault = first_fault(tmp_path, "towns/barnet.md", old="slug: barnet", new="slug: barking")
    assert fault == "duplicate slug 'barking', already in barking.md"


def test_towns_are_those_of_the_specification_and_four_more() -> None:
    assert (len(SPECIFIED), len(OTHERS)) == (26, 4)
    assert set(TOWNS) == {name.lower().replace(" ", "-") for name in (*SPECIFIED, *OTHERS)}


def test_towns_are_in_the_order_of_their_names() -> None:
    names = [town.name for town in STORE.towns()]
    assert names == sorted(names)


def test_no_two_towns_are_alike_beyond_a_twentieth() -> None:
    assert alike({town.slug: shown(town) for town in TOWNS.values()}, 0.05) == []


def test_town_is_named_and_has_a_useful_length() -> None:
    for town in TOWNS.values():
        name = town.name.split(" and ")[0].removeprefix("Royal ")
        assert (name in town.title, name in town.meta_title, name in town.html) == (True, True, True), town.slug
        assert 350 <= len(words(shown(town))) <= 700, town.slug


def test_town_has_two_questions_of_its_own() -> None:
    asked = [faq.question for town in TOWNS.values() for faq in town.faqs]
    assert (len(asked), len(set(asked))) == (2 * len(TOWNS), 2 * len(TOWNS))
    assert [town.slug for town in TOWNS.values() if [faq.question[-1] for faq in town.faqs] != ["?", "?"]] == []
    assert [town.slug for town in TOWNS.values() if "Questions people ask" in town.html] == []


def test_towns_near_are_three_to_five_others() -> None:
    for town in TOWNS.values():
        assert (3 <= len(set(town.near)) <= 5, len(set(town.near))) == (True, len(town.near)), town.slug
        assert set(town.near) <= set(TOWNS) - {town.slug}, town.slug


def test_centre_is_in_the_south_east_and_counties_have_none() -> None:
    assert {town.slug for town in TOWNS.values() if town.centre is None} == COUNTIES
    centres = {town.slug: town.centre for town in TOWNS.values() if town.centre}
    assert [slug for slug, (north, east) in centres.items() if not (51 < north < 52 and -1.5 < east < 0.5)] == []


def test_example_is_at_a_round_price_and_worked_out() -> None:
    for town in TOWNS.values():
        sections = re.split(r"^(?=## )", source(town), flags=re.MULTILINE)
        (example,) = [section for section in sections if "payment(" in section]
        marked = re.search(r"example|illustrat|for show|for arithmetic|chosen only because", example, re.IGNORECASE)
        sums = example.count("{{=")
        assert (sums >= 2, marked is not None, "{{" in shown(town)) == (True, True, False), town.slug
        assert amounts_in_no_sum(example) <= {RELIEF_ENDS}, town.slug


def test_town_ends_with_the_warning() -> None:
    warning = f"<p>{STORE.site().risk_warning}</p>"
    assert [town.slug for town in TOWNS.values() if not town.html.endswith(warning)] == []
