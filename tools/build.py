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
from datetime import date
from pathlib import Path

from broker.content.errors import ContentError
from broker.content.snapshot.serialisation import to_json, to_plain
from broker.content.source import content_store, lender_list_file
from broker.content.store import compiled_content
from broker.lenders.directory import read_lenders
from broker.rates.feed.client import FeedClient, FeedSettings
from broker.rates.market.bank_of_england import BankFileError
from broker.rates.market.benchmark_rates import read_benchmark_rates
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
"""Arguments of Reflex."""

CONTENT = "content"
"""Name of the compiled pages' content among the sources."""

PROGRAM = ("broker/", "reflex.lock", "requirements.lock")
"""Sources of a running server, besides the questionnaire; it does not serve a release with another hash of these."""

GENERATED = ("assets/chakra_color_mode_provider.js", "reflex.lock/")
"""Sources that an export writes."""

_ADDRESS_SCRIPT = "reflex-env-*.js"
_LITERAL = re.compile(r"""(["'`])(?P<kind>ws|http)s?://[^/"'`]+(?P<path>/[^"'`]*)\1""")
_LOCAL_HOSTS = re.compile(r"""\[(?P<quote>["'`])localhost(?P=quote),\s*(?P=quote)0\.0\.0\.0(?P=quote)[^\]]*\]""")


def main() -> None:
    """Build this checkout, with the current lenders of the live feed."""
    settings = load_settings()
    read_feed_lenders(settings)
    say_when_rates_are_old(settings, today=date.today())
    before = current_release(settings.releases_dir)
    build(Project())
    if before and before == current_release(settings.releases_dir):
        print("The site is built: no source has changed since.")


def say_when_rates_are_old(settings: Settings, *, today: date) -> None:
    """Print a warning when the published averages behind the sample rates are old; raises ToolError for a bad file."""
    if settings.api_url:
        return
    try:
        notice = read_benchmark_rates(settings.data_dir / "market").renewal_notice(today)
    except (OSError, BankFileError) as error:
        raise ToolError(f"Nothing was built: {error}") from error
    if notice:
        print(f"Warning: {notice}")


def build(project: Project, *, on_start: Callable[[], object] = lambda: None) -> Path:
    """Return the folder of the exported site, built if a source has changed; raises ToolError.

    `on_start` is called before a build.
    """
    settings = load_settings()
    with _build_lock(project):
        before, served = sources(project, settings), current_release(settings.releases_dir)
        if served and served.key == key(before, settings):
            return served.client
        on_start()
        with timed("Building the site: pages and scripts (a minute or two the first time)"):
            export_pages(project, settings)
        with timed("Finishing the pages: styles, pictures and search"):
            finish = ["broker.server.export.finish", str(project.exported)]
            _run_module(project, project.work / "build.log", arguments=finish, site_url=settings.site_url)
        written = {name: digest for name, digest in sources(project, settings).items() if name.startswith(GENERATED)}
        made_from = {name: digest for name, digest in before.items() if not name.startswith(GENERATED)} | written
        whole, code = key(made_from, settings), program_key(project, made_from, settings=settings)
        return put(project.web, settings.releases_dir, key=whole, code=code).client


def read_feed_lenders(settings: Settings, *, accept_removals: bool = False) -> None:
    """Read the live feed's lenders for the lender pages; a failure is printed, and the last list stays."""
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
    """Return a digest of each source file by path, and one of the compiled pages' content.

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
    """Return a digest of the compiled pages' content, except its date."""
    try:
        content = content_store(settings, read_on="2000-01-01").content
    except ContentError as error:
        raise ToolError(f"Nothing was built: {error}") from error
    return hashlib.sha256(to_json(to_plain(compiled_content(content)))).hexdigest()


def _name(project: Project, path: Path) -> str:
    """Return the path of a source from the root, absolute for one outside."""
    return path.relative_to(project.root).as_posix() if path.is_relative_to(project.root) else path.as_posix()


def program_key(project: Project, digests: dict[str, str], *, settings: Settings) -> str:
    """Return the digest of a running server's sources."""
    flow = _name(project, settings.data_dir / "questionnaire.json")
    return key(digests, settings, only=(*PROGRAM, flow))


def key(digests: dict[str, str], settings: Settings, *, only: tuple[str, ...] = ("",)) -> str:
    """Return one digest of the sources below `only`, and of the settings of a build."""
    named = (f"{name} {digest}" for name, digest in sorted(digests.items()) if name.startswith(only))
    lines = [settings.site_url, settings.api_url, *named]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def export_pages(project: Project, settings: Settings) -> None:
    """Export with Reflex, without the passes of `broker.server.export`; raises ToolError with the path of the log."""
    for folder in (project.exported.parent, project.web / "public"):  # Reflex does not delete files
        shutil.rmtree(folder, ignore_errors=True)
    log = project.work / "build.log"
    log.write_text("")
    _run_module(project, log, arguments=["reflex", *EXPORT], site_url=settings.site_url)
    if not (project.exported / "index.html").exists():
        raise ToolError(f"Reflex exported no pages; its output is in {log}.")
    use_page_address(project.exported)


def _run_module(project: Project, log: Path, *, arguments: list[str], site_url: str) -> None:
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
def _build_lock(project: Project) -> Iterator[None]:
    """Hold the build lock of this checkout."""
    with (project.work / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def use_page_address(client: Path) -> None:
    """Replace the backend's address in an export by the page's own, so that one build works on any host and port.

    At `https://localhost:8443` Reflex drops the port, as for every host of a list in another script, which is emptied.
    Raises ToolError if Reflex puts either elsewhere.
    """
    scripts = list(client.rglob(_ADDRESS_SCRIPT))
    if not scripts:
        raise ToolError(f"The export has no {_ADDRESS_SCRIPT}: Reflex puts the backend's address elsewhere now.")
    for script in scripts:
        if not _substitute(script, _LITERAL, _expression):
            raise ToolError(f"{script.name} holds no address to rewrite: Reflex writes it another way now.")
    if not sum(_substitute(script, _LOCAL_HOSTS, "[]") for script in client.rglob("*.js")):
        raise ToolError("No script lists the hosts whose port is dropped: see what Reflex does with that port now.")


def _substitute(script: Path, pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str]) -> int:
    """Replace a pattern in a script and its compressed copies, and return the number of matches."""
    text, changes = pattern.subn(by, script.read_text(encoding="utf-8"))
    if changes:
        script.write_text(text, encoding="utf-8")
        _refresh_copies(script)
    return changes


def _expression(found: re.Match[str]) -> str:
    origin = 'location.origin.replace(/^http/,"ws")' if found["kind"] == "ws" else "location.origin"
    return f'({origin}+"{found["path"]}")'


def _refresh_copies(script: Path) -> None:
    """Update the gzip copy of a script; delete copies in other formats."""
    for copy in script.parent.glob(f"{script.name}.*"):
        if copy.suffix == ".gz":
            copy.write_bytes(gzip.compress(script.read_bytes(), mtime=0))
        else:
            copy.unlink()


if __name__ == "__main__":
    run_tool(main)
