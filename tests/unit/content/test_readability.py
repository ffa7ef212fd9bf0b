"""How old a reader must be: Flesch-Kincaid grade plus five, the age at which a child sits in that grade.

Whole paragraphs and points of lists are measured, as textstat counts their syllables, words and sentences. Headings,
tables and sources are not sentences and are left out: each would count as a short one.
"""

import re
import statistics
from collections.abc import Mapping
from html import unescape

from textstat.textstat import textstatistics

from broker.content.models.pages import Faq
from tests.our_content import STORE

MEDIAN = 14
"""Years of the reader for whom half of the guides must be easy (issue: readability)."""

OLDEST = 16
"""Years of the reader whom no guide may be too hard for."""

MEASURE = textstatistics()
MEASURE.set_lang("en_GB")

_LEFT_OUT = re.compile(r'<h2 id="sources">.*|<table.*?</table>|<h\d.*?</h\d>|<code>.*?</code>', re.DOTALL)
_BLOCK_ENDS = re.compile(r"</(?:p|li|blockquote)>")


def sentences(html: str) -> str:
    text = re.sub(r"<[^>]+>", "", _BLOCK_ENDS.sub(". ", _LEFT_OUT.sub(" ", html)))
    return " ".join(re.sub(r"([.:;,?!])\s*\.", r"\1", unescape(text)).split())


def reading_age(html: str) -> float:
    return round(MEASURE.flesch_kincaid_grade(sentences(html)) + 5, 1)


def answers(faqs: tuple[Faq, ...]) -> str:
    return "".join(faq.answer for faq in faqs)


AGES: Mapping[str, Mapping[str, float]] = {
    "guides": {guide.url: reading_age(guide.html) for guide in STORE.guides()},
    "towns": {town.slug: reading_age(town.html + answers(town.faqs)) for town in STORE.towns()},
    "services": {one.slug: reading_age(one.section_1 + one.section_2 + answers(one.faqs)) for one in STORE.services()},
    "pages": {page.path: reading_age(page.html + answers(page.faqs)) for page in STORE.pages()},
    "deals": {page.path: reading_age(page.html) for page in STORE.deal_pages()},
}


def test_half_of_the_guides_are_easy_at_fourteen_and_no_page_is_too_hard() -> None:
    assert statistics.median(AGES["guides"].values()) <= MEDIAN
    for family, ages in AGES.items():
        assert {name: age for name, age in ages.items() if age > OLDEST} == {}, family


HARD = "Notwithstanding the aforementioned considerations, prospective mortgagors contemplating refinancing " * 4


def test_measure_tells_easy_from_hard_running_text() -> None:
    assert 2 <= reading_age("<p>The cat sat on the mat. It was fat.</p>") <= 6
    assert 25 <= reading_age(f"<p>{HARD}.</p>") <= 99
    html = '<h2 id="a">One</h2><p>Say <b>this</b>.</p><table><td>7</td></table><ul><li>And that</li></ul>'
    assert sentences(html + '<h2 id="sources">Sources</h2><ul><li>Law</li></ul>') == "Say this. And that."
