"""Editors own the front pages: what they change in WordPress, read over HTTP, is what the next build shows."""

import re
from collections.abc import Callable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from broker import routes
from broker.calculators.registry import CALCULATORS
from broker.content.snapshot.snapshot_folder import read_report
from broker.content.snapshot.snapshot_store import SnapshotStore
from tests.integration.drawn_site import Drawn, drawn_site
from tests.integration.test_partial_failures import Editor, has_path, rewrite, slug_of, without
from tests.our_content import STORE
from tests.standin import Standin, running

Edit = Callable[[str, Any], Any]

ACTIVE = ["remortgage", "contractor-mortgage", "borrow"]
SHOWN = ["remortgage", "contractor", "borrow"]
HTML = '<p>We wrote this <a href="/api/calculators/#{}">ourselves</a>.</p>'


def edited(path: str, title: str, **acf: Any) -> Edit:
    """Return the edit that gives the page of a path another title and other custom fields."""
    return rewrite(
        "pages", has_path(path), lambda page: page | {"title": {"rendered": title}, "acf": page["acf"] | acf}
    )


EDITS = (
    edited("/home/", "Homes, sorted. For nothing.", meta_title="Homes, sorted", banner_subtext="Ask us first."),
    edited("/calculators/", "Do your sums", active_calculators=ACTIVE, content_section_1=HTML.format("repayment")),
    edited("/rates/", "Every rate", meta_description="Every rate there is.", content_section_1=HTML.format("borrow")),
    edited("/remortgages/", "Change your lender", meta_title="Change lender today"),
    rewrite(
        "faqs",
        lambda tree: tree.get("post_title") == "First Time Buyer: What does it cost?",
        lambda post: post | {"post_title": "What will it cost me?"},
    ),
)


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with running() as standin:
        yield standin


@pytest.fixture(scope="module")
def editor(server: Standin, tmp_path_factory: pytest.TempPathFactory) -> Editor:
    editor = Editor(standin=server, folder=tmp_path_factory.mktemp("content"))
    server.edit(lambda call, tree: reduce(lambda changed, edit: edit(call, changed), EDITS, tree))
    taken, report = editor.sync()
    assert taken, report
    assert [line for line in report if line.startswith("fault: page /:")] == []
    return editor


@pytest.fixture(scope="module")
def site(editor: Editor) -> dict[str, Drawn]:
    return drawn_site(SnapshotStore(editor.snapshot(), STORE))[0]


def test_page_has_the_heading_title_and_lead_that_an_editor_wrote(site: dict[str, Drawn]) -> None:
    for route in (routes.HOME, routes.HOME2):
        assert {"Homes, sorted.", "For nothing.", "Ask us first."} <= set(site[route].words)
        assert "A good mortgage." not in site[route].words
    assert site[routes.HOME].page.title == "Homes, sorted"
    assert (site[routes.RATES].page.description, site[routes.RATES].words[1]) == ("Every rate there is.", "Every rate")
    assert "Change your lender" in site["/remortgages/"].words
    assert site["/remortgages/"].page.title == "Change lender today"
    for route in (routes.CALCULATORS, routes.RATES):
        assert re.search(r"We wrote this .*ourselves.*\.</p>", site[route].html), route
    assert "What will it cost me?" in site["/first-time-buyer/"].words


def test_no_sentence_of_ours_is_on_the_front_pages(site: dict[str, Drawn]) -> None:
    fronts = STORE.content.front_pages
    for route, ours in fronts.items():
        words = {ours.summary, *ours.points, *(words.lead for words in ours.sections.values() if words.lead)}
        words |= {step.text for section in ours.sections.values() for step in section.steps}
        assert words & set(site[route].words) == set(), route
    questions = {faq.question for faqs in STORE.content.faqs.values() for faq in faqs}
    questions -= {calculator.title for calculator in CALCULATORS}
    assert questions & {word for route in fronts for word in site[route].words} == set()


def test_calculators_are_the_active_ones_in_their_order(site: dict[str, Drawn]) -> None:
    page, home = site[routes.CALCULATORS], site[routes.HOME]
    own = [routes.calculator(slug) for slug in SHOWN]
    assert [link for link in page.links if link in {routes.calculator(each.slug) for each in CALCULATORS}] == own
    assert {each for each in page.values("id") if each in {one.slug for one in CALCULATORS}} == set(SHOWN)
    assert [link for link in home.links if link in own] == own
    assert {routes.calculator(each.slug) for each in CALCULATORS} <= set(site)
    listed = {link for link in site[routes.SITE_MAP].links if link.startswith(routes.CALCULATORS)}
    assert listed == {routes.CALCULATORS, *own}
    assert f"{routes.CALCULATORS}#repayment" not in page.html
    assert f"{routes.CALCULATORS}#borrow" in site[routes.RATES].html


def test_front_pages_stay_while_their_call_fails_and_staff_see_why(editor: Editor) -> None:
    before = editor.snapshot().front_pages
    editor.standin.switch("html-502", only="pages")
    try:
        assert editor.sync()[0]
    finally:
        editor.standin.switch()
    assert editor.snapshot().front_pages == before
    report = read_report(editor.folder)
    assert report
    assert [part.name for part in report.parts if part.fault][:1] == ["pages"]


def test_removal_of_the_home_page_is_asked_for(editor: Editor, tmp_path: Path) -> None:
    other = Editor(standin=editor.standin, folder=tmp_path)
    editor.standin.edit()
    assert other.sync()[0]
    editor.standin.edit(without("pages", lambda tree: slug_of(tree) == "home"))
    taken, report = other.sync()
    assert not taken
    assert [line for line in report if line.startswith("unusable: page /: would lose its words: ")]
    assert other.sync(accept_removals=True)[0]
    assert SnapshotStore(other.snapshot(), STORE).front_page(routes.HOME).title == STORE.site().name
