"""The guides: what there must be, how long, how unlike, and where their figures come from."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

from broker import routes
from broker.content.models.guides import Guide
from broker.domain.guides import GuideCategory, guides_shown
from tests.our_content import CONTENT, STORE
from tests.unit.content.faulty_content import not_named
from tests.unit.content.likeness import alike, runs

GUIDES = {guide.url: guide for guide in STORE.guides()}
OF_TYPES = {"first-time-buyer-guide", "home-mover-guide", "remortgaging-guide", "buy-to-let-guide"}
"""The guides that `/mortgage-guides/{service}-guide/` leads to (specification 2, "Other links")."""

SUBJECTS = {
    "leasehold": "leasehold-explained",
    "remortgage costs": "remortgage-costs",
    "shared ownership": "shared-ownership-explained",
    "credit score": "improve-your-credit-score",
    "LTV": "what-is-ltv",
    "APRC": "what-is-aprc",
    "EPC": "epc-ratings-and-mortgages",
    "conveyancing": "conveyancing-explained",
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

GUIDE = "guides/what-is-ltv.md"
RELATED = "related: [saving-for-a-deposit,"
FAULTS = [
    ("slug: what-is-ltv", "slug: what-is-aprc", "duplicate slug 'what-is-aprc'"),
    ("slug: what-is-ltv", "slug: What is LTV", "bad slug 'What is LTV'"),
    ("categories: [", "categories: [houses, ", "categories must be some of property, first-time-buyer, remortgaging,"),
    (RELATED, "related: [nowhere,", "related guides that are not there: nowhere"),
    (RELATED, "related: [what-is-ltv,", "related guides that are not there: what-is-ltv"),
    ("created: ", "created: 31/02/2026 #", "created must be a day such as 05/03/2026, not '31/02/2026'"),
    ("created: ", "created: 2026-01-05 #", "created must be a day such as 05/03/2026, not '2026-01-05'"),
    ("updated: 2026-11-21", "updated: 21/11/2026", "updated must be a date such as 2026-11-21, not '21/11/2026'"),
    ("author: ", "writer: ", "unknown field writer"),
    ("{{= ", "{{= rent() + ", "unknown function rent"),
    ("| pounds }}", "| shillings }}", "unknown format shillings"),
    ("{{ risk_warning }}", "[More](/mortgage-guides/nowhere/)", "dead link '/mortgage-guides/nowhere/': no such page"),
    ("{{ risk_warning }}", "[More](/contact/#nowhere)", "dead link '/contact/#nowhere': no such place on that page"),
    ("{{ risk_warning }}", "#### Too deep", "headings out of order: h2 to h4"),
]


def source(guide: Guide) -> str:
    """Return a guide's document."""
    return (CONTENT / "guides" / f"{guide.url}.md").read_text(encoding="utf-8")


def worked_example(guide: Guide) -> str:
    """Return the section of a guide's document that is its worked example."""
    sections = re.split(r"^(?=## )", source(guide), flags=re.MULTILINE)
    (found,) = [section for section in sections if "worked example" in section.partition("\n")[0].lower()]
    return found


def amounts_in_no_sum(example: str) -> set[str]:
    """Return the amounts in the words of a document that none of its sums takes in."""
    numbers = {float(n) for sum_ in re.findall(r"\{\{=([^|]*)\|", example) for n in re.findall(r"\d+(?:\.\d+)?", sum_)}
    typed = set(re.findall(r"£(\d[\d,]*(?:\.\d+)?)(?<!,)", re.sub(r"\{\{=[^}]*\}\}", "", example)))
    return {amount for amount in typed if float(amount.replace(",", "")) not in numbers}


def test_each_fault_is_named_with_its_file(tmp_path: Path) -> None:
    assert not_named(tmp_path, [(GUIDE, *fault) for fault in FAULTS]) == []


def test_there_are_the_four_of_the_types_and_32_more() -> None:
    assert (OF_TYPES - set(GUIDES), len(set(GUIDES) - OF_TYPES) >= 32) == (set(), True)


