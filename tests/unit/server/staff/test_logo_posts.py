from collections.abc import AsyncIterator
from dataclasses import dataclass
from io import BytesIO
from typing import cast
from zipfile import ZipFile

import httpx
import pytest
from starlette.types import Message, Scope

from broker import routes
from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.logos.outcomes import read_reports
from broker.lenders.logos.reports import LogoReport
from broker.server.forms.posts import answer_post
from broker.server.response import Answer
from broker.server.staff.area import LogoPosts
from broker.services import Services
from broker.staff.authentication import StaffAuthentication
from tests.unit.lenders.logos.logo_testbed import ALDER, running
from tests.unit.lenders.logos.sent_pictures import plain, zipped
from tests.unit.staff.staff_testbed import SITE, staff_testbed

LOGO, LOGOS = routes.STAFF_FORMS["logo"], routes.STAFF_FORMS["logos"]
RED, GREEN = plain((200, 0, 0)), plain((0, 200, 0))
MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """The posts over a staff area of a test's own, and the cookie of Ada's session."""

    staff: StaffAuthentication
    logos: LogoAdmin
    cookie: str
    read: list[int]

    async def send(
        self, path: str, file: tuple[str, bytes] | None, *, cookie: str | None = None, **fields: str
    ) -> Answer:
        """Send a form as a browser does, in pieces of 64 kB; `read` counts those that were taken."""
        files = {"file": file} if file else {"other": ("a.txt", b"")}
        request = httpx.Request("POST", f"{SITE}{path}", data=fields, files=files)
        body, size = request.read(), 64 * 1024
        pieces = [body[place : place + size] for place in range(0, len(body), size)]
        cookie = self.cookie if cookie is None else cookie
        headers = {"content-type": request.headers["content-type"], "origin": SITE, "cookie": cookie}
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope: Scope = {"type": "http", "method": "POST", "path": path, "headers": raw, "client": ("192.0.2.7", 1)}

        async def receive() -> Message:
            self.read.append(1)
            return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

        return await answer_post(
            scope, receive, post=LogoPosts(cast(Services, self)).posts()[path], origins=(SITE,), proxies=0
        )

    async def reports(
        self, path: str, file: tuple[str, bytes], lender: str = str(ALDER), number: str = "0"
    ) -> tuple[LogoReport, ...]:
        answer = await self.send(path, file, lender=lender, number=number)
        assert answer.status == 200, answer.body
        found = read_reports(answer.body.decode())
        assert found
        return found


@pytest.fixture
async def posts(database_url: str) -> AsyncIterator[Sending]:
    async with staff_testbed(database_url) as testbed, running(database_url) as admin:
        yield Sending(staff=testbed.admin, logos=admin, cookie=f"staff={await testbed.token()}", read=[])


async def test_picture_is_stored_and_one_made_for_an_older_version_is_not(posts: Sending) -> None:
    (outcome,) = await posts.reports(LOGO, ("a.png", RED))
    assert (outcome.sentence, outcome.undo_to, outcome.number) == ("a.png: Alder has its logo now.", 0, 1)
    assert [version.who for version in await posts.logos.versions(ALDER)] == ["ada"]
    (outcome,) = await posts.reports(LOGO, ("b.png", GREEN))
    assert outcome.what == "Changed meanwhile"
    assert outcome.now.startswith("There now: a.png, by ada")
    assert outcome.picture.startswith("/logos/42-")


REFUSED = (
    ("a.png", b"<html>", "42", "a.png is a web page."),
    ("big.png", RED + bytes(2 * MEGABYTE), "42", "big.png is larger than 2 MB."),
    ("a.png", RED, "999", "a.png: There is no lender 999."),
    *(("a.png", RED, lender, "a.png: There is no lender 0.") for lender in ("", "-42", "9" * 5_000, "４２")),
    ("evil\u202egnp.exe", b"MZ", "42", "evilgnp.exe is a program."),
)


async def test_refused_file_has_a_sentence_with_its_name(posts: Sending) -> None:
    for name, data, lender, sentence in REFUSED:
        (outcome,) = await posts.reports(LOGO, (name, data), lender=lender)
        assert outcome.sentence.startswith(sentence)
    assert await posts.logos.versions(ALDER) == ()


async def test_far_too_large_form_is_not_read_to_its_end(posts: Sending) -> None:
    for path, megabytes in ((LOGO, 3), (LOGOS, 22)):
        posts.read.clear()
        answer = await posts.send(path, ("a.png", bytes(50 * MEGABYTE)), lender="42", number="0")
        assert answer.status == 413
        assert len(posts.read) * 64 * 1024 < megabytes * MEGABYTE


async def test_zip_file_has_an_outcome_for_each_file(posts: Sending) -> None:
    data = zipped({"42.png": RED, "43.png": RED, "notes.txt": b"x"})
    outcomes = {"42.png": "Stored", "43.png": "No such lender", "notes.txt": "Refused"}
    assert {file.file_name: file.what for file in await posts.reports(LOGOS, ("logos.zip", data))} == outcomes


async def test_all_logos_are_one_file_for_who_is_signed_in(posts: Sending) -> None:
    await posts.reports(LOGO, ("a.png", RED))
    handle = LogoPosts(cast(Services, posts)).handlers()[routes.STAFF_LOGOS_FILE]
    found = []
    for cookie in (posts.cookie, ""):
        found.append(await handle({"type": "http", "headers": [(b"cookie", cookie.encode())]}))
    assert [each.status for each in found] == [200, 303]
    assert ZipFile(BytesIO(found[0].body)).namelist() == [f"{ALDER}.png"]


async def test_picture_without_a_lender_finds_its_place_by_its_name(posts: Sending) -> None:
    (report,) = await posts.reports(LOGOS, ("alder.png", RED), lender="")
    assert (report.lender_id, report.what) == (ALDER, "Stored")


async def test_upload_without_a_session_or_a_file_is_refused(posts: Sending) -> None:
    for path in (LOGO, LOGOS):
        for cookie in ("", f"staff={'x' * 43}"):
            answer = await posts.send(path, ("a.png", RED), cookie=cookie, lender="42", number="0")
            assert answer.status == 403
    assert await posts.logos.versions(ALDER) == ()
    assert (await posts.send(LOGO, None, lender="42", number="0")).status == 400
