"""A new release under load: the server changes over with no request lost."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from broker import routes
from broker.content.snapshot.snapshot_folder import snapshot_folder, write_snapshot
from broker.server.releases import CLIENT, METADATA
from broker.settings import Settings
from tests.integration.visitors import shown, visitors
from tests.standin import running
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.content.wordpress.answering import snapshot
from tools.project import Project
from tools.release import put
from tools.server import Server, free_port, start

VISITED = (routes.HOME, routes.ABOUT, routes.RATES, "/site.css", "/nothing-here/")
PATIENCE = ANSWER_TIMEOUT
OLD, NEW = "Who we are", "What we are"


@pytest.fixture
def web(site: Path, tmp_path: Path) -> Path:
    web = tmp_path / "web"
    shutil.copytree(site, web / CLIENT, copy_function=os.link)
    shutil.copytree(
        site.parents[1],
        web,
        copy_function=os.link,
        ignore=shutil.ignore_patterns("build", METADATA),
        dirs_exist_ok=True,
    )
    return web


@pytest.fixture
def published(web: Path, project: Project, tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    folder = tmp_path / "releases"
    put(_copied(web), folder, key="", code="")
    server = start(project, free_port(), log=tmp_path / "log", settings={"BROKER_RELEASES_DIR": str(folder)})
    yield server, folder
    server.stop()


def _copied(web: Path) -> Path:
    copy = web.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    return Path(shutil.copytree(web, copy, copy_function=os.link))


def _edited(web: Path) -> Path:
    copy = _copied(web)
    for file in (copy / CLIENT / routes.ABOUT.strip("/")).iterdir():
        html = file.read_text("utf-8") if file.suffix == ".html" else ""
        file.unlink()
        if html:
            file.write_text(html.replace(OLD, NEW), "utf-8")
    return copy


def test_a_new_release_shows_within_seconds_and_no_request_is_lost(published: tuple[Server, Path], web: Path) -> None:
    server, folder = published
    before = httpx.get(server.url + routes.ABOUT, timeout=ANSWER_TIMEOUT).text
    with visitors(server.url, VISITED) as answers:
        put(_edited(web), folder, key="", code="")
        changed = shown(server.url + routes.ABOUT, NEW, patience=PATIENCE)
    assert (OLD in before, NEW in before, changed) == (True, False, True)
    statuses = {path: 404 if path == VISITED[-1] else 200 for path in VISITED}
    assert set(answers) == set(statuses.items())
    assert min(answers.values()) > 1


def test_new_snapshot_is_served_without_a_build(web: Path, project: Project, tmp_path: Path) -> None:
    folder, found = tmp_path / "releases", snapshot()[0]
    put(_copied(web), folder, key="", code="")
    kept, gone = found.guides[0].url, routes.guide("what-is-ltv")
    history = replace(found.history, moved={"/old/": routes.guide(kept)}, removed=(gone,))
    with running() as standin:
        settings = Settings(state_dir=tmp_path / "state", api_url=standin.url)
        new = replace(found, source=standin.url, history=history, guides=found.guides[:1])
        given = {"BROKER_RELEASES_DIR": str(folder), "BROKER_STATE_DIR": str(settings.state_dir)}
        given |= {"BROKER_API_URL": standin.url}
        server = start(project, free_port(), log=tmp_path / "log", settings=given)
        try:
            lender = f"{routes.RATES_CSV}?lender={found.lenders['alder-mutual'].lender_id}"
            asked = (lender, routes.guide(kept), gone, "/old/", routes.lender("alder-mutual"))
            before = [httpx.get(server.url + path, timeout=ANSWER_TIMEOUT).status_code for path in asked]
            with visitors(server.url, VISITED) as answers:
                write_snapshot(snapshot_folder(settings), new, files={})
                shown(server.url + routes.lender("alder-mutual"), "Alder", patience=PATIENCE)
            after = [httpx.get(server.url + path, timeout=ANSWER_TIMEOUT).status_code for path in asked]
            sitemap = httpx.get(f"{server.url}/sitemap.xml", timeout=ANSWER_TIMEOUT).text
        finally:
            server.stop()
    assert before[2:] == [200, 404, 404]
    assert after == [200, 200, 410, 301, 200]
    assert (routes.guide(kept) in sitemap, gone in sitemap) == (True, False)
    assert {status for _, status in answers} == {200, 404}
