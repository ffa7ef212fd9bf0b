"""Templates of the pages of calculators and plans, for an address with inputs.

One exported page has the panels of calculators with places where their values stand, another those with deals. Each is
put into the page of its calculator: what React wrote there, with the scripts that start with the same values.
"""

from copy import deepcopy
from pathlib import Path
from shutil import rmtree

from lxml.html import HtmlElement

from broker import routes
from broker.markup import replace_element
from broker.server.export.search_templates import (
    add_start_data,
    mark_error_title,
    read_file,
    region,
    restore_addresses,
    write_file,
)

CALCULATORS, PLANS = routes.edge_template("calculators"), routes.edge_template("plans")
PAGE = "index.html"


def add_calculator_templates(folder: Path) -> None:
    """Write the template of each calculator's page into a folder of its own, and drop the pages of all panels."""
    for name in (CALCULATORS, PLANS):
        if (folder / name / PAGE).exists():
            _add_templates(folder, folder / name)


def _add_templates(folder: Path, source: Path) -> None:
    drawn = read_file(source / PAGE)
    for slug in panels(drawn):
        page = read_file(folder / routes.calculator(slug).strip("/") / PAGE)
        calculator_template(page, drawn, slug=slug, source=source.name)
        write_file(folder / routes.calculator_template(slug) / PAGE, page)
    rmtree(source)
    source.with_name(f"{source.name}.html").unlink(missing_ok=True)


def panels(drawn: HtmlElement) -> dict[str, HtmlElement]:
    """Return the panels of calculators in a page by their slugs."""
    return {panel.get("id"): panel for panel in drawn.xpath("//section[@id][starts-with(@class, 'panel')]")}


def calculator_template(page: HtmlElement, drawn: HtmlElement, *, slug: str, source: str) -> None:
    """Put the panel of the page `source`, and its deals where it has any, into the page of a calculator.

    A plan writes texts side by side, between which React looks for separators; a calculator has none.
    """
    restore_addresses(drawn, source)
    panel = deepcopy(panels(drawn)[slug])
    if not routes.calculator(slug).startswith(routes.PLANS):
        for separator in panel.xpath(".//comment()[. = ' ']"):
            separator.drop_tree()
    replace_element(region(page, slug), panel)
    mark_error_title(page, "panel.is_wrong")
    if source == PLANS:
        _fill_deals(page, drawn, slug)


def _fill_deals(page: HtmlElement, drawn: HtmlElement, slug: str) -> None:
    """Put the deals of a template into a page that has a section for them, and the data of its scripts."""
    deals = f"{slug}-deals"
    if page.xpath("//section[@id=$id]", id=deals):
        replace_element(region(page, deals), deepcopy(region(drawn, deals)))
    add_start_data(page)
