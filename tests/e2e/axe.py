"""Accessibility by axe-core: what a page violates of WCAG 2.2 A and AA, in readable lines."""

from functools import cache

from playwright.sync_api import Page

from tools.project import Project

TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]

_RUN = """
async ([tags, within]) => {
    const still = new CSSStyleSheet();
    still.replaceSync("*, ::before, ::after { transition: none !important }");
    document.adoptedStyleSheets.push(still);
    document.getAnimations().forEach(each => { try { each.finish() } catch { /* it never ends */ } });
    const runOnly = { type: "tag", values: tags };
    const found = await axe.run(within ?? document, { runOnly, resultTypes: ["violations"] });
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(each => each !== still);
    return found.violations.flatMap(rule => rule.nodes.map(node =>
        `${rule.id} at ${node.target.flat(9).join(" ")}: ${node.failureSummary.replace(/\\s+/g, " ")}`));
}
"""


def violations(page: Page, within: str | None = None) -> list[str]:
    """Return what axe finds in the page as it stands now, or in a part of it (a CSS selector).

    A line names the rule, the element and what is wrong. Animations under way are finished first, and no transition
    begins meanwhile, since a colour half way through one has a contrast that nobody sees for long.
    """
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(_source())
    return page.evaluate(_RUN, [TAGS, within])


@cache
def _source() -> str:
    """Return axe itself; evaluated rather than linked, so that a content policy does not keep it out."""
    return (Project().browser_tools / "node_modules" / "axe-core" / "axe.min.js").read_text()