def test_every_subject_of_the_specification_has_its_guide() -> None:
    assert set(SUBJECTS.values()) - set(GUIDES) == set()


def test_renamed_guides_live_at_their_new_slugs_only() -> None:
    renamed = routes.RENAMED_GUIDES
    assert (set(renamed) & set(GUIDES), set(renamed.values()) - set(GUIDES)) == (set(), set())


def test_guides_come_changed_last_first() -> None:
    days = [(guide.updated, guide.created, guide.url) for guide in STORE.guides()]
    assert days == sorted(days, reverse=True)


def test_each_category_has_six_guides_or_more_and_no_guide_one_twice() -> None:
    counts = Counter(category for guide in GUIDES.values() for category in guide.categories)
    assert [category for category in GuideCategory if counts[category] < 6] == []
    assert [guide.url for guide in GUIDES.values() if len(set(guide.categories)) < len(guide.categories)] == []


def test_each_list_of_a_service_has_guides() -> None:
    counts = {service.slug: len(guides_shown(STORE.guides(), service.slug)) for service in STORE.services()}
    assert {slug: count for slug, count in counts.items() if count < 12} == {}


def test_guide_has_a_useful_length_and_title() -> None:
    for guide in GUIDES.values():
        assert (900 <= guide.words <= 1_800, 4 <= guide.minutes <= 8) == (True, True), guide.url
        assert (15 <= len(guide.title) <= 75, 40 <= len(guide.description) <= 155) == (True, True), guide.url
        assert guide.author, guide.url


def test_headings_are_in_order_and_differ() -> None:
    for guide in GUIDES.values():
        levels = [1, *(heading.level for heading in guide.headings)]
        assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == [], guide.url
        assert (levels.count(2) >= 4, max(levels) <= 3) == (True, True), guide.url
        assert len({heading.text for heading in guide.headings}) == len(guide.headings), guide.url


def test_dates_make_sense() -> None:
    last = max(page.updated for page in (*STORE.services(), *STORE.pages(), *STORE.deal_pages()))
    assert [guide.url for guide in GUIDES.values() if not guide.created <= guide.updated <= last] == []


def test_three_to_five_related_guides_differ_and_exist() -> None:
    for guide in GUIDES.values():
        assert (3 <= len(set(guide.related)) <= 5, len(set(guide.related))) == (True, len(guide.related)), guide.url
        assert [url for url in guide.related if url not in GUIDES or url == guide.url] == [], guide.url


def test_one_example_is_worked_with_figures_of_the_domain() -> None:
    assert [url for url, guide in GUIDES.items() if worked_example(guide).count("{{=") < 2 or "{{" in guide.html] == []


def test_no_amount_of_a_worked_example_is_a_sum_typed_by_hand() -> None:
    """Every amount in its words goes into a sum, or is in `STORY_AMOUNTS`; only sums come out at pence."""
    found = {url: amounts_in_no_sum(worked_example(guide)) for url, guide in GUIDES.items()}
    assert {url: amounts for url, amounts in found.items() if amounts} == STORY_AMOUNTS


def test_no_figure_of_the_domain_is_negative() -> None:
    assert {url for url, guide in GUIDES.items() if re.search(r"£-[\d,.]+|£0\.00", guide.html)} == set()


def test_guide_that_speaks_of_payments_ends_with_the_warning() -> None:
    warning = f"<p>{STORE.site().risk_warning}</p>"
    unwarned = {url: guide.html for url, guide in GUIDES.items() if not guide.html.endswith(warning)}
    assert [url for url, html in unwarned.items() if re.search(r"payment|repay", html)] == []


def test_no_two_guides_are_alike() -> None:
    said = {guide.url: guide.html.partition('<h2 id="sources">')[0] for guide in GUIDES.values()}
    assert alike(said, 0.03) == []


def test_likeness_is_found() -> None:
    words = " ".join(f"w{number}" for number in range(20))
    assert len(runs(f"<p>{words}</p>")) == 13
    assert alike({"a": words, "b": f"Other words first. <b>{words.upper()}</b>", "c": "none of it " * 9}, 0.03) == [
        ("a", "b", 1.0)
    ]
