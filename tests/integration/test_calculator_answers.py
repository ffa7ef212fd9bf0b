"""The edge's answer to the address of a calculator with inputs: the figures of Python, in the page that React wrote."""

from collections.abc import Iterator
from random import Random
from urllib.parse import urlencode

import pytest
from lxml.html import HtmlElement
from starlette.testclient import TestClient

from broker import routes
from broker.calculators.calculator import Calculator, Field, Unit, box_text, input_problem, needed_problem, number_of
from broker.calculators.registry import CALCULATORS
from broker.calculators.view import TICKED
from broker.server.forms.page_answers import calculator_handlers
from broker.settings import read_settings
from tests.integration.edge_answers import NONSENSE, edge_client, elements_of, part
from tests.integration.outline import words_of

SEED, CASES = 20_261_124, 20

BY_SLUG = {each.slug: each for each in CALCULATORS}

CHOICES_AND_TICKS = ("repayment", "self-employed", "buy-to-let-borrowing")
"""A calculator of fields alone, one with choices, and one with a tick."""

each_calculator = pytest.mark.parametrize("calculator", CALCULATORS, ids=lambda each: each.slug)


@pytest.fixture(scope="module")
def client(site: object) -> Iterator[TestClient]:
    del site
    with edge_client(calculator_handlers) as client:
        yield client


def panel_of(html: str, calculator: Calculator) -> HtmlElement:
    return part(html, calculator.slug)


def typed(field: Field, random: Random) -> str:
    if random.random() < 0.1:
        return random.choice(NONSENSE)
    if field.unit is Unit.YEARS:
        return str(random.randint(2, 2 * int(field.max_value)) / 2)
    if field.unit is Unit.PERCENT:
        return str(random.randint(0, 25_000) / 1_000)
    return f"{random.randrange(int(field.min_value), 10 ** random.randint(1, 10)):,}"


def case(calculator: Calculator, random: Random) -> tuple[dict[str, str], dict[str, str]]:
    """Return random parameters, and which of them are choices."""
    choices = {choice.name: random.choice(choice.options)[0] for choice in calculator.choices}
    ticks = {box.name: TICKED for box in calculator.checkboxes if random.random() < 0.5}
    return {**{field.name: typed(field, random) for field in calculator.fields}, **choices, **ticks}, choices


@each_calculator
def test_random_inputs_have_the_answer_of_python_in_the_first_html(client: TestClient, calculator: Calculator) -> None:
    random = Random(SEED)
    for _ in range(CASES):
        parameters, choices = case(calculator, random)
        answer = client.get(f"{routes.calculator(calculator.slug)}?{urlencode(parameters)}")
        panel = panel_of(answer.text, calculator)
        shown = [one for one in calculator.fields if not one.only_for or one.only_for in map("=".join, choices.items())]
        ticks = {box.name: box.name in parameters for box in calculator.checkboxes}
        problems = {
            one.name: needed_problem(one, input_problem(one, parameters[one.name]), values={**choices, **ticks})
            for one in shown
        }
        assert {box.get("name"): box.get("value") for box in panel.iterfind(".//div[@class='pair']//input")} == {
            one.name: text if input_problem(one, text) else box_text(one, number_of(one, text))
            for one in shown
            if (text := parameters[one.name]) is not None
        }
        errors = {one.get("id"): words_of(one) for one in panel.find_class("err-slot")}
        assert errors == {f"{calculator.slug}-{name}-error": problem for name, problem in problems.items()}
        wrong = [one.label for one in shown if problems[one.name]]
        assert ("<title>Error: " in answer.text) == bool(wrong)
        if wrong:
            assert [words_of(one) for one in panel.find_class("plate")[0].iter("li")] == [
                f"Check: {label}" for label in wrong
            ]
            assert [panel.find_class(name) for name in ("big", "bars", "chart", "how")] == [[]] * 4
            continue
        values = {**calculator.defaults(), **choices, **ticks}
        read = [one for one in shown if not input_problem(one, parameters[one.name])]
        working = calculator.calculate(values | {one.name: number_of(one, parameters[one.name]) for one in read})
        assert words_of(panel.find_class("big")[0]) == f"{working.figure} {working.per}".strip()
        assert words_of(panel.find_class("cap-2")[0]) == working.caption
        tiles = [words_of(one) for one in panel.iterfind(".//div[@class='duo']/p")]
        assert tiles == [f"{figure} {words}" for figure, words in working.tiles]
        assert [words_of(one) for one in panel.iterfind(".//details/ol/li")] == list(working.steps)
        assert [words_of(one) for one in panel.iterfind(".//ul[@class='bars']/li/b")] == [
            bar.figure for bar in working.bars
        ]


@each_calculator
def test_address_without_inputs_of_its_own_is_the_exported_page(
    client: TestClient, calculator: Calculator, html: dict[str, str]
) -> None:
    path = routes.calculator(calculator.slug)
    plain, other = client.get(path), client.get(f"{path}?utm_source=a&{calculator.fields[0].name}x=1")
    assert plain.text == html[path]
    assert elements_of(panel_of(other.text, calculator)) == elements_of(panel_of(html[path], calculator))
    assert "<!-- -->" not in html[path].partition(f'id="{calculator.slug}"')[2].partition("</section>")[0]
    assert ("x-robots-tag" in plain.headers, other.headers["x-robots-tag"]) == (False, "noindex")
    canonical = f'<link href="{read_settings().site_url}{path}" rel="canonical"'
    assert [canonical in each.text for each in (plain, other)] == [True, True]
    assert plain.headers["content-security-policy"] == other.headers["content-security-policy"]


@pytest.mark.parametrize("slug", CHOICES_AND_TICKS)
def test_nonsense_comes_back_as_typed_and_never_as_code(client: TestClient, slug: str) -> None:
    calculator = BY_SLUG[slug]
    field = calculator.fields[0]
    for text in NONSENSE:
        query = urlencode({field.name: text, **{choice.name: text for choice in calculator.choices}})
        answer = client.get(f"{routes.calculator(calculator.slug)}?{query}&%ff=%fe&a")
        assert (text, answer.status_code) == (text, 200)
        assert "<b>&amp;" not in answer.text
        boxes = panel_of(answer.text, calculator).iterfind(f".//input[@name='{field.name}']")
        assert [box.get("value") for box in boxes if input_problem(field, text)] in ([], [text])


def test_path_below_the_page_is_not_found(client: TestClient) -> None:
    assert client.get("/tools/calculators/repayment/nowhere/?a=1").status_code == 404
