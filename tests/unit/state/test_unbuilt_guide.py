"""A guide published after the build, as a tab sees it come: loading, loaded, failed, missing."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import TypeAlias

import pytest

from broker import services
from broker.content.errors import ContentApiError
from broker.presenters.guide_page import GuideView
from broker.services.unbuilt_guides import UnbuiltGuides
from broker.state import unbuilt_guide
from broker.state.unbuilt_guide import UnbuiltGuideState
from tests.unit.services.clock import Clock
from tests.unit.services.guides import ListedGuides, guide
from tests.unit.services.sources import ListSource
from tests.unit.state.tab import Locked, StateTab

PATH = "/mortgage-guides/bridging-loans/"
AWAY = ContentApiError("graphql", "answered 502")
FAILED = "failed: Failed to fetch API"


GuideTab: TypeAlias = StateTab[UnbuiltGuideState]


class Watched(Locked):
    """The state behind its lock, which notes what the page shows whenever the lock is given back."""

    shown: list[str]

    def __init__(self, state: UnbuiltGuideState) -> None:
        super().__init__(state)
        object.__setattr__(self, "shown", [])

    async def __aexit__(self, *_: object) -> None:
        problem = f": {self.problem}" if self.problem else ""
        self.shown.append(f"{self.status}{problem}{' (again)' if self.again else ''}")


@pytest.fixture
def guides(monkeypatch: pytest.MonkeyPatch, source: ListSource) -> ListedGuides:
    """The content service behind the site's services; a retry comes at once, and no failure is remembered."""
    del source
    monkeypatch.setattr(unbuilt_guide, "RETRY", 0)
    monkeypatch.setattr("broker.services.unbuilt_guides.PAUSE", 0)
    guides = ListedGuides({"bridging-loans": guide("bridging-loans")})
    found = UnbuiltGuides(guides, fresh_for=timedelta(minutes=10), clock=Clock())
    services.install(replace(services.current(), unbuilt_guides=found))
    return guides


@pytest.fixture
def tab(source: ListSource) -> GuideTab:  # noqa: ARG001 - a tab needs the services to be there
    return StateTab(UnbuiltGuideState)


async def opened(tab: GuideTab, path: str = PATH) -> Watched:
    tab.go(path)
    watched = Watched(tab.state)
    await UnbuiltGuideState.event_handlers["open"].fn(watched)
    return watched


async def test_guide_is_loading_and_then_loaded_with_its_title(tab: GuideTab, guides: ListedGuides) -> None:
    state = await opened(tab)
    assert state.shown == ["loading (again)", "loaded (again)"]
    assert (state.path, state.title) == (PATH, "bridging-loans explained")
    assert (state.guide.title, guides.asked) == ("All about bridging-loans", ["list", "bridging-loans"])


async def test_guide_that_nobody_knows_is_missing(tab: GuideTab, guides: ListedGuides) -> None:
    state = await opened(tab, "/mortgage-guides/nobody-wrote-this")
    assert (state.shown[-1], state.title, state.guide) == ("missing (again)", "Page not found", GuideView())
    assert guides.asked == ["list"]


async def test_failed_read_is_shown_and_tried_once_more(tab: GuideTab, guides: ListedGuides) -> None:
    guides.problem = AWAY
    assert (await opened(tab)).shown == ["loading (again)", f"{FAILED} (again)", FAILED, FAILED]
    assert guides.asked == ["list", "list"]


async def test_guide_that_comes_at_the_second_try_is_shown(
    tab: GuideTab, guides: ListedGuides, monkeypatch: pytest.MonkeyPatch
) -> None:
    guides.problem = AWAY

    async def recover(_seconds: float) -> None:
        guides.problem = None

    monkeypatch.setattr(asyncio, "sleep", recover)
    state = await opened(tab)
    assert (state.shown[1], state.status) == (f"{FAILED} (again)", "loaded")
    assert state.guide.title == "All about bridging-loans"


async def test_next_guide_begins_without_the_words_of_the_one_before(tab: GuideTab, guides: ListedGuides) -> None:
    guides.guides["leasehold"] = guide("leasehold")
    await opened(tab)
    guides.problem = AWAY
    state = await opened(tab, "/mortgage-guides/leasehold/")
    assert (state.shown[0], state.title) == ("loading (again)", "Mortgage guide")
    assert state.path == "/mortgage-guides/leasehold/"


@pytest.mark.parametrize("path", ["/", "/mortgage-guides//", "/mortgage-guides/A%20b/", "/mortgage-guides/<script>/"])
async def test_forged_address_asks_for_nothing(tab: GuideTab, guides: ListedGuides, path: str) -> None:
    assert ((await opened(tab, path)).shown[-1], guides.asked) == ("missing (again)", [])


async def test_without_a_live_content_service_every_unknown_guide_is_missing(tab: GuideTab) -> None:
    assert (await opened(tab)).shown[-1] == "missing (again)"
