"""Backend of the development server: compile the open pages, and serve them through the edge.

Each edit gets a new process, forked from one that has imported the libraries but none of our modules.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from html import escape
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PRELOADED = (
    *("reflex.app", "reflex.reflex", "reflex.compiler.compiler", "reflex_components_core.el", "numpy", "httpx"),
    *("sqlmodel", "sqlalchemy.ext.asyncio", "alembic.context", "asyncpg", "lxml.html", "markdown_it"),
    *("nh3", "yaml", "cryptography.fernet", "argon2", "PIL.Image", "jinja2", "msgspec", "pyotp", "tinycss2"),
    *("pydantic", "uvicorn", "starlette.applications", "aiosmtplib", "segno", "tools.dev.backend"),
)
"""Modules that are imported before the fork, if installed."""

POLICY = "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'"
"""Replaces the content security policy of every page, for Vite's scripts."""

FAILED, COMPILED, READY, REQUESTED = "failed", "compiled", "ready", "asked"
"""Messages of a backend to the supervisor, with an error, nothing, a port or a path."""

_MAX_FRAMES = 5

_PAGE = """<!doctype html><html lang="en-GB"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<title>Not compiled</title><style>body {{ font: 16px/1.5 system-ui; margin: 3rem; max-width: 70rem }}
pre {{ padding: 1rem; background: #f4f1ec; overflow: auto }}</style>
<h1>This does not compile</h1><pre>{problem}</pre><p>The page comes back by itself once the file is saved right.</p>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    root: Path
    web: Path
    port: int
    vite_port: int
    site_url: str
    pages: Sequence[str]


def run(task: Task, supervisor: Connection) -> None:
    """Compile and serve until the process ends; send an error in the code to the supervisor."""
    sys.dont_write_bytecode = False  # the next fork uses what this one compiled
    gc.disable()
    with _ErrorReport(task.root, supervisor):
        asyncio.run(_serve(task, supervisor))


class _ErrorReport:
    """Sends an error inside the block to the supervisor."""

    def __init__(self, root: Path, supervisor: Connection) -> None:
        self._root, self._supervisor = root, supervisor

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _frames: object) -> bool:
        if error:
            self._supervisor.send((FAILED, error_text(error, self._root)))
        return True


async def _serve(task: Task, supervisor: Connection) -> None:
    import uvicorn

    from broker.server.socket_frames import LimitedSocket

    with (task.web.parent / "compile.log").open("a", buffering=1) as log:
        _prepare(log)
        app = _app(task, supervisor, log)
        config = uvicorn.Config(app, port=task.port, ws=LimitedSocket, log_level="error", timeout_graceful_shutdown=1)
        serving = asyncio.create_task(uvicorn.Server(config).serve())
        await _wait_until_open(task.port)
        gc.freeze()
        gc.enable()
        supervisor.send((READY, str(task.port)))
        await serving


def _prepare(log: Any) -> None:
    """Create Reflex's folder if missing."""
    from reflex.reflex import _init
    from reflex.utils import prerequisites

    if prerequisites.needs_reinit():
        with redirect_stdout(log):
            _init(name="broker")


def _app(task: Task, supervisor: Connection, log: Any) -> ASGIApp:
    """Return the site's application over pages of Vite."""
    from reflex.utils import build

    from broker import broker
    from tools.dev.pages import Pages, export

    vite = f"http://127.0.0.1:{task.vite_port}"
    pages = Pages(broker.app, vite=vite, log=log, on_compile=lambda path: supervisor.send((REQUESTED, path)))
    pages.choose(task.pages)
    with redirect_stdout(log):
        app = broker.app()
        build.setup_frontend(task.root)
    supervisor.send((COMPILED, ""))
    supervisor.recv()  # until Vite is ready
    broker.live_export.serve(export(pages, task.root / "assets", site_url=task.site_url))
    return _with_vite(cast("ASGIApp", app), task.web, vite)


def _with_vite(app: ASGIApp, web: Path, vite: str) -> ASGIApp:
    """Serve scripts and styles, which are in Reflex's folder, from Vite, with POLICY on every page."""
    import httpx
    from starlette.datastructures import MutableHeaders

    client = httpx.AsyncClient(base_url=vite, timeout=60)

    def with_policy(send: Send) -> Send:
        async def changed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "content-security-policy" in headers:
                    headers["content-security-policy"] = POLICY
            await send(message)

        return changed

    async def with_vite(scope: Scope, receive: Receive, send: Send) -> None:
        first = scope.get("path", "").split("/")[1:2]
        if (
            scope["type"] != "http"
            or not first
            or not (first[0].startswith("@") or (first[0] and (web / first[0]).exists()))
        ):
            await app(scope, receive, with_policy(send))
            return
        address = scope["raw_path"].decode() + ("?" + scope["query_string"].decode() if scope["query_string"] else "")
        wanted = {
            name.decode(): value.decode() for name, value in scope["headers"] if name in {b"accept", b"sec-fetch-dest"}
        }
        answer = await client.get(address, headers=wanted)
        headers = [
            (name.encode(), value.encode())
            for name, value in answer.headers.items()
            if name in {"content-type", "cache-control"}
        ]
        await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": answer.content})

    return with_vite


async def _wait_until_open(port: int) -> None:
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.02)
        else:
            writer.close()
            return


def error_text(error: BaseException, root: Path) -> str:
    """Return an error with the project's innermost `file:line` first, then its callers."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename, root)]
    places = [f"{_relative(frame.filename, root)}:{frame.lineno} in {frame.name}" for frame in frames]
    if isinstance(error, SyntaxError) and error.filename:
        places.append(f"{_relative(error.filename, root)}:{error.lineno}")
    lines = frames[-1].line if frames and not isinstance(error, SyntaxError) else getattr(error, "text", "") or ""
    message = "".join(traceback.format_exception_only(error)).strip()
    where = [places[-1], f"    {(lines or '').strip()}"] if places else []
    way = [f"  from {place}" for place in reversed(places[-1 - _MAX_FRAMES : -1])]
    return "\n".join([*where, message, *way])


def error_page(problem: str) -> str:
    """Return a page that shows an error and reloads every two seconds."""
    return _PAGE.format(problem=escape(problem))


def _is_ours(file: str, root: Path) -> bool:
    path = Path(file)
    return (
        path.is_relative_to(root) and not path.is_relative_to(root / ".venv") and root / "tools" / "dev" != path.parent
    )


def _relative(file: str, root: Path) -> str:
    path = Path(file)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else file
