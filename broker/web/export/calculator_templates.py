"""Templates of the calculators' pages, for an address with inputs.

One exported page has the panel of every calculator with places where its values stand. Each is put into the page of
its calculator: what React wrote there, with the scripts that start with the same values.
"""

import re
from pathlib import Path
from shutil import rmtree

from broker import routes
from broker.web.export.edge_templates import without_separators

PANELS = routes.edge_template("calculators")
PAGE = "index.html"

_PANEL = re.compile(r'<section(?=[^>]* class="panel)[^>]* id="(?P<slug>[a-z0-9-]+)"[^>]*>.*?</section>', re.DOTALL)


def add_calculator_templates(folder: Path) -> None:
    """Write the template of each calculator's page into a folder of its own, and drop the page of all panels."""
    source = folder / PANELS
    if not (source / PAGE).exists():
        return
    for panel in _PANEL.finditer(without_separators((source / PAGE).read_text(encoding="utf-8"))):
        page = folder / routes.calculator(panel["slug"]).strip("/") / PAGE
        target = folder / routes.calculator_template(panel["slug"])
        target.mkdir()
        (target / PAGE).write_text(with_panel(page.read_text(encoding="utf-8"), panel), encoding="utf-8")
    rmtree(source)
    source.with_name(f"{PANELS}.html").unlink(missing_ok=True)


def with_panel(html: str, panel: re.Match[str]) -> str:
    """Return a page with a panel in place of its own."""
    own = next(each for each in _PANEL.finditer(html) if each["slug"] == panel["slug"])
    return html[: own.start()] + panel[0] + html[own.end() :]
