"""Nothing moves that nobody asked to move: on a slow line, and on coming back to the questionnaire."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from broker import routes
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.conftest import OpenPage
from tests.e2e.layout_shift import shifts, slow_down, watch_shifts
from tests.e2e.pages import WINDOWS, hold_scripts
from tests.e2e.questionnaire_page import QuestionnairePage
from tests.e2e.static_files import serve_folder

MOST = 0.01
"""The score that a page may have."""

FAMILIES = (
    routes.HOME,
    "/first-time-buyer/",
    routes.RATES,
    routes.CALCULATORS,
    routes.GUIDES,
    routes.guide("what-is-ltv"),
    routes.lender("halifax"),
    routes.town("ealing"),
    "/about-us/",
)

ANSWERS = "q1 remortgage, q2 residential, q18 save-money, q19 400000 120000, q108, q20 yes"
"""Answers that have been given before somebody comes back."""


@pytest.mark.parametrize("path", FAMILIES)
@pytest.mark.parametrize("size", WINDOWS.values(), ids=WINDOWS)
def test_nothing_moves_while_a_page_loads_on_a_slow_line(open_page: OpenPage, path: str, size: tuple[int, int]) -> None:
    page = open_page(size)
    watch_shifts(page)
    slow_down(page)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    score, moved = shifts(page)
    assert score <= MOST, moved


@pytest.mark.parametrize("mark", ['class="tel"', 'class="btn s"', 'class="menu"', "Search this site"])
@pytest.mark.parametrize("size", WINDOWS.values(), ids=WINDOWS)
def test_nothing_moves_where_the_line_pauses_in_the_header(
    open_page: OpenPage, site: Path, mark: str, size: tuple[int, int]
) -> None:
    with serve_folder(site, pause_before=mark) as address:
        page = open_page(size, base=address)
        hold_scripts(page)
        watch_shifts(page)
        page.goto("/about-us/")
        score, moved = shifts(page)
    assert score <= MOST, moved


@pytest.mark.parametrize("step", ["q1", "q19", "q20", "q108"])
@pytest.mark.parametrize("size", WINDOWS.values(), ids=WINDOWS)
def test_nothing_moves_on_return_to_the_questionnaire(
    asked_site: AnsweringSite, open_page: OpenPage, step: str, size: tuple[int, int]
) -> None:
    page = open_page(size, base=asked_site.url)
    asked = QuestionnairePage(page=page)
    asked.bring(asked_site.given(ANSWERS), asked_site.url)
    watch_shifts(page)
    asked.open(step)
    expect(page.locator(".opening .note, .answers-slot dd").first).to_be_attached()
    page.wait_for_load_state("networkidle")
    score, moved = shifts(page)
    assert score <= MOST, moved
