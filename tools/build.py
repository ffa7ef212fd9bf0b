"""Build the site when its sources changed: export it with Reflex, then let `broker.server.export` finish it."""

import asyncio
import fcntl
import gzip
import hashlib
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from broker.content.compiled_content import compiled_content
from broker.content.errors import ContentError
from broker.content.lender_list import lender_list_file
from broker.content.snapshot.serialisation import to_json, to_plain
from broker.content.source import content_store
from broker.lenders.directory import read_lenders
from broker.rates.feed.client import FeedClient, FeedSettings
from broker.server.releases import current_release
from broker.settings import Settings
from tools.environment import say, timed
from tools.project import Project, ToolError, load_settings, run_tool
from tools.release import put

SOURCES = (
    *("broker", "assets", "tools/build.py"),
    *("reflex.lock", "rxconfig.py", "requirements.txt", "requirements.lock"),
)
"""Sources of an export, with the data folder and the URL of the site."""

EXPORT = ("export", "--no-zip", "--frontend-only")
"""What Reflex is called with."""

CONTENT = "content"
"""The name, among the sources, of the content that compiled pages show."""

PROGRAM = ("broker/", "reflex.lock", "requirements.lock")
"""What a running server is made from, beside the questionnaire by which it judges answers. It does not take over a
release that was made from another program."""

GENERATED = ("assets/chakra_color_mode_provider.js", "reflex.lock/")
"""Sources that an export itself writes."""


def main() -> None:
    """Build this checkout, with the lenders that the live feed has now."""
    settings = load_settings()
    read_feed_lenders(settings)
    before = current_release(settings.releases_dir)
    build(Project())
    if before and before == current_release(settings.releases_dir):
        print("The site is built: no source has changed since.")


def build(project: Project, *, on_start: Callable[[], object] = lambda: None) -> Path:
    """Return the folder of the exported site, built first when a source changed since; raises ToolError.

    `on_start` is called before it is built.
    """
    settings = load_settings()
    with _alone(project):
        before, served = sources(project, settings), current_release(settings.releases_dir)
        if served and served.key == key(before, settings):
            return served.client
        on_start()
        with timed("Building the site: pages and scripts (a minute or two the first time)"):
            export_pages(project, settings)
        with timed("Finishing the pages: styles, pictures and search"):
            finish = ["broker.server.export.finish", str(project.exported)]
            _step(project, project.work / "build.log", arguments=finish, site_url=settings.site_url)
        written = {name: digest for name, digest in sources(project, settings).items() if name.startswith(GENERATED)}
        made_from = {name: digest for name, digest in before.items() if not name.startswith(GENERATED)} | written
        whole, code = key(made_from, settings), program_key(project, made_from, settings=settings)
        return put(project.web, settings.releases_dir, key=whole, code=code).client


def read_feed_lenders(settings: Settings, *, accept_removals: bool = False) -> None:
    """Read the live feed's lenders, by which pages of lenders are built; where that fails, the last list stays."""
    if not settings.api_url:
        return

    async def read() -> str:
        client = FeedClient(FeedSettings(api_url=settings.api_url))
        try:
            return await read_lenders(settings, client, accept_removals=accept_removals)
        finally:
            await client.aclose()

    if problem := asyncio.run(read()):
        say(f"The lenders stay as they were read last: {problem}")


def sources(project: Project, settings: Settings) -> dict[str, str]:
    """Return a digest for each source file, by its path, and one for the content that compiled pages show.

    Raises ToolError for content that cannot be published.
    """
    listed = [lender_list_file(settings)] if settings.api_url else []
    roots = [*(project.root / name for name in SOURCES), settings.data_dir, *listed]
    files = [path for root in roots for path in ([root] if root.is_file() else sorted(root.rglob("*")))]
    content = settings.data_dir / "content"
    named = {
        _name(project, path): _digest(path)
        for path in files
        if path.is_file() and "__pycache__" not in path.parts and not path.is_relative_to(content)
    }
    return {**named, CONTENT: _content_digest(settings)}


def _content_digest(settings: Settings) -> str:
    """Return a digest of what compiled pages show, but for the day on which the content was read."""
    try:
        content = content_store(settings, read_on="2000-01-01").content
    except ContentError as error:
        raise ToolError(f"Nothing was built: {error}") from error
    return hashlib.sha256(to_json(to_plain(compiled_content(content)))).hexdigest()


