"""One worker and two, over Redis and PostgreSQL, under the same load: `python -m tests.bench.bench_workers`.

Two sites run side by side and are loaded in turn, by a process in a group of its own. What counts is searches and
questionnaire answers a second; beside them stands the processor time that workers, database, Redis and load took, as
all share the machine's cores. Then thousands of tabs are open at one worker, and pages are fetched through nginx.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from broker import routes
from broker.state.questionnaire import QuestionnaireState
from broker.state.rates.search import RatesState
from tests.bench.bench_feed import percentile
from tests.bench.static_pages import speeds
from tests.bench.visitor_load import Rest, Site, Window
from tests.databases.cluster import Cluster, own_cluster
from tests.integration.tabs import form
from tests.integration.workers_site import WorkersSite, workers_site
from tests.unit.domain.questionnaire.journeys import JOURNEYS
from tools.build import build
from tools.project import Project

CLIENTS = {"search pages": 24, "searches": 48, "answers": 48}
"""What is asked for over and over, and by how many at once."""

SCALED = 1.8
"""What two workers are to do, in times of one."""

ALIKE = 0.9
"""What a worker of two is to do for a second of its processor, in times of a worker alone."""

TABS, SEARCH_EACH = 2_000, 60.0
"""Tabs that are open at one worker, and in how many seconds each of them searches once."""

MAX_SEARCH = 100.0
"""Milliseconds that 95 of 100 searches of those tabs may take."""

MAX_VISITOR = 150
"""Kilobytes of a worker and of Redis that a visitor at rest may take."""

MAX_EXPIRY = 900
"""Seconds after which Redis drops what it holds of a visitor."""

MIN_PAGES = 700.0
"""Pages a second that the edge of one worker is to send by keep-alive."""

SHARE_OF_NGINX = 0.95
"""What nginx as shipped is to do, of what it does over files alone."""

MAX_IDLE = 0.3
"""Cores that may be idle while two workers are loaded, where less than SCALED is excused."""

CORES = os.cpu_count() or 1

_firsts = count(1, 1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What several windows come to, as medians: answers a second, and cores by part of the site.

    `share` is that of the busiest worker.
    """

    rate: float
    cores: dict[str, float]
    share: float

    @property
    def each(self) -> float:
        """Return what was answered for a second of the workers' processor time."""
        return self.rate / self.cores["workers"]


def figures(windows: Sequence[Window]) -> Figures:
    used = [cores_of(each) for each in windows]
    return Figures(
        rate=statistics.median(each["done"] / each["seconds"] for each in windows),
        cores={part: statistics.median(each[part] for each in used) for part in used[0]},
        share=statistics.median(max(each["spent"]["workers"]) / sum(each["spent"]["workers"]) for each in windows),
    )


def cores_of(window: Window) -> dict[str, float]:
    """Return how many cores each part of the site, the load and whatever else runs on the machine took."""
    spent = {part: sum(each) for part, each in window["spent"].items()} | {"load": window["load"]}
    spent["idle"] = window["idle"]
    spent["others"] = max(0.0, CORES * window["seconds"] - sum(spent.values()))
    return {part: each / window["seconds"] for part, each in spent.items()}


def site_of(running: WorkersSite, cluster: Cluster) -> Site:
    """Return what the load is told of a site."""
    states = RatesState.get_full_name(), QuestionnaireState.get_full_name()
    journey = JOURNEYS["home mover, property found, a loan"]
    client: Any = running.redis.client()
    store = client.info("server")["process_id"]
    return Site(
        port=int(running.url.rpartition(":")[2]),
        redis_url=running.redis.url,
        processes={
            "workers": running.workers(),
            "database": [int((cluster.folder / "data" / "postmaster.pid").read_text().split()[0])],
            "Redis": [store],
        },
        search=f"{states[0]}.open",
        path=routes.RATES,
        page=routes.ABOUT,
        open_question=f"{states[1]}.open",
        answer=f"{states[1]}.answer",
        journey=[(routes.question(step), form(step, words)) for step, words in journey.replies],
        first=next(_firsts),
    )


def loaded(asked: Mapping[str, Any]) -> Any:
    """Return what a load of a process group of its own tells."""
    command = [sys.executable, "-m", "tests.bench.visitor_load"]
    done = subprocess.run(
        command, input=json.dumps(asked), stdout=subprocess.PIPE, text=True, check=True, start_new_session=True
    )
    return json.loads(done.stdout)


@contextmanager
def sites(project: Project, folder: Path, cluster: Cluster) -> Iterator[dict[int, WorkersSite]]:
    """Start a site of one worker and one of two, each with a database and a Redis of its own."""
    with ExitStack() as stack:
        running = {}
        for workers in (1, 2):
            own = folder / str(workers)
            own.mkdir()
            running[workers] = stack.enter_context(workers_site(project, own, cluster, workers=workers))
        yield running


def compared(running: Mapping[int, WorkersSite], cluster: Cluster, *, turns: int, seconds: float) -> bool:
    """Load the sites in turn, print what they answer, and tell whether two workers do as much as two."""
    windows: dict[tuple[int, str], list[Window]] = {}
    for _ in range(turns):
        for workers, site in running.items():
            asked = {"site": site_of(site, cluster), "kinds": CLIENTS, "seconds": seconds}
            for kind, window in loaded(asked)["windows"].items():
                windows.setdefault((workers, kind), []).append(window)
    print(f"{CORES} cores, shared by workers, database, Redis and load; medians of {turns} turns of {seconds:g} s\n")
    scaled = [report(kind, *(figures(windows[workers, kind]) for workers in running)) for kind in CLIENTS]
    return all(scaled)


