"""New content under load: the server takes it over without a build, and no request is lost."""

from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from broker import routes
from broker.content.snapshot.snapshot_folder import snapshot_folder, write_snapshot
from broker.settings import Settings
from tests.integration.visitors import shown, visitors
from tests.standin import running
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.content.wordpress.answering import snapshot
from tools.project import Project
from tools.server import free_port, start

VISITED = (routes.HOME, routes.ABOUT, routes.RATES, "/site.css", "/nothing-here/")


@pytest.mark.usefixtures("site")
def test_new_snapshot_is_served_without_a_build(project: Project, tmp_path: Path) -> None:
    found = snapshot()[0]
    kept, gone = found.guides[0].url, routes.guide("what-is-ltv")
    history = replace(found.history, moved={"/old/": routes.guide(kept)}, removed=(gone,))
    with running() as standin:
        settings = Settings(state_dir=tmp_path / "state", api_url=standin.url)
        new = replace(found, source=standin.url, history=history, guides=found.guides[:1])
        given = {"BROKER_STATE_DIR": str(settings.state_dir), "BROKER_API_URL": standin.url}
        server = start(project, free_port(), log=tmp_path / "log", settings=given)
        try:
            lender = f"{routes.RATES_CSV}?lender={found.lenders['alder-mutual'].lender_id}"
            asked = (lender, routes.guide(kept), gone, "/old/", routes.lender("alder-mutual"))
            before = [httpx.get(server.url + path, timeout=ANSWER_TIMEOUT).status_code for path in asked]
            with visitors(server.url, VISITED) as answers:
                write_snapshot(snapshot_folder(settings), new, files={})
                shown(server.url + routes.lender("alder-mutual"), "Alder", patience=ANSWER_TIMEOUT)
            after = [httpx.get(server.url + path, timeout=ANSWER_TIMEOUT).status_code for path in asked]
            sitemap = httpx.get(f"{server.url}/sitemap.xml", timeout=ANSWER_TIMEOUT).text
        finally:
            server.stop()
    assert before[2:] == [200, 404, 404]
    assert after == [200, 200, 410, 301, 200]
    assert (routes.guide(kept) in sitemap, gone in sitemap) == (True, False)
    assert {status for _, status in answers} == {200, 404}