def _name(project: Project, path: Path) -> str:
    """Return the name of a source: its path from the root, or the whole path of one outside."""
    return path.relative_to(project.root).as_posix() if path.is_relative_to(project.root) else path.as_posix()


def program_key(project: Project, digests: dict[str, str], *, settings: Settings) -> str:
    """Return one digest of what a running server is made from."""
    flow = _name(project, settings.data_dir / "questionnaire.json")
    return key(digests, settings, only=(*PROGRAM, flow))


def key(digests: dict[str, str], settings: Settings, *, only: tuple[str, ...] = ("",)) -> str:
    """Return one digest of the sources, or of those below `only`, and of the settings that pages are built with."""
    named = (f"{name} {digest}" for name, digest in sorted(digests.items()) if name.startswith(only))
    lines = [settings.site_url, settings.api_url, *named]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def export_pages(project: Project, settings: Settings) -> None:
    """Export with Reflex, without the passes of `broker.server.export`; raises ToolError with the output's place."""
    for folder in (project.exported.parent, project.web / "public"):  # Reflex leaves what is no longer in `assets/`
        shutil.rmtree(folder, ignore_errors=True)
    log = project.work / "build.log"
    log.write_text("")
    _step(project, log, arguments=["reflex", *EXPORT], site_url=settings.site_url)
    if not (project.exported / "index.html").exists():
        raise ToolError(f"Reflex exported no pages; what it said is in {log}.")
    follow_the_page(project.exported)


def _step(project: Project, log: Path, *, arguments: list[str], site_url: str) -> None:
    """Run a module and append its output to the log; raises ToolError with the end of the log."""
    environment = project.environment(REFLEX_API_URL=site_url, BROKER_SITE_URL=site_url)
    with log.open("a") as output:
        done = subprocess.run(
            [str(project.python), "-m", *arguments],
            cwd=project.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode != 0:
        end = "\n".join(log.read_text(errors="replace").splitlines()[-40:])
        raise ToolError(f"{end}\n\nThe build stopped in `{arguments[0]}`; the whole output is in {log}.")


@contextmanager
def _alone(project: Project) -> Iterator[None]:
    """Hold the build lock of this checkout."""
    with (project.work / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


SCRIPT = "reflex-env-*.js"
_LITERAL = re.compile(r"""(["'`])(?P<kind>ws|http)s?://[^/"'`]+(?P<path>/[^"'`]*)\1""")
_LOCAL_HOSTS = re.compile(r"""\[(?P<quote>["'`])localhost(?P=quote),\s*(?P=quote)0\.0\.0\.0(?P=quote)[^\]]*\]""")


def follow_the_page(client: Path) -> None:
    """Rewrite the backend's addresses in an export; raises ToolError when they are not where Reflex puts them."""
    scripts = list(client.rglob(SCRIPT))
    if not scripts:
        raise ToolError(f"The export has no {SCRIPT}: Reflex puts the backend's address elsewhere now.")
    for script in scripts:
        if not _rewrite(script, _LITERAL, _expression):
            raise ToolError(f"{script.name} holds no address to rewrite: Reflex writes it another way now.")
    if not sum(_rewrite(script, _LOCAL_HOSTS, "[]") for script in client.rglob("*.js")):
        raise ToolError("No script lists the hosts whose port is dropped: see what Reflex does with that port now.")


def _rewrite(script: Path, pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str]) -> int:
    """Replace a pattern in a script and its copies, and return how often it was there."""
    text, changes = pattern.subn(by, script.read_text(encoding="utf-8"))
    if changes:
        script.write_text(text, encoding="utf-8")
        _refresh_copies(script)
    return changes


def _expression(found: re.Match[str]) -> str:
    origin = 'location.origin.replace(/^http/,"ws")' if found["kind"] == "ws" else "location.origin"
    return f'({origin}+"{found["path"]}")'


def _refresh_copies(script: Path) -> None:
    """Compress the script again; a copy in a format that the standard library lacks is removed."""
    for copy in script.parent.glob(f"{script.name}.*"):
        if copy.suffix == ".gz":
            copy.write_bytes(gzip.compress(script.read_bytes(), mtime=0))
        else:
            copy.unlink()


if __name__ == "__main__":
    run_tool(main)
