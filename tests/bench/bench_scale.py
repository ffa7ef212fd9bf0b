"""A site of thousands of lenders and guides beside one of ours: `python -m tests.bench.bench_scale`.

Both servers run over the built site and a snapshot of WordPress, with the API away since; the made guides are ours,
over and over, each with its number. The process's memory is its resident set. While the index of the search is made, a
page is requested over and over: the longest answer is how long a visitor waits.
"""

import argparse
import asyncio
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx2

from broker import routes
from broker.content.models.pages import Guide
from broker.content.models.pictures import SafeHtml
from broker.content.snapshot.snapshot_folder import read_snapshot, snapshot_folder, write_snapshot
from broker.content.source import write_lender_list
from broker.content.sync import sync
from broker.content.wordpress.client import WordPressClient, WordPressSettings
from broker.rates.market.catalogue import load
from broker.server.site_files import SITEMAP
from broker.settings import Settings
from tests.bench.process_times import processor_seconds
from tests.integration.hostile import resident
from tests.our_content import STORE
from tests.standin import running
from tools.build import build
from tools.project import Project
from tools.server import Server, free_port, start

AWAY = "http://127.0.0.1:9/api"
FIRST_MADE = 5_000
"""The id of the first lender that is made."""

PAGES = 40
"""Pages of each kind that are asked for, each once, then all again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Seconds of the start, milliseconds of answers, megabytes of the process."""

    start: float
    start_processor: float
    started_memory: float
    new_lender: float
    new_guide: float
    same_guide: float
    search: float
    sitemap: float
    longest_wait: float
    memory: float


def write_state(folder: Path, *, lenders: int, guides: int) -> tuple[list[str], list[str]]:
    """Write a snapshot of so many guides and a list of so many lenders; return paths of both."""
    settings = Settings(state_dir=folder, api_url=AWAY)
    content = snapshot_folder(settings)
    with running() as standin:
        client = WordPressClient(WordPressSettings(api_url=standin.url))
        if not sync(client, STORE, to=content, report=str):
            raise SystemExit("The stand-in's content could not be copied.")
    made = tuple(_guide(number) for number in range(guides))
    write_snapshot(content, replace(read_snapshot(content), source=AWAY, guides=made), files={})
    known = {lender.lender_id: lender for lender in load(settings.data_dir / "market").lenders.values()}
    names = {lender_id: lender.name for lender_id, lender in known.items()}
    names |= {FIRST_MADE + number: f"Building Society {number}" for number in range(max(0, lenders - len(names)))}
    write_lender_list(settings, names)
    slugs = [routes.lender(lender.slug) for lender in known.values() if lender.residential]
    return slugs[:PAGES], [routes.guide(guide.url) for guide in made[-PAGES:]]


def _guide(number: int) -> Guide:
    guides = STORE.guides()
    ours = guides[number % len(guides)]
    if number < len(guides):
        return ours
    html = SafeHtml(f"{ours.html}<p>Number {number}.</p>")
    return replace(ours, url=f"{ours.url}-{number}", title=f"{ours.title} {number}", html=html)


def megabytes(server: Server) -> float:
    return resident(server.process.pid) / 1_000_000


async def timed(client: httpx2.AsyncClient, path: str) -> float:
    """Return the milliseconds of an answer."""
    began = time.perf_counter()
    (await client.get(path)).raise_for_status()
    return (time.perf_counter() - began) * 1_000


async def half_within(client: httpx2.AsyncClient, paths: list[str]) -> float:
    return median([await timed(client, path) for path in paths])


async def longest_wait(client: httpx2.AsyncClient, path: str, *, during: asyncio.Task[float]) -> float:
    """Ask for a page over and over until something is done; return the milliseconds of the longest answer."""
    longest = 0.0
    while not during.done():
        longest = max(longest, await timed(client, path))
    return longest


async def measure(server: Server, *, seconds: float, lenders: list[str], guides: list[str]) -> Figures:
    before, spent = megabytes(server), processor_seconds(server.process.pid)
    async with httpx2.AsyncClient(base_url=server.url, timeout=120) as client:
        new_lender, new_guide = await half_within(client, lenders), await half_within(client, guides)
        same_guide = await half_within(client, guides)
        search = asyncio.create_task(timed(client, routes.SEARCH_INDEX))
        waited = await longest_wait(client, guides[0], during=search)
        return Figures(
            start=seconds,
            start_processor=spent,
            started_memory=before,
            new_lender=new_lender,
            new_guide=new_guide,
            same_guide=same_guide,
            search=await search,
            sitemap=await timed(client, SITEMAP),
            longest_wait=waited,
            memory=megabytes(server),
        )


def figures_of(project: Project, *, lenders: int, guides: int) -> Figures:
    with TemporaryDirectory() as folder:
        state = Path(folder) / "state"
        paths = write_state(state, lenders=lenders, guides=guides)
        settings = {"BROKER_API_URL": AWAY, "BROKER_STATE_DIR": str(state)}
        began = time.perf_counter()
        server = start(project, free_port(), log=Path(folder) / "log", settings=settings)
        seconds = time.perf_counter() - began
        try:
            return asyncio.run(measure(server, seconds=seconds, lenders=paths[0], guides=paths[1]))
        finally:
            server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_scale", description=__doc__)
    parser.add_argument("--lenders", type=int, default=1_000)
    parser.add_argument("--guides", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=3, help="medians of so many")
    options = parser.parse_args()
    project = Project()
    build(project)
    sizes = [(85, len(STORE.guides())), (options.lenders, options.guides)]
    small, large = ([figures_of(project, lenders=one, guides=many) for _ in range(options.runs)] for one, many in sizes)
    lines = {
        "start, s": "start",
        "processor time of the start, s": "start_processor",
        "memory after the start, MB": "started_memory",
        "a lender's page, first time, ms": "new_lender",
        "a guide, first time, ms": "new_guide",
        "a guide, again, ms": "same_guide",
        "the search's index, first time, ms": "search",
        "longest wait for a page meanwhile, ms": "longest_wait",
        "sitemap.xml, first time, ms": "sitemap",
        "memory after all, MB": "memory",
    }
    print(f"| | {' | '.join(f'{one} lenders, {many} guides' for one, many in sizes)} |\n|---|---|---|")
    for words, name in lines.items():
        values = (median(getattr(each, name) for each in runs) for runs in (small, large))
        print(f"| {words} | {' | '.join(f'{value:.1f}' for value in values)} |")


if __name__ == "__main__":
    main()
