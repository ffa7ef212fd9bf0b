"""Development server: `make dev`. An edit shows within seconds, because only open pages are compiled.

Three processes: this one listens on PORT of 127.0.0.1, or of BROKER_BIND, and watches the sources; a backend, replaced
at every edit, compiles and serves through the site's edge; Vite renders the compiled pages, and sends changes to open
browsers.
"""

import asyncio
import hashlib
import multiprocessing
import os
import shutil
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from watchfiles import DefaultFilter, awatch

from tools.dev import backend
from tools.project import Project, ToolError, load_settings, run_tool
from tools.server import check_free, free_port, own_url

FIRST_PAGES = "/"
"""Pages that are compiled at the start; `PAGES=/,/tools/rates/` names others."""

MAX_PAGES = 8
"""Pages compiled after an edit: the last that were opened."""

START_TIMEOUT = 60
"""Seconds that Vite may take to start."""

GENERATED = "chakra_color_mode_provider.js"
"""File in `assets/` that every compilation writes."""

_CHUNK_BYTES = 65_536


def main() -> None:
    """Serve until stopped; raises ToolError if the port is taken or Vite does not start."""
    project, settings = Project(), load_settings()
    address = settings.bind or "127.0.0.1"
    check_free(settings.port, address)
    os.chdir(project.root)
    folder = project.work / "dev"
    folder.mkdir(exist_ok=True)
    site_url = own_url(settings.bind or "0.0.0.0", settings.port)
    own = {"BROKER_SITE_URL": site_url, "REFLEX_API_URL": site_url, "REFLEX_WEB_WORKDIR": str(folder / "web")}
    os.environ.update(project.environment(REFLEX_SSR="true", BROKER_RELEASES_DIR=str(folder / "none"), **own))
    sources = [project.root / "broker", project.root / "assets", project.root / "rxconfig.py", settings.data_dir]
    server = DevelopmentServer(project, site_url, folder=folder, sources=sources)
    asyncio.run(server.run(address, settings.port))


