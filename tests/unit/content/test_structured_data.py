from dataclasses import replace

import pytest

from broker.content.guide_pages import subject_of
from broker.content.models.pages import Faq
from broker.content.models.pictures import SafeHtml
from broker.content.structured_data import article_data, faq_data, firm_data
from tests.our_content import STORE

SITE_URL = "https://example.test"
SITE, GUIDE = STORE.site(), STORE.guides()[0]


def test_sample_firm_says_so_and_a_real_one_does_not() -> None:
    sample, real = firm_data(SITE, site_url=SITE_URL), firm_data(replace(SITE, sample=False), site_url=SITE_URL)
    assert sample["description"].endswith(SITE.sample_sentence)
    assert sample["identifier"]["value"] == "000000 (sample)"
    assert (real["description"], real["identifier"]["value"]) == (SITE.company_description, "000000")


def test_article_has_its_dates_picture_place_and_author() -> None:
    data = article_data(GUIDE, site=SITE, site_url=SITE_URL)
    assert (data["datePublished"], data["dateModified"]) == (GUIDE.created.isoformat(), GUIDE.updated.isoformat())
    assert data["image"]["url"] == f"{SITE_URL}/og/guide-{subject_of(GUIDE)}.png"
    assert data["mainEntityOfPage"] == f"{SITE_URL}/mortgage-guides/{GUIDE.url}/"
    team, firm_name = "the Hearthgate Mortgages advice team", "Hearthgate Mortgages"
    kinds = {team: ("Organization", team), firm_name: ("Organization", firm_name), "": ("Organization", firm_name)}
    for name, expected in (kinds | {"Ann Reed": ("Person", "Ann Reed")}).items():
        author = article_data(replace(GUIDE, author=name), site=SITE, site_url=SITE_URL)["author"]
        assert (author["@type"], author["name"]) == expected


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Yes &amp; always.</p>\n<p>Ask <b>us</b>.</p>", "Yes & always. Ask us."),
        ("<ul><li>One</li><li>Two &amp; three</li></ul>", "One Two & three"),
        ("<p>See <a href='/x/'>the <b>guide</b></a>.</p>", "See the guide."),
        ("<table><tr><th>Fee</th><td>£999</td></tr></table>", "Fee £999"),
        ("<p>One line<br>and another</p>", "One line and another"),
    ],
)
def test_answers_are_plain_words(html: str, text: str) -> None:
    data = faq_data([Faq(question="Is it so?", answer=SafeHtml(html))])["mainEntity"]
    assert data == [{"@type": "Question", "name": "Is it so?", "acceptedAnswer": {"@type": "Answer", "text": text}}]
