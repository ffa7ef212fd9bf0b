"""What pages tell search engines."""

from dataclasses import replace

import pytest

from broker.content.models.pages import Faq
from broker.content.models.safe_html import SafeHtml
from broker.presenters.guide_page import guide_page_view
from broker.presenters.structured_data import answers, article, firm, trail
from tests.our_content import STORE

SITE_URL = "https://example.test"
SITE, GUIDE = STORE.site(), STORE.guides()[0]


def test_sample_firm_says_so_and_a_real_one_does_not() -> None:
    sample, real = firm(SITE, site_url=SITE_URL), firm(replace(SITE, sample=False), site_url=SITE_URL)
    assert (sample["description"].endswith(SITE.sample_sentence), sample["identifier"]["value"]) == (
        True,
        "000000 (sample)",
    )
    assert (real["description"], real["identifier"]["value"]) == (SITE.company_description, "000000")


@pytest.mark.parametrize(
    ("author", "kind", "name"),
    [
        ("the Hearthgate Mortgages advice team", "Organization", "the Hearthgate Mortgages advice team"),
        ("Hearthgate Mortgages", "Organization", "Hearthgate Mortgages"),
        ("", "Organization", "Hearthgate Mortgages"),
        ("Ann Reed", "Person", "Ann Reed"),
    ],
)
def test_author_is_the_firm_or_a_person(author: str, kind: str, name: str) -> None:
    told = article(guide_page_view(replace(GUIDE, author=author)), site=SITE, site_url=SITE_URL)["author"]
    assert (told["@type"], told["name"]) == (kind, name)


def test_article_tells_its_dates_its_picture_and_its_place() -> None:
    told = article(guide_page_view(GUIDE), site=SITE, site_url=SITE_URL)
    assert (told["datePublished"], told["dateModified"]) == (GUIDE.created.isoformat(), GUIDE.updated.isoformat())
    assert told["image"]["url"] == f"{SITE_URL}/og/guides.png"
    assert told["mainEntityOfPage"] == f"{SITE_URL}/mortgage-guides/{GUIDE.url}/"


def test_way_to_a_page_begins_at_home() -> None:
    told = trail((("Guides", "/guides/"), ("A guide", "/guides/a/")), site_url=SITE_URL)
    assert [(step["position"], step["name"], step["item"]) for step in told["itemListElement"]] == [
        (1, "Home", f"{SITE_URL}/"),
        (2, "Guides", f"{SITE_URL}/guides/"),
        (3, "A guide", f"{SITE_URL}/guides/a/"),
    ]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Yes.</p><p>Always.</p>", "Yes. Always."),
        ("<ul><li>One</li><li>Two &amp; three</li></ul>", "One Two & three"),
        ("<p>See <a href='/x/'>the <b>guide</b></a>.</p>", "See the guide."),
        ("<table><tr><th>Fee</th><td>£999</td></tr></table>", "Fee £999"),
        ("<p>One line<br>and another</p>", "One line and another"),
    ],
)
def test_answers_are_told_as_plain_words(html: str, text: str) -> None:
    told = answers([Faq(question="Is it so?", answer=SafeHtml(html))])["mainEntity"]
    assert told == [{"@type": "Question", "name": "Is it so?", "acceptedAnswer": {"@type": "Answer", "text": text}}]
