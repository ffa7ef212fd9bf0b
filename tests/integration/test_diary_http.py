"""The diary of a running site over real HTTP: each form, the feed without a session, and the log without its token."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from broker import routes
from broker.clock import utc_now
from tests.integration.staff_accounts import on_the_command_line
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project
from tools.server import Server, free_port, start

NAME = "ada"
FORMS = [name for name in routes.STAFF_FORMS if name.startswith("diary-")]
PAGES = (
    routes.STAFF_DIARY,
    routes.STAFF_HOURS,
    routes.STAFF_ABSENCES,
    routes.STAFF_FEED,
    f"{routes.STAFF_APPOINTMENT}?number=1",
    f"{routes.STAFF_BOOK}?reference=HG-ABCD-2345",
)
NONSENSE = {"adviser": "\ud7ff'<b>", "number": "-1", "sequence": "x" * 99, "sentence": "y" * 5_000, "slot": "soon"}
OFFICE = dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday"), "9:00 to 17:00")


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def server(site: Path, project: Project, state: Path) -> Iterator[Server]:
    del site
    settings = {"BROKER_STATE_DIR": str(state), "BROKER_LOG_FORMAT": "json"}
    server = start(project, free_port(), log=state / "log", settings=settings)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def password(server: Server, project: Project, state: Path) -> str:
    del server
    return on_the_command_line(project, state, "add", NAME, "--generate").split()[-1]


@pytest.fixture
def staff(server: Server, password: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=ANSWER_TIMEOUT, headers={"origin": server.url}) as client:
        client.post(routes.STAFF_FORMS["sign-in"], data={"name": NAME, "password": password})
        yield client


@pytest.mark.parametrize("name", FORMS)
def test_form_is_refused_to_nobody_and_to_other_sites(server: Server, staff: httpx.Client, name: str) -> None:
    form = routes.STAFF_FORMS[name]
    evil = staff.post(form, data={"adviser": NAME}, headers={"origin": "https://evil.example"})
    nobody = httpx.post(f"{server.url}{form}", data={"adviser": NAME}, headers={"origin": server.url})
    assert [evil.status_code, nobody.status_code] == [403, 403]


@pytest.mark.parametrize("name", [each for each in FORMS if each not in ("diary-feed", "diary-find")])
def test_nonsense_is_a_sentence(staff: httpx.Client, name: str) -> None:
    answer = staff.post(routes.STAFF_FORMS[name], data=NONSENSE)
    assert (answer.status_code, "There is no such" in answer.text) == (404, True)


def test_words_that_find_no_case_stay_out_of_the_log(server: Server, staff: httpx.Client) -> None:
    form = routes.STAFF_FORMS["diary-find"]
    nothing, unknown = (staff.post(form, data={"find": words, "day": "x"}) for words in ("", "Quillfeather"))
    assert (nothing.status_code, "Enter a name" in nothing.text) == (422, True)
    assert (unknown.status_code, "No open case has this" in unknown.text) == (200, True)
    assert "Quillfeather" not in server.said()


def test_pages_answer_staff_alone(server: Server, staff: httpx.Client) -> None:
    saved = staff.post(routes.STAFF_FORMS["diary-hours"], data={"adviser": NAME, "stamp": ";" * 6, **OFFICE})
    assert saved.status_code == 303
    found = {page: staff.get(page) for page in PAGES}
    expected = dict.fromkeys(PAGES, 200) | dict.fromkeys(PAGES[-2:], 404)
    assert {page: answer.status_code for page, answer in found.items()} == expected
    assert {answer.headers["cache-control"] for answer in found.values()} == {"no-store"}
    next_week = utc_now() + timedelta(weeks=1)  # as this one may be over
    assert "free" in staff.get(f"{routes.STAFF_DIARY}?week={next_week:%Y-%m-%d}").text
    assert {httpx.get(f"{server.url}{page}").status_code for page in PAGES} == {303}
    assert httpx.get(f"{server.url}/staff-diary.css").status_code == 200


def test_feed_is_read_without_a_session_until_it_is_ended_and_never_logged(server: Server, staff: httpx.Client) -> None:
    form = routes.STAFF_FORMS["diary-feed"]
    shown = staff.post(form, data={"act": "make"}).text
    address = re.search(rf"{routes.STAFF_FEED}([\w-]+)\.ics", shown)
    assert address
    feed, forged = (f"{server.url}{routes.diary_feed(token)}" for token in (address[1], address[1][::-1]))
    readable = httpx.get(feed)
    assert (readable.status_code, readable.text.startswith("BEGIN:VCALENDAR")) == (200, True)
    assert httpx.get(forged).status_code == 404
    assert httpx.post(feed).status_code == 403
    assert staff.post(form, data={"act": "end"}).status_code == 303
    assert httpx.get(feed).status_code == 404
    said = server.said()
    assert (f"{routes.STAFF_FEED}*" in said, address[1] in said) == (True, False)
