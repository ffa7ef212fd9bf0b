"""The files of `deploy/`: nginx runs before the site, the others are checked by the program that reads them."""

import asyncio
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client import REGISTRY
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from broker import routes
from broker.lenders.logos.upload import MAX_ZIP_BYTES
from broker.storage.database import Database, database_address
from broker.storage.errors import StorageError
from tests.databases.cluster import own_cluster
from tests.integration.enquiry_site import EnquirySite, enquiry_site, post
from tests.integration.nginx import Nginx, certificate_in, nginx
from tests.integration.tabs import Tab
from tools.project import Project

DEPLOY = Project().root / "deploy"
LOGOS = routes.STAFF_FORMS["logos"]
ADDED = {"date", "server", "connection", "content-length", "transfer-encoding", "vary", "etag", "content-encoding"}
"""Headers of transport, which a proxy may set as it likes."""


@pytest.fixture(scope="module")
def behind(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EnquirySite]:
    del site
    with enquiry_site(project, tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture(scope="module")
def front(project: Project, behind: EnquirySite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    folder = tmp_path_factory.mktemp("nginx")
    with nginx(project, folder, int(behind.url.rpartition(":")[2])) as running:
        yield running


@pytest.mark.parametrize(
    "path",
    [
        *(routes.HOME, routes.GUIDES, f"{routes.deals('')}?amount=150000", "/nothing-here/"),
        *("/lenders/halifax/", "/mortgage-guides/what-is-ltv/", routes.SEARCH, "/sitemap.xml"),
    ],
)
def test_page_is_the_same_through_nginx(behind: EnquirySite, front: Nginx, path: str) -> None:
    with behind.client() as direct, front.client() as client:
        client.headers["origin"] = behind.url
        own, proxied = direct.get(path), client.get(path)
    assert (proxied.status_code, proxied.text) == (own.status_code, own.text)
    assert "x-accel-expires" not in proxied.headers
    told = [{name: value for name, value in each.headers.items() if name not in ADDED} for each in (own, proxied)]
    assert told[0].pop("x-accel-expires", "5") == "5"
    assert told[0] == told[1]


@pytest.mark.parametrize("path", [routes.TERMS, "/lenders/halifax/2-years-fixed/", "/mortgage-guides/what-is-ltv/"])
def test_page_is_cached_for_visitors_with_and_without_the_notice(behind: EnquirySite, front: Nginx, path: str) -> None:
    with front.client() as client:
        before = client.get(path).text
        closed = client.get(path, headers={"cookie": "cookie_notice=accepted"}).text
        behind.stop()
        try:
            again = client.get(path).text
            closed_again = client.get(path, headers={"cookie": "cookie_notice=accepted; other=1"}).text
        finally:
            behind.start()
    assert (again, closed_again) == (before, closed)
    assert before != closed


def test_form_is_stored_through_nginx_and_metrics_are_not_public(behind: EnquirySite, front: Nginx) -> None:
    with front.client() as client:
        client.headers["origin"] = behind.url
        assert post(client, name="Through Nginx").status_code == 303
        assert client.get("/metrics").status_code == 404
    assert behind.stored("Through Nginx")


def test_zip_of_logos_passes_nginx_and_no_other_form_as_large(behind: EnquirySite, front: Nginx) -> None:
    """The site answers a form without a session before it reads it."""
    with behind.client() as direct, front.client() as client:
        client.headers["origin"] = behind.url
        zipped = {"file": ("logos.zip", bytes(MAX_ZIP_BYTES), "application/zip")}
        own, proxied = direct.post(LOGOS), client.post(LOGOS, files=zipped)
        assert (proxied.status_code, proxied.text) == (own.status_code, own.text) == (403, own.text)
        assert client.post(routes.CONTACT, files=zipped).status_code == 413


def test_nginx_takes_its_file_at_the_paths_that_it_ships_with(tmp_path: Path) -> None:
    """Nginx makes the folder of its cache, but none above it: Debian's package is to bring those."""
    if os.geteuid():
        pytest.skip("nginx makes folders for its own user only as root")
    certificate_in(tmp_path)
    own = tmp_path / "site.conf"
    own.write_text((DEPLOY / "nginx.conf").read_text().replace("/etc/ssl/site", str(tmp_path)))
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/nginx.pid;\nevents {{}}\nhttp {{ include {own}; }}\n")
    done = subprocess.run(["nginx", "-t", "-c", str(whole)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    folder = re.search(r"proxy_cache_path (\S+)", own.read_text())
    assert folder
    assert "nginx-common" in checked("dpkg", "--search", str(Path(folder[1]).parent)).stdout


async def test_socket_passes_nginx(behind: EnquirySite, front: Nginx) -> None:
    tab = await Tab.connected(front.url, "through-nginx", origin=behind.url, ssl_context=front.trust())
    await tab.open("q1")
    await tab.answer("q1", "remortgage")
    await tab.leave()


def checked(*command: str) -> subprocess.CompletedProcess[str]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_caddy_takes_its_file() -> None:
    done = checked("caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"))
    assert done.returncode == 0, done.stderr


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "site@3001.service"
    unit.write_text((DEPLOY / "site@.service").read_text().replace("/srv/site/.venv/bin/python", "/bin/true"))
    done = checked("systemd-analyze", "verify", str(unit))
    assert "site@3001.service" not in done.stderr, done.stderr


def test_prometheus_takes_its_rules() -> None:
    done = checked("promtool", "check", "rules", str(DEPLOY / "alerts.yml"))
    assert done.returncode == 0, done.stderr


def test_alerts_and_dashboard_ask_for_figures_that_exist() -> None:
    kept = {each.name for family in REGISTRY.collect() for each in family.samples} | {
        name
        for family in REGISTRY.collect()
        for name in (family.name, f"{family.name}_total", f"{family.name}_bucket", f"{family.name}_count")
    }
    panels = json.loads((DEPLOY / "grafana.json").read_text())["panels"]
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]
    asked = [target["expr"] for panel in panels for target in panel["targets"]] + [rule["expr"] for rule in rules]
    assert {name for each in asked for name in re.findall(r"broker_\w+", each)} - kept == set()


def test_alerts_see_disk_redis_processes_and_backup() -> None:
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]
    asked = {rule["expr"] for rule in rules}
    watched = {"broker_free_bytes < 1e9", "broker_redis_answers == 0", 'up{job="site"} == 0'}
    assert {*watched, "time() - broker_last_backup_seconds > 26 * 3600"} - asked == set()


def test_compose_sets_settings_that_exist() -> None:
    table = (Project().root / "docs" / "reference" / "settings.md").read_text()
    services = yaml.safe_load((Project().root / "compose.yaml").read_text())["services"]
    given = services["site"]["environment"]
    assert [name for name in given if name != "PGPASSWORD" and f"| `{name}` |" not in table] == []


def test_passwords_of_compose_are_part_of_no_address() -> None:
    """A password may have a character that means something there: `/`, `+`, `@`."""
    services = yaml.safe_load((Project().root / "compose.yaml").read_text())["services"]
    given = services["site"]["environment"]
    assert [name for name, value in given.items() if "://" in value and "PASSWORD" in value] == []
    assert given["PGPASSWORD"] == services["database"]["environment"]["POSTGRES_PASSWORD"] == "${POSTGRES_PASSWORD:?}"


def test_password_of_postgresql_may_have_any_character(monkeypatch: pytest.MonkeyPatch) -> None:
    """As compose gives it: the name of the user in the address, the password in PGPASSWORD."""
    password = "a/b+c@d:e%2F#?"
    with own_cluster() as cluster:
        host_rules = cluster.folder / "data" / "pg_hba.conf"
        host_rules.write_text(f"local all site scram-sha-256\n{host_rules.read_text()}")
        cluster.run(f"CREATE ROLE site LOGIN PASSWORD '{password}'")
        cluster.run("SELECT pg_reload_conf()")
        url = cluster.url("postgres").replace("//postgres@", "//site@")
        monkeypatch.setenv("PGPASSWORD", password)
        assert asyncio.run(user_of(url)) == "site"
        monkeypatch.setenv("PGPASSWORD", "another")
        with pytest.raises(StorageError):
            asyncio.run(user_of(url))


async def user_of(url: str) -> object:
    """Return the user as whom a database is reached; raises StorageError."""
    database = Database(database_address(url))

    async def work(connection: AsyncConnection) -> object:
        return await connection.scalar(text("SELECT current_user"))

    try:
        return await database.read(work)
    finally:
        await database.close()