class DevelopmentServer:
    """The front, the current backend, and Vite."""

    def __init__(self, project: Project, site_url: str, *, folder: Path, sources: list[Path]) -> None:
        self._project, self._site_url, self._folder, self._sources = project, site_url, folder, sources
        self._web, self._vite_port = folder / "web", free_port()
        self._front = Front()
        self._pages = [path for path in os.environ.get("PAGES", FIRST_PAGES).split(",") if path]
        self._forks = multiprocessing.get_context("forkserver")
        self._forks.set_forkserver_preload(list(backend.PRELOADED))
        self._backend: BaseProcess | None = None
        self._watch_backend: asyncio.Task[None] | None = None
        self._vite: subprocess.Popen[bytes] | None = None
        self._started_at = time.monotonic()
        self._stop = asyncio.Event()
        self._failure: BaseException | None = None

    async def run(self, address: str, port: int) -> None:
        """Serve at an IP address of this machine until a signal; raises ToolError if Vite does not start."""
        for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(ending, self._stop.set)
        listener = await self._front.listen(address, port)
        known = digests(self._sources)
        self._replace_backend()
        try:
            async for _ in _changes(self._sources, self._stop):
                found = digests(self._sources)
                changed = sorted(path for path in known.keys() | found.keys() if known.get(path) != found.get(path))
                known = found
                if changed:
                    self._apply(changed)
        finally:
            listener.close()
            self._end()
        if self._failure:
            raise self._failure

    def _apply(self, changed: list[Path]) -> None:
        """Apply an edit: stylesheets are copied for Vite, anything else needs a new backend."""
        names = ", ".join(os.path.relpath(path, self._project.root) for path in changed[:3])
        self._started_at = time.monotonic()
        print(f"{names} changed", flush=True)
        if all(path.suffix == ".css" and path.exists() for path in changed):
            for path in changed:
                shutil.copy(path, self._web / "styles" / path.name)
        else:
            self._replace_backend()

    def _replace_backend(self) -> None:
        self._front.hold()
        if self._watch_backend:
            self._watch_backend.cancel()
        if self._backend:
            self._backend.terminate()
        ours, theirs = self._forks.Pipe()
        task = backend.Task(
            root=self._project.root,
            web=self._web,
            port=free_port(),
            vite_port=self._vite_port,
            site_url=self._site_url,
            pages=tuple(self._pages[-MAX_PAGES:]),
        )
        started = self._backend = self._forks.Process(target=backend.run, args=(task, theirs), daemon=True)
        started.start()
        theirs.close()
        self._watch_backend = asyncio.create_task(self._follow(ours))
        self._watch_backend.add_done_callback(self._note_failure)

    def _note_failure(self, following: asyncio.Task[None]) -> None:
        if not following.cancelled() and (error := following.exception()):
            self._failure = error
            self._stop.set()

    async def _follow(self, connection: Connection) -> None:
        """Handle the backend's messages until it ends."""
        with suppress(EOFError, OSError):
            while True:
                while not connection.poll():
                    await asyncio.sleep(0.02)
                kind, text = connection.recv()
                if kind == backend.FAILED:
                    self._show(text)
                elif kind == backend.COMPILED:
                    await self._start_vite()
                    connection.send("")
                elif kind == backend.REQUESTED:
                    self._pages = [*(path for path in self._pages if path != text), text]
                elif kind == backend.READY:
                    self._front.pass_to(int(text))
                    self._show("")

    def _show(self, problem: str) -> None:
        """Show an error on the terminal and the page, or that the server is ready."""
        took = time.monotonic() - self._started_at
        note = self._web / "problem.txt"
        if self._web.exists() and (problem or (note.exists() and note.read_text())):
            note.write_text(problem)
        if problem:
            print(f"\n{problem}\n", flush=True)
            self._front.show(backend.error_page(problem))
        else:
            print(f"Ready after {took:.1f} s: {self._site_url}/ (Ctrl+C stops it)", flush=True)

    async def _start_vite(self) -> None:
        if self._vite:
            return
        config = "vite.dev.config.js"
        shutil.copy(Path(__file__).with_name("dev") / "vite.config.js", self._web / config)
        (self._web / "problem.txt").write_text("")
        command = [str(self._project.venv / "bin" / "node"), "--conditions=development"]
        command += ["node_modules/.bin/react-router", "dev", "--config", config]
        with (self._folder / "vite.log").open("wb") as log:
            self._vite = subprocess.Popen(
                command,
                cwd=self._web,
                env={**os.environ, "PORT": str(self._vite_port), "NODE_ENV": "development", "NO_COLOR": "1"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        await self._wait_for_vite()

    async def _wait_for_vite(self) -> None:
        deadline = time.monotonic() + START_TIMEOUT
        while time.monotonic() < deadline and self._vite and self._vite.poll() is None:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self._vite_port)
                writer.close()
                return
            await asyncio.sleep(0.1)
        raise ToolError(f"Vite did not start; its output is in {self._folder / 'vite.log'}.")

    def _end(self) -> None:
        if self._backend:
            self._backend.terminate()
        if self._vite:
            with suppress(ProcessLookupError):
                os.killpg(self._vite.pid, signal.SIGTERM)
            self._vite.wait()


class Front:
    """The listener on PORT: a TCP proxy to the current backend, which holds connections while there is none."""

    def __init__(self) -> None:
        self._settled = asyncio.Event()
        self._backend_port = 0
        self._problem = b""

    def hold(self) -> None:
        """Hold new connections until the next backend is ready."""
        self._settled.clear()

    def pass_to(self, port: int) -> None:
        self._backend_port, self._problem = port, b""
        self._settled.set()

    def show(self, html: str) -> None:
        """Answer every request with an error page until the next backend."""
        body = html.encode()
        head = "HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/html; charset=utf-8\r\n"
        self._problem = f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body
        self._settled.set()

    async def listen(self, address: str, port: int) -> asyncio.Server:
        """Listen at an IP address of this machine; raises OSError if the port is taken."""
        return await asyncio.start_server(self._answer, address, port)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await self._settled.wait()
            if self._problem:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(self._problem)
                await writer.drain()
            else:
                to_backend = await asyncio.open_connection("127.0.0.1", self._backend_port)
                await asyncio.gather(_copy(reader, to_backend[1]), _copy(to_backend[0], writer))
        writer.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copy bytes until the source ends, then close the target."""
    with suppress(OSError):
        while data := await source.read(_CHUNK_BYTES):
            target.write(data)
            await target.drain()
    target.close()


async def _changes(sources: Iterable[Path], stop: asyncio.Event) -> AsyncIterator[object]:
    sources = [path for path in sources if path.exists()]
    async for changes in awatch(*sources, watch_filter=DefaultFilter(), stop_event=stop, debounce=200, step=50):
        yield changes


def digests(sources: Iterable[Path]) -> dict[Path, str]:
    """Return a digest of each source file, by which one saved without a change is ignored."""
    files = (file for source in sources for file in ([source] if source.is_file() else source.rglob("*")))
    return {
        file: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file() and "__pycache__" not in file.parts and file.name != GENERATED
    }


if __name__ == "__main__":
    run_tool(main)
