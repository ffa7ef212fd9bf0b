"""Lighthouse over a served build: the medians of several runs a page, mobile preset, throttling applied.

Paints simulated from a loopback trace jump between two values; applied ones do not.
"""

import argparse
import json
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.build import build
from tools.environment import find_chromium
from tools.project import Project, ToolError, run_tool
from tools.server import free_port, start

PAGES = ("/", "/tools/calculators/", "/tools/rates/")
RUNS = 5
SLOWDOWN = 4
"""Processor slowdown of Lighthouse's mobile preset; 12 is a cheap phone."""
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
TIMINGS = {
    "first-contentful-paint": "FCP s",
    "largest-contentful-paint": "LCP s",
    "cumulative-layout-shift": "CLS",
    "total-blocking-time": "TBT ms",
}
SCRIPTS = "scripts kB"
COLUMNS = (*CATEGORIES, *TIMINGS.values(), SCRIPTS)

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run: its figures by column (scores out of 100, scripts as transferred), and the audits not passed."""

    figures: dict[str, float]
    faults: tuple[str, ...]


def main() -> None:
    """Build, serve and measure; print the medians of each page and the audits not passed."""
    options = _options()
    project = Project()
    build(project)
    server = start(project, free_port(), log=project.work / "lighthouse-server.log")
    print(f"Lighthouse, mobile, throttling applied, processor {options.slowdown}x slower, medians of {options.runs}")
    print(_line("page", COLUMNS))
    try:
        for path in options.pages or PAGES:
            runs = [measure(project, server.url + path, slowdown=options.slowdown) for _ in range(options.runs)]
            print(_line(path, [f"{figure:.3g}" for figure in medians(runs)]), flush=True)
            for fault in sorted({fault for run in runs for fault in run.faults}):
                print(f"    {fault}", flush=True)
    finally:
        server.stop()


def measure(project: Project, url: str, *, slowdown: float) -> Run:
    """Return one run over a page; raises ToolError with Lighthouse's output."""
    cli = project.browser_tools / "node_modules" / "lighthouse" / "cli" / "index.js"
    command = [str(project.venv / "bin" / "node"), str(cli), url, "--quiet", "--output=json", "--output-path=stdout"]
    command += ["--throttling-method=devtools", f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={FLAGS}"]
    command += [f"--throttling.cpuSlowdownMultiplier={slowdown}"]
    environment = project.environment(CHROME_PATH=find_chromium() or "")
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise ToolError(f"{done.stderr}\nLighthouse could not measure {url}.")
    return read_report(json.loads(done.stdout))


def read_report(report: dict[str, Any]) -> Run:
    """Return the figures of a report, and the title of each failed audit except performance's."""
    audits = report["audits"]
    scores = {name: (report["categories"][name]["score"] or 0) * 100 for name in CATEGORIES}
    timings = {column: audits[name]["numericValue"] for name, column in TIMINGS.items()}
    figures = {name: value / 1000 if name.endswith(" s") else value for name, value in (scores | timings).items()}
    requests = audits["network-requests"]["details"]["items"]
    figures[SCRIPTS] = sum(each["transferSize"] for each in requests if each.get("resourceType") == "Script") / 1000
    judged = (audit["id"] for name in CATEGORIES[1:] for audit in report["categories"][name]["auditRefs"])
    faults = (f"{name}: {audits[name]['title']}" for name in judged if audits[name]["score"] not in (None, 1))
    return Run(figures=figures, faults=tuple(faults))


def medians(runs: Sequence[Run]) -> list[float]:
    """Return the median of each column, in the order printed."""
    return [statistics.median(run.figures[column] for run in runs) for column in COLUMNS]


def _line(first: str, rest: Sequence[str]) -> str:
    return f"{first:24}" + "".join(f"{cell:>16}" for cell in rest)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", help=f"paths to measure (by default {' '.join(PAGES)})")
    parser.add_argument("--slowdown", type=float, default=SLOWDOWN, help=f"of the processor (by default {SLOWDOWN})")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"runs a page (by default {RUNS})")
    return parser.parse_args()


if __name__ == "__main__":
    run_tool(main)
