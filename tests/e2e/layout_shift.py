"""What moves on a page without anybody having asked for it, as browsers measure it (cumulative layout shift)."""

from playwright.sync_api import Page

SLOW_LINE = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""A line of 400 kbit/s that answers after 400 ms, in bytes a second and milliseconds."""

MAX_SHIFT = 0.01
"""The score that a page may have."""

_WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const moved = entry.sources.map(({ node, previousRect: was, currentRect: is }) => {
      const name = node?.className ? `${node.tagName}.${node.className}` : (node?.textContent ?? "gone");
      return `${name.slice(0, 60)} ${was.y}+${was.height} to ${is.y}+${is.height}`;
    });
    window.shifts.push({ value: entry.value, moved });
  }
}).observe({ type: "layout-shift", buffered: true });
"""


def slow_down(page: Page) -> None:
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW_LINE)


def watch_shifts(page: Page) -> None:
    """Note what moves on every page that is opened from now on."""
    page.add_init_script(_WATCH)


def shifts(page: Page) -> tuple[float, list[str]]:
    """Return how much has moved on a page so far, and each time that it did, with what moved."""
    seen = page.evaluate("() => window.shifts")
    return sum(each["value"] for each in seen), [f"{each['value']:.4f} {each['moved']}" for each in seen]
