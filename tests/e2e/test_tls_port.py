"""A site at https://localhost:PORT, behind nginx with a certificate of one's own: its socket has that port."""

from pathlib import Path

from playwright.sync_api import Browser

from broker import routes
from tests.databases.fixtures import KEY
from tests.e2e.pages import Problems
from tests.e2e.rates_page import RatesPage
from tests.integration.nginx import nginx
from tools.project import Project
from tools.server import free_port, start


def test_socket_of_localhost_behind_tls_has_the_port_of_the_page(
    site: Path, project: Project, browser: Browser, problems: Problems, tmp_path: Path
) -> None:
    del site
    port = free_port()
    with nginx(project, tmp_path, port) as front, browser.new_context(ignore_https_errors=True) as visitor:
        settings = {"BROKER_SITE_URL": front.url, "BROKER_SECRET_KEY": KEY, "BROKER_STATE_DIR": str(tmp_path / "kept")}
        server = start(project, port, log=tmp_path / "log", settings=settings)
        try:
            page = visitor.new_page()
            problems.watch(page)
            sockets: list[str] = []
            page.on("websocket", lambda socket: sockets.append(socket.url))
            RatesPage(page=page).load(lambda: page.goto(f"{front.url}{routes.deals('')}?amount=150000"))
            assert sockets[0].startswith(f"wss://localhost:{front.port}/_event/")
            page.close()
        finally:
            server.stop()
