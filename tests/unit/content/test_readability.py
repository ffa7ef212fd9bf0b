"""How old a reader must be: Flesch-Kincaid grade plus five, the age at which a child sits in that grade.

Whole paragraphs and points of lists are measured, as textstat counts their syllables, words and sentences. Headings,
tables and sources are not sentences and are left out: each would count as a short one.
"""

import re
import statistics
from collections.abc import Mapping
from html import unescape

import pytest
from textstat.textstat import textstatistics

from broker.content.models.pages import Faq
from broker.content.store import HOME_FAQS
from broker.questionnaire.check import load_flow
from tests.our_content import CONTENT, STORE
from tests.services import project_method

MEDIAN = 12
"""Years of the reader for whom half of the texts of a family must be easy."""

OLDEST = 14
"""Years of the reader whom no text may be too hard for: grade 9."""

FLOW = load_flow((CONTENT.parent / "questionnaire.json").read_text(encoding="utf-8"))

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
    "glossary": {term.slug: reading_age(f"<p>{term.text}</p>") for term in STORE.glossary().terms},
    "answers": {
        "home": reading_age(answers(STORE.faqs(HOME_FAQS))),
        "method": reading_age(project_method().html),
        "questionnaire": reading_age("".join(f"<p>{step.why}</p>" for step in FLOW.steps.values())),
    },
}


@pytest.mark.parametrize("family", AGES)
def test_no_text_is_too_hard_at_fourteen_and_half_are_easy_at_twelve(family: str) -> None:
    assert {name: age for name, age in AGES[family].items() if age > OLDEST} == {}
    assert statistics.median(AGES[family].values()) <= MEDIAN


HARD = "Notwithstanding the aforementioned considerations, prospective mortgagors contemplating refinancing " * 4


def test_measure_tells_easy_from_hard_running_text() -> None:
    assert 2 <= reading_age("<p>The cat sat on the mat. It was fat.</p>") <= 6
    assert 25 <= reading_age(f"<p>{HARD}.</p>") <= 99
    html = '<h2 id="a">One</h2><p>Say <b>this</b>.</p><table><td>7</td></table><ul><li>And that</li></ul>'
    assert sentences(html + '<h2 id="sources">Sources</h2><ul><li>Law</li></ul>') == "Say this. And that."
