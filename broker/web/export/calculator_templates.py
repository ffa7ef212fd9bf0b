"""Templates of the pages of calculators and plans, for an address with inputs.

One exported page has the panels of calculators with places where their values stand, another those with deals. Each is
put into the page of its calculator: what React wrote there, with the scripts that start with the same values.
"""

import re
from pathlib import Path
from shutil import rmtree

from broker import routes
from broker.web.export.edge_templates import without_separators
from broker.web.export.search_templates import region, start_data, with_error_title

CALCULATORS, PLANS = routes.edge_template("calculators"), routes.edge_template("plans")
PAGE = "index.html"

_PANEL = re.compile(r'<section(?=[^>]* class="panel)[^>]* id="(?P<slug>[a-z0-9-]+)"[^>]*>.*?</section>', re.DOTALL)


def add_calculator_templates(folder: Path) -> None:
    """Write the template of each calculator's page into a folder of its own, and drop the pages of all panels."""
    for name in (CALCULATORS, PLANS):
        if (folder / name / PAGE).exists():
            _add_templates(folder, folder / name)


def _add_templates(folder: Path, source: Path) -> None:
    html = (source / PAGE).read_text(encoding="utf-8")
    for slug in panels(html):
        page = (folder / routes.calculator(slug).strip("/") / PAGE).read_text(encoding="utf-8")
        target = folder / routes.calculator_template(slug)
        target.mkdir()
        (target / PAGE).write_text(calculator_template(page, html, slug=slug, source=source.name), "utf-8")
    rmtree(source)
    source.with_name(f"{source.name}.html").unlink(missing_ok=True)


def panels(html: str) -> dict[str, re.Match[str]]:
    """Return the panels of calculators in a page by their slugs."""
    return {panel["slug"]: panel for panel in _PANEL.finditer(html)}


def calculator_template(page: str, html: str, *, slug: str, source: str) -> str:
    """Return a calculator's page with its panel, and where it has any with its deals, of the HTML of `source`."""
    # React Router takes an address that is a place for a relative one
    html = html.replace(f'"/{source}/', '"')
    made = with_error_title(with_panel(page, panels(html)[slug]), "panel.is_wrong")
    return _with_deals(made, html, slug) if source == PLANS else made


def with_panel(html: str, panel: re.Match[str]) -> str:
    """Return a page with a panel in place of its own.

    A plan writes texts side by side, between which React looks for separators; a calculator has none.
    """
    own = next(each for each in _PANEL.finditer(html) if each["slug"] == panel["slug"])
    is_plan = routes.calculator(panel["slug"]).startswith(routes.PLANS)
    return html[: own.start()] + (panel[0] if is_plan else without_separators(panel[0])) + html[own.end() :]


def _with_deals(page: str, html: str, slug: str) -> str:
    """Return a page with the deals of its template, if they have a section, and with the data of its scripts."""
    deals = f"{slug}-deals"
    if f'id="{deals}"' in page:
        page = page.replace(region(page, deals), region(html, deals), 1)
    return page.replace("</head>", start_data() + "</head>", 1)
