"""The page of lenders and logos without a browser: what its handlers show, and what they make of hostile arguments."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
import reflex as rx

from broker.domain.staff.logos import logo_address
from broker.presenters.staff.logo_outcomes import Outcome, ZipOutcome, outcome, written, zip_outcome
from broker.services.staff.logos.admin import LogoAdmin
from broker.services.staff.logos.refresh import Fetch
from broker.state.staff import logos
from broker.state.staff.logos import StaffLogosState
from tests.unit.services.broken_files import zipped
from tests.unit.services.logo_keeping import ALDER, CEDAR, running
from tests.unit.services.sent_pictures import plain
from tests.unit.state.tab import Locked

RED, GREEN = plain((200, 0, 0)), plain((0, 200, 0))


class Page:
    """The page of somebody who is signed in, past the door (`tests/integration/test_staff_socket.py` has that)."""

    def __init__(self) -> None:
        self.root = rx.State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue] - how Reflex makes a root
        self.state: Any = self.root.get_substate(StaffLogosState.get_full_name().split("."))
        self.state.staff_name = "ada"

    async def do(self, name: str, *given: object) -> None:
        """Call a handler as it was written, without the question who calls."""
        written_as = StaffLogosState.event_handlers[name].fn.__wrapped__
        is_background = StaffLogosState.event_handlers[name].is_background
        names = list(inspect.signature(written_as).parameters)[1:]
        done = written_as(Locked(self.state) if is_background else self.state, **dict(zip(names, given, strict=True)))
        if done is not None:
            await done

    def line(self, lender_id: int) -> Any:
        """Return a lender's line."""
        return next(line for line in self.state.lines if line.lender_id == lender_id)


def with_page(url: str, monkeypatch: pytest.MonkeyPatch, work: Callable[[Page, LogoAdmin], Awaitable[None]]) -> None:
    """Do some work at a page over a admin."""

    async def block() -> None:
        async with running(url) as admin:
            there = SimpleNamespace(logos=admin)
            monkeypatch.setattr(logos, "current", lambda: there)
            page = Page()
            await page.do("open")
            await work(page, admin)

    asyncio.run(block())


async def uploaded(admin: LogoAdmin, data: bytes = RED, made_to: int = 0, who: str = "ben") -> str:
    """Upload a logo of Alder's, and return what the edge answers."""
    report = await admin.upload(ALDER, data, file_name="a.png", who=who, made_to=made_to)
    return written(outcome(report, logo_address))


