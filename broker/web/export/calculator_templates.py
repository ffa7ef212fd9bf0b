"""Templates of the pages of calculators and plans, for an address with inputs.

One exported page has the panel of every calculator with places where its values stand, another those of plans. Each is
put into the page of its calculator: what React wrote there, with the scripts that start with the same values.
"""

import re
from pathlib import Path
from shutil import rmtree

from broker import routes
from broker.web.export.edge_templates import without_separators
from broker.web.export.search_templates import start_data

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
    # A plan writes texts side by side, between which React looks for separators; a calculator has none.
    for panel in _PANEL.finditer(html if source.name == PLANS else without_separators(html)):
        page = folder / routes.calculator(panel["slug"]).strip("/") / PAGE
        target = folder / routes.calculator_template(panel["slug"])
        target.mkdir()
        (target / PAGE).write_text(with_panel(page.read_text(encoding="utf-8"), panel), encoding="utf-8")
    rmtree(source)
    source.with_name(f"{source.name}.html").unlink(missing_ok=True)


def with_panel(html: str, panel: re.Match[str]) -> str:
    """Return a page with a panel in place of its own; that of a plan has the data of its scripts too."""
    own = next(each for each in _PANEL.finditer(html) if each["slug"] == panel["slug"])
    page = html[: own.start()] + panel[0] + html[own.end() :]
    is_plan = routes.calculator(panel["slug"]).startswith(routes.PLANS)
    return page.replace("</head>", start_data() + "</head>", 1) if is_plan else page
