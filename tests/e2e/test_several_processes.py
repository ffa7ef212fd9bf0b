"""Two processes over Redis and PostgreSQL: a visitor goes on at the other one after a kill, and loses nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from broker import routes
from tests.databases.cluster import Cluster
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import DESKTOP, Problems
from tests.e2e.questionnaire_page import SECOND, TO_Q19, QuestionnairePage
from tests.e2e.rates_page import AMOUNT, RatesPage, answer, ids
from tests.integration.processes_site import PROCESSES, ProcessesSite, processes_site
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project


@pytest.fixture(scope="module")
def processes(
    site: Path, project: Project, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ProcessesSite]:
    del site
    with processes_site(project, tmp_path_factory.mktemp("processes"), cluster) as running:
        yield running


def test_search_goes_on_when_its_process_is_killed(
    processes: ProcessesSite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("WebSocket connection")
    rates = RatesPage(page=open_page(DESKTOP, base=processes.url))
    rates.open(period="5")
    for amount, process in zip(("150000", "160000"), processes.running(), strict=True):
        rates.box(AMOUNT).fill(amount)
        processes.kill(process)
        rates.update()
        expected = ids(answer(amount=amount, period="5"))
        expect(rates.cards.first).to_have_attribute("data-product", expected[0])
        rates.expect_cards(expected)
        rates.expect_address(amount=amount, period="5")
        processes.start_ended()


def test_questionnaire_goes_on_when_its_process_is_killed(
    processes: ProcessesSite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("WebSocket connection")
    asked = QuestionnairePage(page=open_page(DESKTOP, base=processes.url))
    asked.open()
    for place, (step, words) in enumerate(TO_Q19.replies[:3]):
        expect(asked.page).to_have_url(re.compile(f"{routes.question(step)}$"))
        asked.fill_in(step, words)
        if place < PROCESSES:
            processes.kill(processes.running()[0])
        asked.on.click()
        expect(asked.page).not_to_have_url(re.compile(f"{routes.question(step)}$"))
        processes.start_ended()
    second, words = TO_Q19.replies[1]
    asked.open(second)
    expect(asked.option(words)).to_be_checked()


def test_pages_search_and_forms_work_while_redis_is_away(processes: ProcessesSite) -> None:
    processes.redis.stop()
    try:
        with httpx.Client(base_url=processes.url, headers={"origin": processes.url}, timeout=ANSWER_TIMEOUT) as client:
            assert client.get(routes.HOME).status_code == 200
            assert "data-product" in client.get(f"{routes.deals('')}?amount=150000").text
            health = client.get("/health").json()
            assert (health["status"], health["redis"]) == ("degraded", "unavailable")
            answered = client.post(routes.GIVE_ANSWER, data={"step": "q1", "answer": "remortgage"})
            assert (answered.status_code, answered.headers["location"]) == (303, routes.question(SECOND))
    finally:
        processes.start_redis()


def test_tab_works_again_once_redis_is_back(processes: ProcessesSite, open_page: OpenPage, problems: Problems) -> None:
    problems.expect("WebSocket connection")
    rates = RatesPage(page=open_page(DESKTOP, base=processes.url))
    rates.open(period="5")
    expect(rates.list).to_have_attribute("data-answered", f"{routes.RATES}?period=5")
    expect(rates.page.get_by_text("No signal.")).to_have_count(0)
    processes.redis.stop()
    expect(rates.page.get_by_text("Connection lost.")).to_be_visible()
    processes.redis.start()
    expect(rates.page.get_by_text("Connection lost.")).to_be_hidden()
    rates.box(AMOUNT).fill("150000")
    rates.update()
    found = ids(answer(amount="150000", period="5"))
    expect(rates.cards.first).to_have_attribute("data-product", found[0])
    rates.expect_cards(found)
