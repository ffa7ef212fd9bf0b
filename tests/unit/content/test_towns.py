"""The town pages: which, how unlike, and that their examples are worked out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from broker.content.models.guides import Town
from tests.our_content import CONTENT, STORE
from tests.unit.content.likeness import alike
from tests.unit.content.spoiling import fault_of
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

each_town = pytest.mark.parametrize("town", TOWNS.values(), ids=list(TOWNS))


def source(town: Town) -> str:
    """Return a town's document."""
    return (CONTENT / "towns" / f"{town.slug}.md").read_text(encoding="utf-8")


def shown(town: Town) -> str:
    """Return the html of a town with that of its questions."""
    return town.html + " ".join(f"{faq.question} {faq.answer}" for faq in town.faqs)


@pytest.mark.parametrize(("old", "new", "fault"), FAULTS)
def test_store_names_the_file_and_the_fault(copy: Path, old: str, new: str, fault: str) -> None:
    assert fault in fault_of(copy, TOWN, old=old, new=new)


def test_two_towns_may_not_have_one_slug(copy: Path) -> None:
    fault = fault_of(copy, "towns/barnet.md", old="slug: barnet", new="slug: barking")
    assert fault == "duplicate slug 'barking', already in barking.md"


def test_towns_are_those_of_the_specification_and_four_more() -> None:
    assert (len(SPECIFIED), len(OTHERS)) == (26, 4)
    assert set(TOWNS) == {name.lower().replace(" ", "-") for name in (*SPECIFIED, *OTHERS)}


def test_towns_are_in_the_order_of_their_names() -> None:
    names = [town.name for town in STORE.towns()]
    assert names == sorted(names)


def test_no_two_towns_are_alike_beyond_a_twentieth() -> None:
    assert alike({town.slug: shown(town) for town in TOWNS.values()}, 0.05) == []


@each_town
def test_town_is_named_and_has_a_useful_length(town: Town) -> None:
    name = town.name.split(" and ")[0].removeprefix("Royal ")
    assert (name in town.title, name in town.meta_title, name in town.html) == (True, True, True)
    assert 350 <= len(words(shown(town))) <= 700


@each_town
def test_town_has_two_questions_of_its_own(town: Town) -> None:
    assert [faq.question[-1] for faq in town.faqs] == ["?", "?"]
    others = {faq.question for other in TOWNS.values() if other is not town for faq in other.faqs}
    assert {faq.question for faq in town.faqs} & others == set()
    assert "Questions people ask" not in town.html


@each_town
def test_towns_near_are_three_to_five_others(town: Town) -> None:
    assert (3 <= len(set(town.near)) <= 5, len(set(town.near))) == (True, len(town.near))
    assert set(town.near) <= set(TOWNS) - {town.slug}


@each_town
def test_centre_is_in_the_south_east_and_counties_have_none(town: Town) -> None:
    assert (town.centre is None) == (town.slug in COUNTIES)
    latitude, longitude = town.centre or (51.5, 0)
    assert (51 < latitude < 52, -1.5 < longitude < 0.5) == (True, True)


@each_town
def test_example_is_at_a_round_price_and_worked_out(town: Town) -> None:
    sections = re.split(r"^(?=## )", source(town), flags=re.MULTILINE)
    (example,) = [section for section in sections if "payment(" in section]
    sums = re.findall(r"\{\{=([^|]*)\|", example)
    into = {float(number) for sum_ in sums for number in re.findall(r"\d+(?:\.\d+)?", sum_)}
    typed = re.findall(r"£(\d[\d,]*(?:\.\d+)?)(?<!,)", re.sub(r"\{\{=[^}]*\}\}", "", example))
    marked = re.search(r"example|illustrat|for show|for arithmetic|chosen only because", example, re.IGNORECASE)
    assert (len(sums) >= 2, marked is not None, "{{" in shown(town)) == (True, True, False)
    assert {amount for amount in typed if float(amount.replace(",", "")) not in into} <= {RELIEF_ENDS}


@each_town
def test_town_ends_with_the_warning(town: Town) -> None:
    assert town.html.endswith(f"<p>{STORE.site().risk_warning}</p>")
