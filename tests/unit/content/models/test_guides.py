import json
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from itertools import combinations, pairwise

import pytest

from broker import routes
from broker.content.guide_pages import service_first
from broker.content.guides import GuideCategory, filter_guides
from broker.content.models.pages import Guide, Service
from tests.our_content import CONTENT, STORE

GUIDES = {guide.url: guide for guide in STORE.guides()}
OF_TYPES = {f"{service.slug}-guide" for service in STORE.services()}
"""The guides that `/mortgage-guides/{service}-guide/` leads to (specification 2, "Other links")."""

SUBJECTS = {
    *("leasehold-explained", "remortgage-costs", "shared-ownership-explained", "improve-your-credit-score"),
    *("what-is-ltv", "what-is-aprc", "epc-ratings-and-mortgages", "conveyancing-explained"),
}
"""The subjects that the specification's sitemap names."""

STORY_AMOUNTS = {
    "agreement-in-principle": {"1,200"},
    "buying-a-new-build": {"30,000"},
    "epc-ratings-and-mortgages": {"995"},
    "house-surveys-explained": {"25,000", "225,000", "9,000", "5,000"},
    "joint-mortgages": {"250,000"},
    "lifetime-isa-guide": {"455,000"},
    "saving-for-a-deposit": {"10,000"},
}
"""Amounts of worked examples that tell the story and go into no sum, by guide."""


DATES = {
    name: date.fromisoformat(fact["value"] if fact["unit"] == "day" else f"{fact['value']}-01")
    for name, fact in json.loads((CONTENT / "facts.json").read_text(encoding="utf-8"))["facts"].items()
    if fact["unit"] in ("day", "month")
}
"""The facts that are dates, a month as its first day."""

RUN = 8
"""Words of a run that two texts may have in common."""


def runs(html: str) -> frozenset[tuple[str, ...]]:
    """Return every run of eight words that a reader sees, in lower case and without marks."""
    seen = re.findall(r"[a-z0-9£%]+", re.sub(r"<[^>]+>", " ", html).lower())
    return frozenset(tuple(seen[at : at + RUN]) for at in range(len(seen) - RUN + 1))


def alike(texts: Mapping[str, str], most: float) -> list[tuple[str, str, float]]:
    """Return each two texts of which the shorter shares more than a part of its runs, with that part."""
    found = {name: runs(html) for name, html in texts.items()}
    shares = {
        (one, other): len(found[one] & found[other]) / min(len(found[one]), len(found[other]))
        for one, other in combinations(found, 2)
    }
    return [(*pair, round(share, 3)) for pair, share in shares.items() if share > most]


def worked_example(guide: Guide) -> str:
    text = (CONTENT / f"guides/{guide.url}.md").read_text(encoding="utf-8")
    sections = re.split(r"(?m)^(?=## )", text)
    (found,) = [section for section in sections if "worked example" in section.partition("\n")[0].lower()]
    return found


def newest_fact(url: str, *, before: date) -> date:
    """Return the newest date that a guide states, but for those to come."""
    text = (CONTENT / f"guides/{url}.md").read_text(encoding="utf-8")
    days = (DATES[name] for name in re.findall(r"fact\.(\w+)", text) if name in DATES)
    return max((day for day in days if day <= before), default=date.min)


def amounts_in_no_sum(example: str) -> set[str]:
    """Return the amounts in the words of a document that none of its sums takes in."""
    numbers = {float(n) for sum_ in re.findall(r"\{\{=([^|]*)\|", example) for n in re.findall(r"\d+(?:\.\d+)?", sum_)}
    typed = set(re.findall(r"£(\d[\d,]*(?:\.\d+)?)(?<!,)", re.sub(r"\{\{=[^}]*\}\}", "", example)))
    return {amount for amount in typed if float(amount.replace(",", "")) not in numbers}


def test_guides_are_those_of_the_types_specified_subjects_and_new_slugs() -> None:
    assert (OF_TYPES - set(GUIDES), len(set(GUIDES) - OF_TYPES) >= 32) == (set(), True)
    assert SUBJECTS - set(GUIDES) == set()
    renamed = routes.RENAMED_GUIDES
    assert (set(renamed) & set(GUIDES), set(renamed.values()) - set(GUIDES)) == (set(), set())


def test_guides_come_in_reading_order_and_are_as_new_as_their_facts() -> None:
    places = [guide.order for guide in STORE.guides()]
    assert (places == sorted(places), len(set(places)), min(places) > 0) == (True, len(places), True)
    last = max(guide.updated for guide in GUIDES.values())
    assert [guide.url for guide in GUIDES.values() if not guide.created <= guide.updated <= date.today()] == []
    assert [url for url, guide in GUIDES.items() if newest_fact(url, before=last) > guide.updated] == []


