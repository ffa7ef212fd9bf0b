"""docs/operate.md, followed word for word: the commands it marks `sh`, beside a PostgreSQL and a Redis of the test."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from broker import routes
from broker.storage.database import Database, database_address
from broker.storage.migrations import NEWEST, held_revision
from tests.databases.cluster import Cluster
from tests.databases.redis_server import redis_server
from tests.integration.nginx import nginx
from tests.integration.visitors import visitors
from tools.project import Project
from tools.server import START_TIMEOUT, free_port

PAGE = Project().root / "docs" / "operate.md"
HOST = "www.example.co.uk"
VISITED = (routes.HOME, routes.GUIDES, routes.LENDERS, "/site.css")
CHANGED, FAULT = "broker/server/site_files.py", "\nraise RuntimeError('broken by a test')\n"
MIGRATION = """\"\"\"A table that a test adds.\"\"\"

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    op.create_table("added_by_a_test", sa.Column("id", sa.Integer(), primary_key=True))


def downgrade() -> None:
    op.drop_table("added_by_a_test")
"""
AFTER_NEWEST = f"{int(NEWEST) + 1:04}"

pytestmark = pytest.mark.soak


class Operator:
    """Somebody at a shell in a checkout, who copies one block of the page after the other."""

    def __init__(self, checkout: Path, **variables: str) -> None:
        self.checkout, self.variables = checkout, {**os.environ, **variables}
        self.block = ""
        self.blocks = iter(re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE))

    def does(self, words: str) -> str:
        """Run the next block, which holds some words, and return what it said."""
        self.block = next(self.blocks)
        assert words in self.block
        done = self.again()
        assert done.returncode == 0, f"{self.block}\n{done.stdout}{done.stderr}"
        return done.stdout

    def again(self) -> subprocess.CompletedProcess[str]:
        """Run the last block once more, which may fail."""
        return subprocess.run(
            ["bash", "-euc", self.block],
            cwd=self.checkout,
            env=self.variables,
            capture_output=True,
            text=True,
            check=False,
        )

    def copies(self, name: str) -> str:
        """Copy the file that was built to the server, and return its place there."""
        return str(shutil.copy(self.checkout / ".build/site.tar.gz", Path(self.variables["SITE"]).with_name(name)))

    def tables(self) -> str | None:
        """Return the revision of the tables."""

        async def read() -> str | None:
            database = Database(database_address(self.variables["DATABASE_URL"]))
            try:
                return await held_revision(database)
            finally:
                await database.close()

        return asyncio.run(read())

    def runs(self, *command: str) -> str:
        """Run one of the site's own commands with its settings, and return what it said."""
        environment = {**self.variables, **self.settings()}
        return subprocess.run(
            [".venv/bin/python", "-m", *command],
            cwd=self.variables["SITE"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def serves(self, port: int, log: Path) -> subprocess.Popen[bytes]:
        """Start a process of the site as its systemd unit does, and wait until it answers or ends."""
        unit = (Path(self.variables["SITE"]) / "deploy/site@.service").read_text()
        command = unit.partition("ExecStart=/srv/site/")[2].partition("\n")[0]
        with log.open("ab") as output:
            process = subprocess.Popen(
                command.split(),
                cwd=self.variables["SITE"],
                env={**self.variables, **self.settings(), "PORT": str(port)},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + START_TIMEOUT
        while process.poll() is None and not answers(port):
            if time.monotonic() > deadline:
                end(process)
                pytest.fail(log.read_text())
            time.sleep(0.1)
        return process

    def settings(self) -> dict[str, str]:
        """Return the settings that the page has written."""
        return dict(line.split("=", 1) for line in (Path(self.variables["STATE"]) / "site.env").read_text().split())


@pytest.fixture
def checkout(project: Project, tmp_path: Path) -> Path:
    """Return a fresh clone with packages that are installed already."""
    folder = tmp_path / "checkout"
    subprocess.run(["git", "clone", "--quiet", str(project.root), str(folder)], check=True)
    shutil.copytree(project.venv, folder / ".venv", symlinks=True)
    return folder


@pytest.fixture
def operator(checkout: Path, cluster: Cluster, tmp_path: Path) -> Iterator[Operator]:
    for name in ("site", "state", "backups"):
        (tmp_path / name).mkdir()
    with redis_server() as redis:
        yield Operator(
            checkout,
            SITE=str(tmp_path / "site"),
            STATE=str(tmp_path / "state"),
            BACKUPS=str(tmp_path / "backups"),
            PORT=str(free_port()),
            DATABASE_URL=cluster.create("operate"),
            REDIS_URL=redis.url,
        )
    cluster.drop("operate")


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health/live").status_code == 200
    except httpx.TransportError:
        return False


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()


def test_page_is_followed_word_for_word(
    operator: Operator, project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, ports = tmp_path / "log", [int(operator.variables["PORT"]), free_port(), free_port()]
    operator.does("make release")
    operator.variables |= {"PACKAGE": (before := operator.copies("one.tar.gz"))}
    next(operator.blocks)  # the folders and the file: the test has its own
    operator.does("python3.11 -m venv")
    operator.does("BROKER_SECRET_KEY")
    operator.does("REFLEX_REDIS_URL")
    assert "ada" in operator.does("broker.staff add")
    operator.does("openssl req")
    running: dict[int, subprocess.Popen[bytes]] = {}
    try:
        for port in ports:
            running[port] = operator.serves(port, log)
        assert '"database": "writable"' in operator.does("/health/ready")
        with nginx(project, tmp_path, *ports) as front:
            versions = operator.checkout / "broker/storage/migrations/versions"
            migration = MIGRATION.format(revision=AFTER_NEWEST, before=NEWEST)
            (versions / f"m{AFTER_NEWEST}_test.py").write_text(migration)
            subprocess.run(["make", "release"], cwd=operator.checkout, env=operator.variables, check=True)
            operator.variables |= {"PACKAGE": operator.copies("two.tar.gz"), "BEFORE": before}
            operator.does("--recursive-unlink")
            with visitors(front.url, VISITED, verify=front.trust(), headers={"host": HOST}) as visited:
                for port in ports:
                    end(running[port])
                    running[port] = operator.serves(port, log)
                assert all(process.poll() is None for process in running.values()), log.read_text()
            assert set(visited) == {(path, 200) for path in VISITED}
            assert operator.tables() == AFTER_NEWEST
            changed = Path(operator.variables["SITE"]) / CHANGED
            text = changed.read_text()
            changed.write_text(text + FAULT)
            end(running[ports[0]])
            running[ports[0]] = operator.serves(ports[0], log)
            assert running[ports[0]].poll()
            assert "broken by a test" in log.read_text()
            with front.client() as client:
                assert client.get("/", headers={"host": HOST}).status_code == 200
            changed.write_text(text)
        token = operator.settings()["BROKER_METRICS_TOKEN"]
        headers = {"host": HOST, "authorization": f"Bearer {token}"}
        told = httpx.get(f"http://127.0.0.1:{ports[1]}/metrics", headers=headers)
        assert any(family.name == "broker_http_requests" for family in text_string_to_metric_families(told.text))
        if promtool := shutil.which("promtool"):
            subprocess.run([promtool, "check", "metrics"], input=told.content, check=True)
        assert "Releases kept: 2" in operator.does("tools.release")
    finally:
        for process in running.values():
            end(process)
    assert operator.does("downgrade").strip() == f"The tables are those of {NEWEST}."
    operator.does("$BEFORE")
    server = operator.serves(ports[0], log)
    try:
        ready = httpx.get(f"http://127.0.0.1:{ports[0]}/health/ready", headers={"host": HOST})
        assert ready.json()["status"] == "ok"
        assert operator.tables() == NEWEST
        assert "No key is in it" in operator.does("broker.backup write")
        operator.runs("broker.staff", "disable", "ada")
    finally:
        end(server)
    assert "Restored" in operator.does("broker.backup restore")
    assert "active" in operator.runs("broker.staff", "list")
    assert next(operator.blocks, None) is None
    with capsys.disabled():
        sys.stdout.write(f"\n{visited.total():,} requests answered while the processes were restarted, none failed\n")
