"""Nothing moves that nobody asked to move: on a slow line, and on coming back to the questionnaire."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.layout_shift import MAX_SHIFT, shifts, slow_down, watch_shifts
from tests.e2e.pages import WINDOWS, hold_scripts
from tests.e2e.questionnaire_page import QuestionnairePage
from tests.e2e.static_files import serve_folder

PHONES = (
    *(routes.HOME, routes.RATES, routes.CALCULATORS, routes.RATE_HISTORY),
    *("/first-time-buyer/", routes.lender("halifax")),
)
LOOKS = [*((path, PHONE) for path in PHONES), (routes.RATES, DESKTOP)]
"""A page of each layout."""

PAUSES = ('class="menu"', 'class="tel"', 'class="btn s"', "Search this site")
"""Where the line pauses within the header."""

ANSWERS = "q1 remortgage, q2 residential, q18 save-money, q19 400000 120000, q108, q20 yes"
"""Answers that have been given before the visitor comes back."""


def expect_no_shift(page: Page, path: str) -> None:
    page.wait_for_load_state("networkidle")
    score, moved = shifts(page)
    assert (path, score <= MAX_SHIFT) == (path, True), moved


@pytest.mark.parametrize(("path", "size"), LOOKS)
def test_nothing_moves_while_a_page_loads_on_a_slow_line(open_page: OpenPage, path: str, size: tuple[int, int]) -> None:
    page = open_page(size)
    watch_shifts(page)
    slow_down(page)
    page.goto(path)
    expect_no_shift(page, path)


@pytest.mark.parametrize("size", WINDOWS.values(), ids=WINDOWS)
def test_nothing_moves_where_the_line_pauses_in_the_header(
    open_page: OpenPage, site: Path, size: tuple[int, int]
) -> None:
    with serve_folder(site, pause_before=PAUSES) as address:
        page = open_page(size, base=address)
        hold_scripts(page)
        watch_shifts(page)
        page.goto(routes.ABOUT)
        score, moved = shifts(page)
        page.close()  # what it still loads would fail as the server ends
    assert score <= MAX_SHIFT, moved


@pytest.mark.parametrize("size", WINDOWS.values(), ids=WINDOWS)
def test_nothing_moves_on_return_to_the_questionnaire(
    asked_site: AnsweringSite, open_page: OpenPage, size: tuple[int, int]
) -> None:
    token = asked_site.given(ANSWERS)
    for step in ("q1", "q19", "q20", "q108"):
        page = open_page(size, base=asked_site.url)
        asked = QuestionnairePage(page=page)
        asked.bring(token, asked_site.url)
        watch_shifts(page)
        asked.open(step)
        expect(page.locator(".opening .note, .answers-slot dd").first).to_be_attached()
        expect_no_shift(page, step)
