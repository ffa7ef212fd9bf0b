"""A questionnaire that the content service changed, in a browser: compiled questions, and those that are rendered."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from broker import routes
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import Problems
from tests.e2e.questionnaire_page import QuestionnairePage
from tests.integration.enquiry_site import EnquirySite, enquiry_site
from tests.integration.test_live_questionnaire import change, until
from tests.standin import running
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.questionnaire.edited_flow import NEW_QUESTION, ask_new_question
from tools.project import Project

Q1, Q2, Q18, NEW = (routes.question(step) for step in ("q1", "q2", "q18", "q200"))


@pytest.fixture(scope="module")
def changed_site(
    site: Path,  # noqa: ARG001 - the server serves this build
    project: Project,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[EnquirySite]:
    """Return a site whose content service asks a new question, q200, between q2 and q18."""
    with running() as standin:
        change(standin, ask_new_question)
        with enquiry_site(project, tmp_path_factory.mktemp("changed"), api_url=standin.url) as served:
            asked = partial(httpx.get, f"{served.url}{Q2}", timeout=ANSWER_TIMEOUT)
            until(lambda: asked().headers.get("cache-control") == "no-store")
            yield served


def test_new_question_is_answered_between_compiled_ones(
    changed_site: EnquirySite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("status of 422")
    page = open_page(PHONE, base=changed_site.url)
    asked = QuestionnairePage(page=page)
    asked.open("q1")
    asked.fill_in("q1", "remortgage")
    asked.on.click()
    expect(page).to_have_url(Q2)
    page.go_back()
    expect(page).to_have_url(Q1)
    asked.expect_told()
    expect(asked.option("remortgage")).to_be_checked()
    page.go_forward()
    expect(page).to_have_url(Q2)
    expect(page.get_by_role("link", name="Change Mortgage for")).to_have_attribute("href", f"{Q1}?change=yes")
    expect(page.get_by_text("Question 2.")).to_be_visible()
    page.locator("label[for=residential]").click()
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(NEW)
    expect(asked.heading).to_have_text(NEW_QUESTION["query"])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose one of the answers")
    page.locator("label", has_text="Within six months").click()
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(Q18)
    asked.expect_told()
    expect(page.locator(".answers")).to_contain_text("Within six months")
    expect(page.get_by_text("Question 4.")).to_be_visible()
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page).to_have_url(NEW)
    expect(page.get_by_role("radio", name="Within six months")).to_be_checked()
    page.go_back()
    expect(page).to_have_url(Q18)