def test_page_lists_all_lenders_when_it_opens(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(page: Page, _admin: LogoAdmin) -> None:
        assert page.state.status == "loaded"
        assert [line.name for line in page.state.lines] == ["Alder", "Cedar Bank"]
        assert page.state.counts.startswith("2 lenders: 0 with a logo from staff")
        assert (page.state.lenders.done, page.state.logos.done) == (False, False)

    with_page(database_url, monkeypatch, work)


def test_uploaded_logo_is_told_and_undone(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(page: Page, admin: LogoAdmin) -> None:
        await page.do("begun", "42", "a.png")
        assert page.state.sending == "a.png"
        await page.do("sent", "42", "a.png", "", await uploaded(admin))
        done: Outcome = page.state.done
        assert (page.state.sending, done.sentence) == ("", "a.png: Alder has its logo now.")
        assert page.line(ALDER).has_logo
        await page.do("put_back", ALDER, done.undo_to, done.number)
        assert (page.state.done.what, page.line(ALDER).has_logo) == ("Put back", False)
        await page.do("put_back", ALDER, page.state.done.undo_to, page.state.done.number)
        assert page.line(ALDER).has_logo
        await page.do("put_away")
        assert page.state.done == Outcome()

    with_page(database_url, monkeypatch, work)


def test_change_that_somebody_else_overtook_tells_what_is_there_now(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(page: Page, admin: LogoAdmin) -> None:
        await uploaded(admin)
        await page.do("open")
        seen = page.line(ALDER).number
        await uploaded(admin, GREEN, made_to=1)
        await page.do("remove", ALDER, seen)
        assert page.state.done.what == "Changed meanwhile"
        assert page.state.done.now.startswith("There now: a.png, by ben")
        assert (page.line(ALDER).number, page.line(ALDER).has_logo) == (2, True)
        await page.do("remove", ALDER, page.line(ALDER).number)
        assert (page.state.done.what, page.line(ALDER).source) == ("Removed", "Removed by staff")

    with_page(database_url, monkeypatch, work)


def test_chosen_lender_shows_its_versions(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(page: Page, admin: LogoAdmin) -> None:
        await uploaded(admin)
        await page.do("choose", ALDER)
        assert (page.state.chosen, [line.what for line in page.state.versions]) == (ALDER, ["a.png", "Before staff"])
        await page.do("choose", CEDAR)
        assert (page.state.chosen, page.state.versions) == (CEDAR, ())
        await page.do("choose", CEDAR)
        assert page.state.chosen == 0

    with_page(database_url, monkeypatch, work)


def test_zip_report_stands_until_it_is_put_away(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(page: Page, admin: LogoAdmin) -> None:
        files = zipped({"42.png": RED, "7.txt": b"x"})
        report = await admin.upload_zip(files, file_name="logos.zip", who="ada")
        await page.do("sent", "", "logos.zip", "", written(zip_outcome(report, logo_address)))
        assert [file.what for file in page.state.bulk.files] == ["Refused", "Stored"]
        done = page.state.bulk.files[1]
        await page.do("put_back", done.lender_id, done.undo_to, done.number)
        assert [file.what for file in page.state.bulk.files] == ["Refused", "Put back"]
        await page.do("put_report_away")
        assert page.state.bulk == ZipOutcome()

    with_page(database_url, monkeypatch, work)


@pytest.mark.parametrize(
    ("lender", "problem", "said"),
    [
        ("42", "too-large", "a.png is larger than 2 MB."),
        ("", "too-large", "a.png is larger than 20 MB."),
        ("42", "lost", "a.png could not be read, or did not arrive"),
        ("42", "refused", "a.png was not taken. You are not"),
        ("42", "", "a.png was sent, and the answer was lost."),
        ("", "nowhere", "That was not dropped on a lender"),
    ],
)
def test_file_that_was_not_taken_is_told(
    database_url: str, monkeypatch: pytest.MonkeyPatch, lender: str, problem: str, said: str
) -> None:
    async def work(page: Page, _admin: LogoAdmin) -> None:
        await page.do("sent", lender, "C:\\a.png", problem, "You are not signed in.")
        assert page.state.done.sentence.startswith(said)

    with_page(database_url, monkeypatch, work)


@pytest.mark.parametrize("problem", ["", "E42: no list for you"])
def test_list_that_cannot_be_fetched_is_empty_and_says_so(
    database_url: str, monkeypatch: pytest.MonkeyPatch, problem: str
) -> None:
    async def work(page: Page, admin: LogoAdmin) -> None:
        fetch = Fetch(done=True, sentence=f"So ({problem}).", problem=problem)

        async def refresh(*, who: str) -> tuple[Fetch, tuple[Any, ...]]:
            assert (who, page.state.lenders.fetching) == ("ada", True)
            return fetch, () if problem else await admin.rows()

        monkeypatch.setattr(admin, "refresh_lenders", refresh)
        await page.do("fetch_lenders")
        assert (page.state.status, len(page.state.lines)) == (("emptied", 0) if problem else ("loaded", 2))
        assert problem in page.state.lenders.sentence
        await page.do("fetch_logos")
        assert len(page.state.lines) == (0 if problem else 2)
        assert page.state.logos.done
        await page.do("open")
        assert len(page.state.lines) == 2

    with_page(database_url, monkeypatch, work)


HOSTILE: tuple[object, ...] = (None, "42", 4.2, True, -1, 10**30, [42], {"a": 1})


@pytest.mark.parametrize("given", HOSTILE, ids=repr)
def test_hostile_arguments_change_nothing(database_url: str, monkeypatch: pytest.MonkeyPatch, given: object) -> None:
    async def work(page: Page, admin: LogoAdmin) -> None:
        await uploaded(admin)
        await page.do("open")
        before = page.state.dict()
        await page.do("choose", given)
        await page.do("remove", given, 1)
        await page.do("remove", ALDER, given)
        await page.do("put_back", ALDER, given, 1)
        await page.do("put_back", ALDER, 0, given)
        if not isinstance(given, str):
            await page.do("begun", "42", given)
            await page.do("sent", given, "a.png", "", "")
            await page.do("sent", "42", "a.png", "", given)
        assert page.state.dict() == before
        assert len(await admin.versions(ALDER)) == 1

    with_page(database_url, monkeypatch, work)


def test_outcome_that_the_edge_did_not_write_is_no_outcome(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(page: Page, _admin: LogoAdmin) -> None:
        await page.do("sent", "42", "a.png", "", '{"what": "Stored"}')
        assert page.state.done.tone == "bad"
        assert page.state.done.sentence.startswith("a.png was sent, and the answer was lost")

    with_page(database_url, monkeypatch, work)
