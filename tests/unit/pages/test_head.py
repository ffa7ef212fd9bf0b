import json
from dataclasses import replace
from typing import Any

import pytest
import reflex as rx

from broker.content.page_head import HOME, image_alt, image_path
from broker.pages.registry import TITLE_LIMIT, Page, dates_of, full_title, head_view, linked_data, meta_tags

SITE, FIRM = "https://example.test", "Hearthgate Mortgages"
PAGE = Page(route="/about-us/", title="About us", description="Who we are.", render=rx.fragment)


def tags(page: Page) -> list[Any]:
    head = head_view(page, site_url=SITE, firm=FIRM)
    plain = meta_tags(head, firm=FIRM, dates=dates_of(page), indexed=page.indexed)
    return [*plain, *map(linked_data, head.data)]


def named(page: Page) -> dict[str, str]:
    plain = [tag for tag in tags(page) if isinstance(tag, dict)]
    found = {tag.get("name") or tag["property"]: tag["content"] for tag in plain}
    assert len(found) == len(plain)
    return found


def canonical(page: Page) -> list[str]:
    drawn = [tag.render() for tag in tags(page) if isinstance(tag, rx.Component)]
    links = [one for one in drawn if "canonical" in str(one)]
    return [prop.split(":", 1)[1].strip('"') for link in links for prop in link["props"] if prop.startswith("href")]


@pytest.mark.parametrize(
    ("title", "whole"),
    [
        ("About us", "About us | Hearthgate Mortgages"),
        ("x" * 37, "x" * 37 + " | Hearthgate Mortgages"),
        ("x" * 38, "x" * 38),
        ("x" * 70, "x" * 70),
        ("Join Hearthgate Mortgages", "Join Hearthgate Mortgages"),
    ],
)
def test_firm_follows_a_title_without_it_where_both_fit(title: str, whole: str) -> None:
    assert full_title(replace(PAGE, title=title), FIRM) == whole
    assert TITLE_LIMIT == 60


def test_page_has_the_metadata_of_social_media() -> None:
    assert named(PAGE) == {
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": image_alt(PAGE.picture, FIRM),
        "og:type": "website",
        "og:site_name": FIRM,
        "og:title": "About us",
        "og:description": "Who we are.",
        "og:url": "https://example.test/about-us/",
        "og:locale": "en_GB",
        "twitter:card": "summary_large_image",
        "theme-color": "#0C3138",
    }


def test_page_has_either_one_canonical_address_or_a_word_to_robots() -> None:
    assert canonical(PAGE) == ["https://example.test/about-us/"]
    assert "robots" not in named(PAGE)
    hidden = replace(PAGE, indexed=False)
    assert canonical(hidden) == []
    assert named(hidden)["robots"] == "noindex"


def test_page_has_its_dates_and_is_an_article_once_published() -> None:
    assert named(replace(PAGE, lastmod="2026-03-04"))["article:modified_time"] == "2026-03-04"
    assert "article:modified_time" not in named(PAGE)
    guide = named(replace(PAGE, published="2026-01-02", lastmod="2026-03-04"))
    assert (guide["og:type"], guide["article:published_time"]) == ("article", "2026-01-02")
    assert "article:published_time" not in named(PAGE)


def test_words_of_a_picture_are_those_of_its_family() -> None:
    homely = replace(PAGE, picture=image_path(HOME))
    assert named(homely)["og:image:alt"] == image_alt(image_path(HOME), FIRM) != image_alt(PAGE.picture, FIRM)


def test_linked_data_is_written_as_json_a_script_each() -> None:
    data: tuple[dict[str, Any], ...] = ({"@type": "WebPage", "name": "Ann’s “guide”"}, {"@type": "FAQPage"})
    scripts = [tag for tag in tags(replace(PAGE, json_ld=data)) if type(tag).__name__ == "Script"]
    *given, breadcrumbs = [json.loads(script.children[0].contents._var_value) for script in scripts]
    assert given == list(data)
    assert [step["name"] for step in breadcrumbs["itemListElement"]] == ["Home", "About us"]


def test_breadcrumbs_name_the_parents_and_the_label_of_an_indexed_page() -> None:
    guide = replace(PAGE, route="/mortgage-guides/ltv/", label="LTV", parents=(("Guides", "/tools/mortgage-guides/"),))
    (script,) = [tag for tag in tags(guide) if type(tag).__name__ == "Script"]
    steps = json.loads(script.children[0].contents._var_value)["itemListElement"]
    assert [(step["position"], step["name"], step["item"]) for step in steps] == [
        (1, "Home", f"{SITE}/"),
        (2, "Guides", f"{SITE}/tools/mortgage-guides/"),
        (3, "LTV", f"{SITE}/mortgage-guides/ltv/"),
    ]
    for other in (replace(guide, indexed=False), replace(guide, route="/")):
        assert [tag for tag in tags(other) if type(tag).__name__ == "Script"] == []
