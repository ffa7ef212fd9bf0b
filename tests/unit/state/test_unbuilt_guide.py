"""A guide published after the build, as a tab sees it come: loading, loaded, failed, missing."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest

from broker import services
from broker.content.errors import ContentApiError
from broker.presenters.guide_page import GuideView
from broker.services.unbuilt_guides import UnbuiltGuides
from broker.state import unbuilt_guide
from broker.state.unbuilt_guide import UnbuiltGuideState
from tests.unit.services.clock import Clock
from tests.unit.services.guides import ListedGuides, guide
from tests.unit.state.tab import Locked, Tab

PATH = "/mortgage-guides/bridging-loans/"
AWAY = ContentApiError("graphql", "answered 502")
FAILED = "failed: Failed to fetch API"


class Watched(Locked):
    """The state behind its lock, which notes what the page shows whenever the lock is given back."""

    def __init__(self, state: UnbuiltGuideState, shown: list[str]) -> None:
        super().__init__(cast(Any, state))
        object.__setattr__(self, "shown", shown)

    async def __aexit__(self, *_: object) -> None:
        problem = f": {self.problem}" if self.problem else ""
        object.__getattribute__(self, "shown").append(f"{self.status}{problem}{' (again)' if self.again else ''}")


@pytest.fixture
def guides(monkeypatch: pytest.MonkeyPatch, tab: Tab) -> ListedGuides:
    """Return the content service behind the tab's services; a retry comes at once, and no failure is remembered."""
    del tab
    monkeypatch.setattr(unbuilt_guide, "RETRY", 0)
    monkeypatch.setattr("broker.services.unbuilt_guides.PAUSE", 0)
    guides = ListedGuides({"bridging-loans": guide("bridging-loans")})
    found = UnbuiltGuides(guides, fresh_for=timedelta(minutes=10), clock=Clock())
    services.install(replace(services.current(), unbuilt_guides=found))
    return guides


def opened(tab: Tab, path: str = PATH) -> tuple[UnbuiltGuideState, list[str]]:
    """Open a page; return its state, and what it showed one after the other."""
    tab.go(path)
    state = cast(UnbuiltGuideState, tab.root.get_substate(UnbuiltGuideState.get_full_name().split(".")))
    shown: list[str] = []
    asyncio.run(UnbuiltGuideState.event_handlers["open"].fn(Watched(state, shown)))
    return state, shown


def test_guide_is_loading_and_then_loaded_with_its_title(tab: Tab, guides: ListedGuides) -> None:
    state, shown = opened(tab)
    assert shown == ["loading (again)", "loaded (again)"]
    assert (state.path, state.title, state.guide.title) == (
        PATH,
        "bridging-loans explained",
        "All about bridging-loans",
    )
    assert guides.asked == ["list", "bridging-loans"]


def test_guide_that_nobody_knows_is_missing(tab: Tab, guides: ListedGuides) -> None:
    state, shown = opened(tab, "/mortgage-guides/nobody-wrote-this")
    assert (shown[-1], state.title, state.guide) == ("missing (again)", "Page not found", GuideView())
    assert guides.asked == ["list"]


def test_failure_is_shown_and_asked_about_once_more(tab: Tab, guides: ListedGuides) -> None:
    guides.problem = AWAY
    _, shown = opened(tab)
    assert shown == ["loading (again)", f"{FAILED} (again)", FAILED, FAILED]
    assert guides.asked == ["list", "list"]


def test_guide_that_comes_at_the_second_asking_is_shown(
    tab: Tab, guides: ListedGuides, monkeypatch: pytest.MonkeyPatch
) -> None:
    guides.problem = AWAY

    async def recover(_seconds: float) -> None:
        guides.problem = None

    monkeypatch.setattr(asyncio, "sleep", recover)
    state, shown = opened(tab)
    assert (shown[1], state.status, state.guide.title) == (f"{FAILED} (again)", "loaded", "All about bridging-loans")


def test_next_guide_begins_without_the_words_of_the_one_before(tab: Tab, guides: ListedGuides) -> None:
    guides.guides["leasehold"] = guide("leasehold")
    opened(tab)
    guides.problem = AWAY
    state, shown = opened(tab, "/mortgage-guides/leasehold/")
    assert (shown[0], state.title, state.path) == ("loading (again)", "Mortgage guide", "/mortgage-guides/leasehold/")


@pytest.mark.parametrize("path", ["/", "/mortgage-guides//", "/mortgage-guides/A%20b/", "/mortgage-guides/<script>/"])
def test_forged_address_asks_for_nothing(tab: Tab, guides: ListedGuides, path: str) -> None:
    assert opened(tab, path)[1][-1] == "missing (again)"
    assert guides.asked == []


def test_without_a_living_content_service_every_unknown_guide_is_missing(tab: Tab) -> None:
    assert opened(tab)[1][-1] == "missing (again)"
