import re
from urllib.parse import parse_qsl

import pytest

from broker.calculators.calculator import input_problem
from broker.calculators.registry import CALCULATORS
from broker.content.files.json_files import read_facts
from broker.content.files.validated_record import read_json
from tests.our_content import CONTENT
from tools.project import Project

GUIDES = sorted(Project().root.glob("data/content/guides/*.md"))
FACTS = read_facts(read_json(CONTENT / "facts.json", {}))
BY_SLUG = {calculator.slug: calculator for calculator in CALCULATORS}

_LINK = re.compile(r"/tools/calculators/([a-z-]+)/\?([^)\s]+)\)")
_WORKED = re.compile(r"(?:payment|total|interest|true_cost)\(([0-9., ]+)\)")

LINKS = [
    pytest.param(slug, dict(parse_qsl(query)), guide.read_text(encoding="utf-8"), id=f"{guide.stem} {slug}")
    for guide in GUIDES
    for slug, query in _LINK.findall(guide.read_text(encoding="utf-8"))
]


def worked(text: str) -> set[tuple[float, ...]]:
    """Return the loan, rate and term of each figure that a guide works out, facts by their numbers."""
    text = re.sub(r"\bfact\.(\w+)", lambda fact: FACTS.get(fact[0], "").rstrip("%"), text)
    return {tuple(float(part) for part in each.split(",")[:3]) for each in _WORKED.findall(text)}


@pytest.mark.parametrize(("slug", "given", "text"), LINKS)
def test_link_has_figures_that_the_calculator_takes(slug: str, given: dict[str, str], text: str) -> None:
    del text
    calculator = BY_SLUG[slug]
    assert set(given) <= set(calculator.defaults())
    assert {each.name: input_problem(each, given[each.name]) for each in calculator.fields if each.name in given} == {
        each.name: "" for each in calculator.fields if each.name in given
    }


@pytest.mark.parametrize(
    ("slug", "given", "text"), [each for each in LINKS if each.values[0] in ("repayment", "remortgage")]
)
def test_link_opens_an_example_of_its_guide(slug: str, given: dict[str, str], text: str) -> None:
    names = ("rate",) if slug == "repayment" else ("currentRate", "newRate", "followOnRate")
    assert set(given) == {"loan", "term", *names}
    opened = {(float(given["loan"]), float(given[name]), float(given["term"])) for name in names}
    assert opened - worked(text) == set()
