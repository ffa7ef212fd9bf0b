from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from broker import services
from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.logos.outcomes import write_reports
from broker.lenders.logos.refresh import Fetch
from broker.state.staff import logos
from broker.state.staff.logos import StaffLogosState
from tests.services import closed_services
from tests.unit.lenders.logos.logo_testbed import ALDER, CEDAR, running
from tests.unit.lenders.logos.sent_pictures import plain, zipped
from tests.unit.state.tab import StaffTab

RED, GREEN = plain((200, 0, 0)), plain((0, 200, 0))


class LogosTab(StaffTab):
    def line(self, lender_id: int) -> Any:
        return next(line for line in self.state.lines if line.lender_id == lender_id)


@pytest.fixture
async def admin(database_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LogoAdmin]:
    async with running(database_url) as admin:
        monkeypatch.setattr(services, "_installed", [replace(closed_services(), logos=admin)])
        yield admin


@pytest.fixture
async def page(admin: LogoAdmin) -> LogosTab:  # noqa: ARG001 - a tab needs the services to be there
    page = LogosTab(StaffLogosState)
    await page.do("open")
    return page


async def uploaded(admin: LogoAdmin, data: bytes = RED, made_to: int = 0, who: str = "ben") -> str:
    report = await admin.upload(ALDER, data, file_name="a.png", who=who, made_to=made_to)
    return write_reports([report])


async def test_page_lists_all_lenders_when_it_opens(page: LogosTab) -> None:
    assert page.state.status == "loaded"
    assert [line.name for line in page.state.lines] == ["Alder", "Cedar Bank"]
    assert page.state.counts == "2 lenders, 2 without a logo, 0 to look at"
    assert (page.state.lenders.done, page.state.logos.done) == (False, False)


async def test_uploaded_logo_is_reported_and_undone(page: LogosTab, admin: LogoAdmin) -> None:
    await page.do("begun", "42", "a.png")
    assert page.state.sending == "a.png"
    await page.do("sent", "42", "a.png", "", await uploaded(admin))
    (done,) = page.state.reports
    assert (page.state.sending, done.sentence) == ("", "a.png: Alder has its logo now.")
    assert (page.state.news, page.line(ALDER).has_logo) == ((done,), True)
    await page.do("close_news")
    await page.do("put_back", ALDER, done.undo_to, done.number)
    (undone,) = page.state.reports
    assert (undone.what, undone.file_name, page.line(ALDER).has_logo) == ("Put back", "a.png", False)
    assert len(page.state.news) == 1
    await page.do("put_back", ALDER, undone.undo_to, undone.number)
    assert page.line(ALDER).has_logo
    await page.do("put_away")
    assert (page.state.reports, page.state.told, page.state.news) == ((), "", ())


async def test_refused_files_keep_the_undoing_of_the_change_before(page: LogosTab, admin: LogoAdmin) -> None:
    await page.do("sent", "42", "a.png", "", await uploaded(admin))
    await page.do("sent", "7", "b.txt", "too-large", "")
    await page.do("sent", "", "logos.zip", "too-large", "")
    no_zip = await admin.upload_zip(b"no zip", file_name="other.zip", who="ada")
    await page.do("sent", "", "other.zip", "", write_reports(no_zip))
    *refused, first = page.state.reports
    assert [one.what for one in refused] == ["Refused"] * 3
    await page.do("put_back", first.lender_id, first.undo_to, first.number)
    assert (page.state.reports[-1].what, page.line(ALDER).has_logo) == ("Put back", False)


async def test_key_undoes_the_last_change_for_ten_minutes(
    page: LogosTab, admin: LogoAdmin, monkeypatch: pytest.MonkeyPatch
) -> None:
    await page.do("undo_last")
    await page.do("sent", "42", "a.png", "", await uploaded(admin))
    at = datetime.fromisoformat(page.state.reports[0].at)
    for minutes, has_logo in ((11, True), (9, False)):
        monkeypatch.setattr(logos, "utc_now", lambda after=minutes: at + timedelta(minutes=after))
        await page.do("undo_last")
        assert page.line(ALDER).has_logo == has_logo


async def test_change_refused_after_another_persons_says_what_is_there_now(page: LogosTab, admin: LogoAdmin) -> None:
    await uploaded(admin)
    await page.do("open")
    seen = page.line(ALDER).number
    await uploaded(admin, GREEN, made_to=1)
    await page.do("remove", ALDER, seen)
    assert page.state.reports[0].what == "Changed meanwhile"
    assert page.state.reports[0].now.startswith("There now: a.png, by ben")
    assert (page.line(ALDER).number, page.line(ALDER).has_logo) == (2, True)
    await page.do("remove", ALDER, page.line(ALDER).number)
    assert (page.state.reports[0].what, page.line(ALDER).source) == ("Removed", "Removed by staff")


async def test_chosen_lender_shows_its_versions(page: LogosTab, admin: LogoAdmin) -> None:
    await uploaded(admin)
    await page.do("choose", ALDER)
    assert (page.state.chosen, [line.what for line in page.state.versions]) == (ALDER, ["a.png", "Before staff"])
    await page.do("choose", CEDAR)
    assert (page.state.chosen, page.state.versions) == (CEDAR, ())
    await page.do("choose", CEDAR)
    assert page.state.chosen == 0


async def test_results_of_a_zip_file_stay_until_they_are_put_away(page: LogosTab, admin: LogoAdmin) -> None:
    files = zipped({"42.png": RED, "7.txt": b"x"})
    reports = await admin.upload_zip(files, file_name="logos.zip", who="ada")
    await page.do("sent", "", "logos.zip", "", write_reports(reports))
    assert [file.what for file in page.state.reports] == ["Refused", "Stored"]
    done = page.state.reports[1]
    await page.do("put_back", done.lender_id, done.undo_to, done.number)
    assert [file.what for file in page.state.reports] == ["Refused", "Put back"]


NOT_TAKEN = {
    ("42", "too-large"): "a.png is larger than 2 MB.",
    ("", "too-large"): "a.png is larger than 20 MB.",
    ("42", "lost"): "a.png could not be read, or did not arrive",
    ("42", "refused"): "a.png was not taken. You are not",
    ("42", ""): "a.png was sent, and the answer was lost.",
    ("", "nowhere"): "It was pasted for no lender",
}


async def test_file_that_was_not_taken_is_reported(page: LogosTab) -> None:
    for (lender, problem), words in NOT_TAKEN.items():
        await page.do("sent", lender, "C:\\a.png", problem, "You are not signed in.")
        assert page.state.reports[0].sentence.startswith(words)
    await page.do("sent", "42", "a.png", "", '{"what": "Stored"}')  # which the edge did not write
    first = page.state.reports[0]
    assert (first.tone, first.sentence[:40]) == ("bad", "a.png was sent, and the answer was lost.")


@pytest.mark.parametrize("problem", ["", "E42: no list for you"])
async def test_list_that_cannot_be_fetched_is_empty_and_says_so(
    page: LogosTab, admin: LogoAdmin, monkeypatch: pytest.MonkeyPatch, problem: str
) -> None:
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


HOSTILE: tuple[object, ...] = (None, "42", 4.2, True, -1, 10**30, [42], {"a": 1})


@pytest.mark.parametrize("given", HOSTILE, ids=repr)
async def test_hostile_arguments_change_nothing(page: LogosTab, admin: LogoAdmin, given: object) -> None:
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
