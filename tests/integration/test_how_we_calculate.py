"""The exported page of how we calculate: its figures are in the HTML, and every page that needs it links to it."""

import re

from broker import routes
from broker.calculators.published_figures_view import figure_groups
from broker.calculators.registry import CALCULATORS
from tests.services import project_method

MIN_FIGURES = 60

_FOOTER = '<footer class="foot dark">'
"""The footer of every page but those of the questionnaire."""

_ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r'<td[^>]* data-l="(Published|Ours|Difference)"[^>]*>(.*?)</td>', re.DOTALL)


def test_html_has_every_published_figure_with_ours_beside_it(html: dict[str, str]) -> None:
    found = [dict(_CELL.findall(row)) for row in _ROW.findall(html[routes.HOW_WE_CALCULATE])]
    shown = [(row["Published"], row["Ours"], row["Difference"]) for row in found if row]
    rows = [row for group in figure_groups(project_method().figures) for row in group.rows]
    assert shown == [(row.theirs, row.ours, row.difference) for row in rows]
    assert len(shown) >= MIN_FIGURES


def test_footer_calculators_and_rates_link_to_it(html: dict[str, str]) -> None:
    link = f'href="{routes.HOW_WE_CALCULATE}"'
    footers = {path: page.partition(_FOOTER)[2] for path, page in html.items() if _FOOTER in page}
    assert ([path for path, footer in footers.items() if link not in footer], routes.HOME in footers) == ([], True)
    explaining = (routes.CALCULATORS, *(routes.calculator(one.slug) for one in CALCULATORS), routes.RATES)
    explaining += (routes.BUYING_PLAN, routes.REMORTGAGE_PLAN)
    mains = {path: html[path].partition("<main")[2].partition("</main>")[0] for path in explaining}
    assert [path for path, main in mains.items() if link not in main] == []