def report(kind: str, one: Figures, two: Figures) -> bool:
    """Print the figures of one worker and of two, and tell whether they scale."""
    scaled, alike = two.rate / one.rate, two.each / one.each
    print(f"{kind}: {one.rate:.0f} a second with one worker, {two.rate:.0f} with two: {scaled:.2f} times")
    for name, each in (("one", one), ("two", two)):
        cores = "  ".join(f"{part} {cores:.2f}" for part, cores in each.cores.items())
        print(f"  cores with {name}: {cores}")
    print(f"  for a second of a worker: {one.each:.0f} alone, {two.each:.0f} as one of two: {alike:.2f} times")
    own = 2 * two.each / one.rate
    print(f"  the busier of two did {two.share:.0%}; two cores of their own would bring {own:.2f} times")
    met, excused = scaled >= SCALED, alike >= ALIKE and two.cores["idle"] <= MAX_IDLE
    words = "met" if met else "MISSED, for want of cores: a worker of two does as much" if excused else "MISSED"
    print(f"  target: {SCALED} times: {words}\n")
    return met or excused


def rested(site: WorkersSite, cluster: Cluster, *, tabs: int, seconds: float) -> bool:
    """Open tabs at the only worker twice, print their searches and what they take, and tell whether that is little."""
    asked = {"tabs": tabs, "rate": tabs / SEARCH_EACH, "seconds": seconds}
    rest: Rest = loaded({"site": site_of(site, cluster), "rest": asked})["rest"]
    times, used = rest["window"]["times"], cores_of(rest["window"])
    half, most = percentile(times, 0.5), percentile(times, 0.95)
    rate = len(times) / rest["window"]["seconds"]
    print(f"{tabs:,} tabs open at one worker, each searches every {SEARCH_EACH:.0f} s: {rate:.0f} a second")
    print(f"  ms: p50 {half:.1f}  p95 {most:.1f}  worst {max(times):.1f}   cores: others {used['others']:.2f}")
    opened, searched, renewed = (
        [(now - then) / tabs / 1_000 for now, then in zip(held, rest["before"], strict=True)]
        for held in (rest["opened"], rest["searched"], rest["renewed"])
    )
    least, longest = rest["expiries"]
    print(f"  kB a visitor, worker and Redis: open {opened[0]:.1f} + {opened[1]:.1f}", end="")
    print(f", after a search {searched[0]:.1f} + {searched[1]:.1f}")
    print(f"  worker after they left and others came: {renewed[0]:.1f}; Redis drops keys after {least} to {longest} s")
    met = most <= MAX_SEARCH and max(sum(opened), sum(searched)) <= MAX_VISITOR and 0 < least <= longest <= MAX_EXPIRY
    words = f"p95 at most {MAX_SEARCH:.0f} ms, {MAX_VISITOR} kB a visitor, dropped after {MAX_EXPIRY} s"
    print(f"  target: {words}: {'met' if met else 'MISSED'}\n")
    return met


def pages(site: WorkersSite, cluster: Cluster, *, root: Path, folder: Path, turns: int) -> bool:
    """Print how fast pages come through nginx and from the edge of one worker, and tell whether that is enough."""
    asked = site_of(site, cluster)
    edge = figures([loaded({"site": asked, "kinds": {"pages": 8}, "seconds": 3.0})["windows"]["pages"]])
    shipped, bare = speeds(Project(), root, folder, site_port=asked["port"], turns=turns)
    share = shipped["each"] / bare["each"]
    print(
        f"pages through nginx as shipped: {shipped['rate']:.0f} a second, {shipped['each']:.0f} for a second of nginx"
    )
    print(f"  bare nginx over the files: {bare['rate']:.0f} a second, {bare['each']:.0f} for a second of nginx")
    met = share >= SHARE_OF_NGINX
    print(f"  target: at least {SHARE_OF_NGINX:.0%} of its own speed: {share:.0%}, {'met' if met else 'MISSED'}")
    fast = edge.rate >= MIN_PAGES
    print(f"pages of the edge, one worker, by keep-alive: {edge.rate:.0f} a second")
    print(f"  target: at least {MIN_PAGES:.0f}: {'met' if fast else 'MISSED'}")
    return met and fast


def main() -> None:
    """Measure, print the figures, and end with code 1 where a target is missed that this machine could meet."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_workers", description=__doc__)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each turn (by default %(default)g)")
    parser.add_argument("--tabs", type=int, default=TABS)
    given = parser.parse_args()
    project = Project()
    root = build(project)
    with TemporaryDirectory() as name, own_cluster() as cluster:
        folder = Path(name)
        with sites(project, folder, cluster) as running:
            done = [
                rested(running[1], cluster, tabs=given.tabs, seconds=4 * given.seconds),
                compared(running, cluster, turns=given.turns, seconds=given.seconds),
                pages(running[1], cluster, root=root, folder=folder, turns=given.turns),
            ]
    sys.exit(0 if all(done) else 1)


if __name__ == "__main__":
    main()
