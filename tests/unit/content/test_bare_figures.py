"""Every figure in prose comes from the domain or from a fact of `facts.json`, which has its source.

A figure is a number in digits, or a word before `per cent`. It is answered for when it is a placeholder, or when a
sum of the same section takes it in: an example that says `at 4.8%` and works a payment at 4.8. What only looks like a
figure (`HARMLESS`) is passed over, and `allowed_figures.json` names the rest, each with its reason.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path

import pytest

from broker.content.files.json_files import read_facts
from broker.content.files.validated_record import read_json
from tests.our_content import CONTENT

FILE = Path(__file__).with_name("allowed_figures.json")
ALLOWED: Mapping[str, Mapping[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
"""Reasons by document and words."""

HARMLESS = {
    "an address": r"\]\([^)]*\)|https?://\S+|^see: \S+",
    "a telephone number": r"\b0\d{2,4} \d{3} \d{4}\b|\b0\d{3} \d{3} \d{3}\b|\b116 123\b|\b18001\b",
    "the number of a list or heading": r"^\s*\d+\. |^#+ \d+\. ",
    "the number of a step of a plan": r"\bStep \d\b",
    "the name of a part of a document": r"^# \w+$",
    "a kind of deal": r"\b[235]-year (?:fixed|variable)\b",
    "a law's title or part": r"\b(?:Act|Regulations|Order)(?: \([A-Z]\w+\))? \d{4}\b|\b(?:section|Article) \d+\b",
    "the level of a survey": r"\bLevel [123]\b",
    "a road, postcode or form": r"\b[A-Z]{1,3}\d{1,3}[A-Z]?s?\b(?: \d[A-Z]{2}\b)?",
    "a fare zone": r"\bZones? \d(?:(?:,| and| or| to) \d)*",
    "a decade": r"\b1[89]\d0s\b",
    "a guide's own name": r"\b35-year mortgage",
}

FIGURE = re.compile(r"£?\d[\d,]*(?:\.\d+)?%?|\b[A-Za-z-]+(?= per cent\b)")

_PLACEHOLDER = re.compile(r"\{\{(=?)([^{}|]*)(?:\|[^{}]*)?\}\}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FIELD = re.compile(r"^(?:title|meta_title|description|summary|small_desc|short_title): (.*)$", re.MULTILINE)
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10, "fifteen": 15, "twenty": 20}
_WORDS |= {"twenty-five": 25, "thirty": 30, "forty": 40, "fifty": 50, "seventy-five": 75, "ninety": 90}


def bare_figures(name: str, document: str, facts: Mapping[str, str]) -> list[str]:
    """Return each figure of a document that nothing answers for, with the words around it.

    `name` is that of `ALLOWED`, such as `guides/what-is-ltv`; `facts` are shown by their placeholders. Titles and
    descriptions may say the year of the last update, and the facts of the body.
    """
    front, _, body = document.removeprefix("---\n").partition("\n---\n")
    day = re.search(r"^updated: (\S+)$", front, re.MULTILINE)
    dates = _dates(date.fromisoformat(day[1])) if day else ()
    allowed = [*ALLOWED.get(name, ()), *dates]
    sections = re.split(r"^(?=#{1,2} )", body, flags=re.MULTILINE)
    inputs = [_inputs(section) for section in sections]
    shown = [facts[fact] for fact in re.findall(r"\bfact\.\w+", body) if facts.get(fact)]
    in_front = [*allowed, *shown, *(words[-4:] for words in dates)]
    every = frozenset().union(*inputs)
    found = [at for field in _FIELD.findall(front) for at in _loose(field, every, in_front)]
    return found + [at for text, known in zip(sections, inputs, strict=True) for at in _loose(text, known, allowed)]


def allowed_but_gone(documents: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the figures of `ALLOWED` that no document has."""
    pairs = [(name, words) for name, reasons in ALLOWED.items() for words in reasons]
    return [(name, words) for name, words in pairs if words not in documents.get(name, "")]


def _dates(day: date) -> tuple[str, str]:
    return f"{day.day} {day:%B %Y}", f"{day:%B %Y}"


def _inputs(section: str) -> frozenset[float]:
    """Return the numbers that a section's sums take in, each also as a percentage, what that leaves, and as years."""
    sums = [inside for equals, inside in _PLACEHOLDER.findall(section) if equals]
    taken = [float(number) for inside in sums for number in _NUMBER.findall(inside)]
    return frozenset(round(value, 6) for n in taken for value in (n, n * 100, 100 - n * 100, n / 12))


def _loose(text: str, known: frozenset[float], allowed: Iterable[str]) -> Iterator[str]:
    bare = _PLACEHOLDER.sub("¤", text)
    for words in sorted(allowed, key=len, reverse=True):
        bare = re.sub(rf"(?<![\d£]){re.escape(words)}(?!\d|[,.]\d|%)", "¤", bare)
    for pattern in HARMLESS.values():
        bare = re.sub(pattern, "¤", bare, flags=re.MULTILINE)
    for match in FIGURE.finditer(bare):
        if (value := _value(match[0])) is not None and round(value, 6) not in known:
            yield f"{match[0]}: …{bare[max(match.start() - 40, 0) : match.end() + 30]}…".replace("\n", " ")


def _value(figure: str) -> float | None:
    if figure[-1].isalpha():
        return _WORDS.get(figure.lower())
    return float(figure.strip("£%").replace(",", ""))


FACTS = read_facts(read_json(CONTENT / "facts.json", {}))
DOCUMENTS = {
    f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in sorted(CONTENT.rglob("*.md"))
}


def test_every_figure_has_its_origin() -> None:
    found = {name: bare_figures(name, text, FACTS) for name, text in DOCUMENTS.items()}
    assert {name: figures for name, figures in found.items() if figures} == {}
    folders = {name.partition("/")[0] for name in DOCUMENTS}
    assert folders == {"content", "deals", "faqs", "front-pages", "guides", "lenders", "pages", "services", "towns"}


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