def test_each_category_and_each_service_has_enough_guides() -> None:
    counts = Counter(category for guide in GUIDES.values() for category in guide.categories)
    assert [category for category in GuideCategory if counts[category] < 6] == []
    assert [guide.url for guide in GUIDES.values() if len(set(guide.categories)) < len(guide.categories)] == []
    lists = {service.slug: filter_guides(STORE.guides(), service.slug) for service in STORE.services()}
    assert [slug for slug, guides in lists.items() if len(guides) < 12] == []


FIRST_THREE = {
    # what an adviser hands over first, by filter
    "all": ["first-time-buyer-guide", "buying-your-first-home-step-by-step", "saving-for-a-deposit"],
    "property": ["home-mover-guide", "stamp-duty-explained", "conveyancing-explained"],
    "first-time-buyer": ["first-time-buyer-guide", "buying-your-first-home-step-by-step", "saving-for-a-deposit"],
    "remortgaging": ["remortgaging-guide", "when-to-remortgage", "what-happens-when-your-deal-ends"],
    "mortgaging": ["how-much-can-i-borrow", "what-is-ltv", "fixed-or-variable"],
}


@pytest.mark.parametrize(("chosen", "first"), FIRST_THREE.items())
def test_filter_lists_guides_of_its_main_category_then_named(chosen: str, first: list[str]) -> None:
    shown = filter_guides(STORE.guides(), chosen)
    assert [guide.url for guide in shown[:3]] == first
    if chosen == "all":
        assert set(shown) == set(STORE.guides())
        return
    assert {guide.url for guide in shown} == {url for url, guide in GUIDES.items() if chosen in guide.categories}
    ranks = [(guide.categories[0] != chosen, guide.order) for guide in shown]
    assert (ranks == sorted(ranks), len(shown) < len(GUIDES) / 2) == (True, True)


@pytest.mark.parametrize("service", STORE.services(), ids=lambda service: service.slug)
def test_service_shows_six_guides_of_its_own_main_one_first(service: Service) -> None:
    six = [guide.url for guide in service_first(STORE.guides(), service)[:6]]
    assert six == list(service.guides)
    assert (six[0], set(six[1:]) & OF_TYPES) == (f"{service.slug}-guide", set())


def test_guide_has_a_useful_length_title_headings_and_related_guides() -> None:
    for guide in GUIDES.values():
        assert (900 <= guide.words <= 1_800, 4 <= guide.minutes <= 8) == (True, True), guide.url
        assert (15 <= len(guide.title) <= 75, 40 <= len(guide.description) <= 155) == (True, True), guide.url
        assert guide.author, guide.url
        levels = [1, *(heading.level for heading in guide.headings)]
        assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == [], guide.url
        assert (levels.count(2) >= 4, max(levels) <= 3) == (True, True), guide.url
        assert len({heading.text for heading in guide.headings}) == len(guide.headings), guide.url
        assert (3 <= len(set(guide.related)) <= 5, len(set(guide.related))) == (True, len(guide.related)), guide.url
        assert [url for url in guide.related if url not in GUIDES or url == guide.url] == [], guide.url


def test_one_example_is_worked_out_with_no_amount_typed_or_negative() -> None:
    assert [url for url, guide in GUIDES.items() if worked_example(guide).count("{{=") < 2 or "{{" in guide.html] == []
    found = {url: amounts_in_no_sum(worked_example(guide)) for url, guide in GUIDES.items()}
    assert {url: amounts for url, amounts in found.items() if amounts} == STORY_AMOUNTS
    assert {url for url, guide in GUIDES.items() if re.search(r"£-[\d,.]+|£0\.00", guide.html)} == set()


def test_guide_that_speaks_of_payments_ends_with_the_warning() -> None:
    warning = f"<p>{STORE.site().risk_warning}</p>"
    unwarned = {url: guide.html for url, guide in GUIDES.items() if not guide.html.endswith(warning)}
    assert [url for url, html in unwarned.items() if re.search(r"payment|repay", html)] == []


def test_no_two_guides_are_alike_as_two_planted_texts_are() -> None:
    texts = {guide.url: guide.html.partition('<h2 id="sources">')[0] for guide in GUIDES.values()}
    assert alike(texts, 0.03) == []
    words = " ".join(f"w{number}" for number in range(20))
    assert len(runs(f"<p>{words}</p>")) == 13
    planted = {"a": words, "b": f"Other words first. <b>{words.upper()}</b>", "c": "none of it " * 9}
    assert alike(planted, 0.03) == [("a", "b", 1.0)]
