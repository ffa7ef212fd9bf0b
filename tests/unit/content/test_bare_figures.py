"""Every figure in prose comes from the domain or from a fact with a source (issue: figures in guides)."""

import re

import pytest

from broker.content.files.validated_record import read_json
from broker.content.text.facts import read_facts
from tests.our_content import CONTENT
from tests.unit.content.bare_figures import ALLOWED, allowed_but_gone, bare_figures

FACTS = read_facts(read_json(CONTENT / "facts.json", {}))
DOCUMENTS = {
    f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in sorted(CONTENT.rglob("*.md"))
}


def test_every_figure_has_its_origin() -> None:
    found = {name: bare_figures(name, text, FACTS) for name, text in DOCUMENTS.items()}
    assert {name: figures for name, figures in found.items() if figures} == {}
    folders = {name.partition("/")[0] for name in DOCUMENTS}
    assert folders == {"deals", "faqs", "front-pages", "guides", "lenders", "pages", "services", "towns"}


def test_figures_let_by_are_still_there_and_have_a_reason() -> None:
    assert allowed_but_gone(DOCUMENTS) == []
    assert [reason for reasons in ALLOWED.values() for reason in reasons.values() if len(reason) < 15] == []


FRONT = "---\ntitle: {title}\nupdated: 2026-11-21\n---\n"
SUM = "## One\n\nBorrow £200,000 at 4.5% over 25 years: {{= payment(200000, 4.5, 25) | pence }}.\n"
PLANTED = {
    "an amount": ("The fee is £999.", ["£999"]),
    "a percentage": ("Lenders ask for 7.25% of it.", ["7.25%"]),
    "a year": ("The rules of 2024 changed.", ["2024"]),
    "an age": ("You must be under 85.", ["85"]),
    "months": ("It takes 6 months or 9.", ["6", "9"]),
    "a percentage in words": ("Five per cent is enough.", ["Five"]),
    "a telephone number": ("Call 0800 111 6768.", []),
    "a rule": ("Under section 21 and the Housing (Scotland) Act 2025, as in Article 4.", []),
    "a fact": ("Up to {{ fact.lisa_limit }} a year.", []),
    "a list": ("1. First\n2. Then", []),
    "a link": ("[Read](/mortgage-guides/is-a-35-years-mortgage-normal/).", []),
    "the month of the update": ("We had not seen it by November 2026.", []),
    "another month": ("We had not seen it by October 2026.", ["2026"]),
    "the inputs of a sum": (SUM, []),
    "an input in another section": (SUM + "\n## Two\n\nWith 25 years and £200,000.", ["25", "£200,000"]),
    "a share that a sum takes in": ("A deposit of 15% is {{= 300000 * 0.15 | pounds }}, and 85% is left.", []),
    "a table": ("| Up to | £40,000 |", ["£40,000"]),
}


@pytest.mark.parametrize(("text", "found"), PLANTED.values(), ids=list(PLANTED))
def test_planted_figure_is_found(text: str, found: list[str]) -> None:
    listed = bare_figures("guides/planted", FRONT.format(title="A guide") + text, FACTS)
    assert [line.partition(":")[0].rstrip(".,") for line in listed] == found


def test_figure_of_a_title_or_a_real_guide_is_found_unless_it_is_a_fact() -> None:
    for title, found in (("Rules for 2026", 0), ("Rules for 2025", 1), ("Save £4,000", 1)):
        assert len(bare_figures("guides/planted", FRONT.format(title=title) + "Nothing.", FACTS)) == found, title
    document = FRONT.format(title="Save £4,000 a year") + "Up to {{ fact.lisa_limit }}."
    assert bare_figures("guides/planted", document, FACTS) == []
    document = re.sub(r"\{\{ fact\.lisa_price \}\}", "£450,000", DOCUMENTS["guides/lifetime-isa-guide"], count=1)
    assert [line[:8] for line in bare_figures("guides/lifetime-isa-guide", document, FACTS)] == ["£450,000"]
