"""The page of how we calculate: every calculator is on it, its figures are checked as it is drawn, it is linked."""

from dataclasses import replace

import pytest

from broker import routes
from broker.domain.calculators.registry import CALCULATORS
from broker.domain.lending.published_figures import PublishedFiguresError
from broker.pages import how_we_calculate
from broker.pages.registry import BuildInputs
from tests.unit.pages.whole_site import inputs


def drawn(given: BuildInputs) -> str:
    (page,) = how_we_calculate.pages(given)
    return str(page.render().render())


def test_text_explains_and_links_every_calculator() -> None:
    html = inputs().method.html
    assert [one.slug for one in CALCULATORS if f'href="{routes.calculator(one.slug)}"' not in html] == []


def test_page_shows_every_figure_under_a_heading_of_its_contents() -> None:
    page, method = drawn(inputs()), inputs().method
    assert [one.text for one in method.headings if f"#{one.anchor}" not in page] == []
    assert [figure.source.publisher for figure in method.figures if figure.source.publisher not in page] == []
    assert page.count('"Same"') >= 200


def test_page_is_not_drawn_with_a_figure_that_differs() -> None:
    given = inputs()
    wrong = replace(given.method.figures[0], figure=1)
    with pytest.raises(PublishedFiguresError, match="is 1 at"):
        drawn(replace(given, method=replace(given.method, figures=(wrong,))))
