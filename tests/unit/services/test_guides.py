"""Guides of the store and of the content service: calls, the cache, and what a failure costs."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from broker.content.errors import ContentApiError
from broker.content.models.guides import Guide
from broker.content.store import ContentStore
from broker.services import guides
from broker.services.circuit_breaker import PAUSE
from broker.services.guides import LIST_LIFETIME_SECONDS, MAX_CACHED, MAX_SLUG_LENGTH, GuideAwayError, Guides, guides_of
from tests.our_content import STORE
from tests.unit.services.clock import Clock
from tests.unit.services.guides import ListedGuides, guide

FRESH = timedelta(minutes=10)
BRIDGING = guide("bridging-loans")
AWAY = ContentApiError("graphql", "answered 502")


def store_of(*held: Guide) -> ContentStore:
    return ContentStore(replace(STORE.content, guides=held))


class Visits:
    """A service over some guides, its clock, and what a visitor reads: a title, nothing, or the problem."""

    def __init__(self, *found: Guide) -> None:
        self.source = ListedGuides({each.url: each for each in found})
        self.clock = Clock()
        self.store = store_of()
        self.service = Guides(self.store, self.source, every=FRESH, clock=self.clock)

    async def title(self, slug: str) -> str:
        try:
            found = await self.service.find(slug)
        except GuideAwayError as error:
            return f"Error: {error}"
        return found.guide.title if found else ""

    async def titles(self, *slugs: str) -> list[str]:
        """Return what visitors read who ask at the same time."""
        return await asyncio.gather(*(self.title(slug) for slug in slugs))


@pytest.fixture
def visits() -> Visits:
    return Visits(BRIDGING)


async def test_new_guide_is_listed_and_read_once_however_many_visitors_ask(visits: Visits) -> None:
    assert await visits.titles(*["bridging-loans"] * 20) == [BRIDGING.title] * 20
    assert [await visits.title("bridging-loans") for _ in range(3)] == [BRIDGING.title] * 3
    assert visits.source.asked == ["list", "bridging-loans"]


async def test_guide_is_read_again_when_it_is_no_longer_fresh(visits: Visits) -> None:
    await visits.title("bridging-loans")
    visits.source.guides["bridging-loans"] = guide("bridging-loans", title="Changed")
    visits.clock.now = FRESH.total_seconds() - 1
    assert await visits.title("bridging-loans") == BRIDGING.title
    visits.clock.now = FRESH.total_seconds()
    assert await visits.title("bridging-loans") == "Changed"
    visits.source.guides.clear()
    visits.clock.now = 2 * FRESH.total_seconds()
    assert await visits.title("bridging-loans") == ""
    visits.source.problem = AWAY
    assert await visits.title("bridging-loans") == ""


async def test_addresses_that_lead_nowhere_cost_one_call_however_many(visits: Visits) -> None:
    assert set(await visits.titles(*(f"random-{place}" for place in range(200)))) == {""}
    assert [await visits.title(f"other-{place}") for place in range(200)] == [""] * 200
    assert visits.source.asked == ["list"]


async def test_guide_published_meanwhile_is_found_a_few_seconds_later(visits: Visits) -> None:
    assert await visits.title("leasehold-reform") == ""
    visits.source.guides["leasehold-reform"] = guide("leasehold-reform")
    visits.clock.now = LIST_LIFETIME_SECONDS - 0.1
    assert await visits.title("leasehold-reform") == ""
    visits.clock.now = LIST_LIFETIME_SECONDS
    assert await visits.title("leasehold-reform") == "All about leasehold-reform"


async def test_guide_without_a_page_is_unknown_and_soon_looked_for_again(visits: Visits) -> None:
    visits.source.guides["insurance-guide"] = None
    assert [await visits.title("insurance-guide"), await visits.title("insurance-guide")] == ["", ""]
    assert visits.source.asked == ["list", "insurance-guide"]
    visits.clock.now = LIST_LIFETIME_SECONDS
    await visits.title("insurance-guide")
    assert visits.source.asked == ["list", "insurance-guide"] * 2


async def test_guide_whose_picture_was_late_is_soon_read_again(visits: Visits) -> None:
    visits.source.is_late = True
    await visits.title("bridging-loans")
    visits.source.is_late = False
    visits.clock.now = LIST_LIFETIME_SECONDS - 0.1
    await visits.title("bridging-loans")
    assert visits.source.asked == ["list", "bridging-loans"]
    visits.clock.now = LIST_LIFETIME_SECONDS
    assert await visits.titles("bridging-loans") == [BRIDGING.title]
    assert visits.source.asked == ["list", "bridging-loans"] * 2


NO_SLUGS = ("", "A", "a b", "a/b", "a--b", "-a", "a.html", "ünder", "a" * (MAX_SLUG_LENGTH + 1), "a-" * 50 + "a", "a\n")


async def test_what_is_no_slug_is_never_looked_for(visits: Visits) -> None:
    assert [await visits.title(slug) for slug in NO_SLUGS] == [""] * len(NO_SLUGS)
    assert visits.source.asked == []


async def test_failure_has_the_specified_text_and_holds_for_two_seconds(visits: Visits) -> None:
    visits.source.problem = AWAY
    assert await visits.titles("bridging-loans", "random") == ["Error: Failed to fetch API"] * 2
    visits.clock.now = PAUSE - 0.1
    assert await visits.title("other") == "Error: Failed to fetch API"
    assert visits.source.asked == ["list"]
    visits.source.problem = None
    visits.clock.now = PAUSE
    assert await visits.title("bridging-loans") == BRIDGING.title


async def test_guide_that_was_read_before_is_shown_while_the_service_is_away(visits: Visits) -> None:
    await visits.title("bridging-loans")
    visits.source.problem = AWAY
    visits.clock.now = FRESH.total_seconds()
    seen = [await visits.title("bridging-loans"), await visits.title("random")]
    assert seen == [BRIDGING.title, "Error: Failed to fetch API"]


async def test_unknown_slug_stays_unknown_while_only_texts_fail(visits: Visits) -> None:
    await visits.title("random")
    visits.source.problem = AWAY
    assert [await visits.title("bridging-loans"), await visits.title("random")] == ["Error: Failed to fetch API", ""]


async def test_nobody_waits_longer_than_they_should(visits: Visits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guides, "READ_TIMEOUT_SECONDS", 0.01)
    visits.source.gate = asyncio.Event()
    assert await visits.title("bridging-loans") == "Error: Failed to fetch API"
    assert await visits.title("random") == "Error: Failed to fetch API"
    assert visits.source.asked == ["list"]


async def test_cache_drops_the_guide_used_least_recently(visits: Visits) -> None:
    visits.source.guides.update({f"guide-{place}": guide(f"guide-{place}") for place in range(MAX_CACHED + 1)})
    for place in (*range(MAX_CACHED), 0, MAX_CACHED):
        await visits.title(f"guide-{place}")
    visits.source.asked.clear()
    await visits.title("guide-0")
    assert visits.source.asked == []
    await visits.title("guide-1")
    assert visits.source.asked == ["guide-1"]


async def test_connections_are_closed_when_the_server_ends(visits: Visits) -> None:
    async with visits.service.running():
        assert not visits.source.closed
    assert visits.source.closed


async def test_status_holds_the_last_answer_and_the_last_failure(visits: Visits) -> None:
    assert visits.service.source_status.last.read_at is None
    await visits.title("bridging-loans")
    assert visits.service.source_status.last.read_at
    visits.clock.now, visits.source.problem = FRESH.total_seconds(), AWAY
    await visits.title("bridging-loans")
    last = visits.service.source_status.last
    assert (last.is_failing, last.problem) == (True, "graphql: answered 502")


SAVED = guide("leasehold", title="As copied", modified="2026-11-20T09:00:00")
CHANGED = replace(SAVED, title="Changed since", modified="2026-11-21T10:30:00")


@pytest.fixture
def edited() -> Visits:
    """Return the visits of a store whose one guide was saved again since it was copied."""
    visits = Visits(CHANGED)
    visits.store.content = store_of(SAVED).content
    return visits


async def listed(visits: Visits) -> None:
    """Have the list read, as by an unknown address."""
    visits.clock.now += LIST_LIFETIME_SECONDS
    await visits.title("nobody-wrote-this")


async def test_guide_of_the_store_needs_no_call_until_it_was_saved_again(edited: Visits) -> None:
    assert (await edited.title("leasehold"), edited.source.asked) == ("As copied", [])
    await listed(edited)
    assert [await edited.title("leasehold") for _ in range(3)] == ["Changed since"] * 3
    assert edited.source.asked == ["list", "leasehold"]


async def test_guide_of_a_newer_copy_is_never_replaced_by_an_older_one(edited: Visits) -> None:
    await listed(edited)
    await edited.title("leasehold")
    edited.store.content = store_of(replace(SAVED, title="Copied anew", modified="2026-11-22T08:00:00")).content
    assert await edited.title("leasehold") == "Copied anew"


async def test_guide_of_the_store_is_shown_while_its_new_text_cannot_be_read(edited: Visits) -> None:
    await listed(edited)
    edited.source.problem = AWAY
    assert await edited.title("leasehold") == "As copied"
    edited.source.problem, edited.clock.now = None, edited.clock.now + PAUSE
    assert await edited.title("leasehold") == "Changed since"


async def test_guide_of_the_store_without_a_page_in_the_service_stays(edited: Visits) -> None:
    edited.source.guides["leasehold"] = None
    await listed(edited)
    assert await edited.title("leasehold") == "As copied"


async def test_version_stays_for_what_was_found_and_never_for_what_is_to_be_read(edited: Visits) -> None:
    first = edited.service.version("leasehold")
    assert edited.service.version("leasehold") == first
    await listed(edited)
    assert edited.service.version("leasehold") != edited.service.version("leasehold")
    await edited.title("leasehold")
    second = edited.service.version("leasehold")
    assert second == edited.service.version("leasehold") != first
    edited.store.content = store_of(SAVED, BRIDGING).content
    assert edited.service.version("leasehold") != second


async def test_store_alone_needs_no_content_service() -> None:
    service = guides_of("", store_of(SAVED), every=FRESH)
    async with service.running():
        found = [await service.find(slug) for slug in ("leasehold", "nobody-wrote-this", "A/b")]
    assert [each and each.guide for each in found] == [SAVED, None, None]
    assert [slug in service.slugs for slug in ("leasehold", "nobody-wrote-this")] == [True, False]


async def test_list_is_read_while_the_server_runs(edited: Visits) -> None:
    async with edited.service.running():
        while not edited.source.asked:
            await asyncio.sleep(0)
        while edited.service.source_status.last.read_at is None:
            await asyncio.sleep(0)
    assert (edited.source.asked, edited.source.closed) == (["list"], True)
    assert await edited.title("leasehold") == "Changed since"


async def test_list_is_read_at_once_where_an_editor_saved_something(edited: Visits) -> None:
    async with edited.service.running():
        while edited.source.asked != ["list"]:
            await asyncio.sleep(0)
        edited.service.relist()
        while edited.source.asked != ["list", "list"]:
            await asyncio.sleep(0)
