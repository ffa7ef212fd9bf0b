from pathlib import Path

import pytest

from broker.content.check import report
from broker.content.files.content_folder import read_content
from broker.content.models.glossary import LINKED_TERMS, MAX_DEFINITION
from tests.our_content import CONTENT, STORE

FILE = "glossary.md"
LINES = (CONTENT / FILE).read_text(encoding="utf-8").splitlines()
APRC, EQUITY = LINES.index("## APRC") + 1, LINES.index("## Equity") + 1


def test_glossary_has_forty_terms_in_order_with_short_definitions_in_sentences() -> None:
    terms = STORE.glossary().terms
    assert len(terms) == 40
    assert [term.title for term in terms] == sorted((term.title for term in terms), key=str.lower)
    assert [term.title for term in terms if not term.text.endswith(".") or len(term.text) < 60] == []
    assert [term.slug for term in terms if LINES[term.line - 1] != f"## {term.title}"] == []
    assert set(LINKED_TERMS) <= {term.slug for term in terms}
    by_slug = {term.slug: term for term in terms}
    assert [slug for slug, words in LINKED_TERMS.items() if words not in by_slug[slug].forms] == []


FAULTS = [
    ("id: aprc\n", "id: APRC\n", f"line {APRC}: bad id 'APRC'"),
    ("id: aprc\n", "", f"line {APRC}: missing id"),
    ("id: aprc\n", "id: equity\n", f"line {EQUITY}: duplicate id 'equity'"),
    ("id: aprc\n", "id: apr\n", "no entry with the id aprc, which pages link to"),
    ("id: aprc\n", "id: aprc\ncolour: red\n", f"line {APRC}: unknown field colour"),
    ("id: aprc\n", "id: aprc\nstray words\n", f"line {APRC}: unknown field stray words"),
    ("forms: APRC, APRCs,", "form: APRC,", f"line {APRC}: missing forms"),
    ("forms: equity\n", "forms: equity, APRC\n", f"line {EQUITY}: forms that are there twice: APRC"),
    ("except: equity release,", "except: aprc, equity release,", f"line {APRC}: forms that are there twice: APRC"),
    ("see: /mortgage-guides/what-is-aprc/", "see: /about-us/", f"line {APRC}: see must be the path of a guide or a "),
    ("see: /mortgage-guides/what-is-aprc/", "see: /mortgage-guides/none/", f"line {APRC}: dead link '/mortgage-gu"),
    ("The annual percentage rate of charge:", "A" * MAX_DEFINITION + ".", f"line {APRC}: text has "),
    ("\n\nThe annual percentage rate of charge:", "\n\n## Next\n\nThe", f"line {APRC}: missing text"),
    ("---\n## Adverse credit", "---\nWords\n\n## Adverse credit", "text before the first entry"),
    ("meta_title: Mortgage glossary", "meta_title: " + "a" * 61, "meta_title has "),
    ("---\ntitle", "title", "must begin with front matter"),
    ("In Scotland the order", "{{ nonsense }} the order", "unknown placeholder {{ nonsense }}"),
]


@pytest.mark.parametrize(("old", "new", "fault"), FAULTS)
def test_fault_is_reported_with_its_file_and_line(copy: Path, old: str, new: str, fault: str) -> None:
    text = (copy / FILE).read_text(encoding="utf-8")
    assert old in text
    (copy / FILE).write_text(text.replace(old, new, 1), encoding="utf-8")
    lines = report(copy)
    assert [line for line in lines if line.startswith(str(copy / FILE)) and fault in line], lines


def test_missing_glossary_is_one_fault(copy: Path) -> None:
    (copy / FILE).unlink()
    assert [line.partition(": ")[0] for line in report(copy)] == [str(copy / FILE)]


def test_field_without_phrases_is_read_as_none(copy: Path) -> None:
    text = (copy / FILE).read_text(encoding="utf-8")
    (copy / FILE).write_text(text.replace("forms: equity\n", "forms: equity, \n", 1), encoding="utf-8")
    terms = {term.slug: term for term in read_content(copy).glossary.terms}
    assert terms["equity"].forms == ("equity",)
