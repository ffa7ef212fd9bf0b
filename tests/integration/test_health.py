"""What the site says and does while its database is away, or its file was removed: over real HTTP."""

from pathlib import Path

import httpx
import pytest

from broker import routes
from broker.enquiries.service import AWAY
from tests.integration.enquiry_site import FORM
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project
from tools.server import Server, free_port, start

pytestmark = pytest.mark.usefixtures("site")


def serve(project: Project, state: Path, **settings: str) -> Server:
    return start(project, free_port(), log=state / "log", settings={"BROKER_STATE_DIR": str(state), **settings})


def post(server: Server) -> httpx.Response:
    page = httpx.get(server.url + routes.CONTACT, timeout=ANSWER_TIMEOUT).text
    version = page.partition('name="text_version" value="')[2].partition('"')[0]
    form = {**FORM, "kind": "callback", "text_version": version}
    return httpx.post(server.url + routes.CONTACT, data=form, headers={"origin": server.url}, timeout=ANSWER_TIMEOUT)


def health(server: Server) -> tuple[int, str, str]:
    answer = httpx.get(f"{server.url}/health", timeout=ANSWER_TIMEOUT)
    return answer.status_code, answer.json()["status"], answer.json()["database"]


def test_pages_are_served_without_a_database_and_forms_say_so(project: Project, tmp_path: Path) -> None:
    server = serve(project, tmp_path, BROKER_DATABASE_URL="postgresql://nobody@127.0.0.1:1/name")
    try:
        for path in (routes.HOME, routes.CONTACT):
            assert httpx.get(server.url + path, timeout=ANSWER_TIMEOUT).status_code == 200
        answer = post(server)
        assert (answer.status_code, AWAY in answer.text, FORM["message"] in answer.text) == (503, True, True)
        assert health(server) == (503, "unavailable", "unavailable")
    finally:
        server.stop()


def test_nobody_is_thanked_after_the_database_was_removed(project: Project, tmp_path: Path) -> None:
    server = serve(project, tmp_path)
    try:
        assert (post(server).status_code, health(server)) == (303, (200, "ok", "writable"))
        (tmp_path / "enquiries.db").unlink()
        answer = post(server)
        assert (answer.status_code, AWAY in answer.text) == (503, True)
    finally:
        server.stop()
    assert "the database's file was removed while it was open" in server.said()


def test_server_that_answers_its_own_hosts_alone_is_seen_to_start(project: Project, tmp_path: Path) -> None:
    server = serve(project, tmp_path, BROKER_HOSTS="www.example.co.uk")
    try:
        assert httpx.get(f"{server.url}/ping", timeout=ANSWER_TIMEOUT).status_code == 421
        assert httpx.get(f"{server.url}/health/live", timeout=ANSWER_TIMEOUT).text == "ok"
    finally:
        server.stop()
