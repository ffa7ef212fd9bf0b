"""Turn exported pages into Jinja2 templates for the edge.

Calculators, plans and searches are exported twice: as their own page, and on a page of all regions with Jinja2 code for
every value. The regions are put into the own pages, whose scripts start from the same values.
"""

import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from shutil import rmtree

from lxml.html import HtmlElement

from broker import routes
from broker.jinja_places import CLOSE, CONDITIONAL, OPEN, code, markup_variable, variable
from broker.markup import meta, page_html, parse_page, replace_element
from broker.rates.customers import RULES
from broker.rates.search_page import DESCRIPTION, START, TITLE

ALL = routes.edge_template("rates")
PAGE = "index.html"

PLAN, PLAN_REGION = routes.edge_template("plan-remortgaging"), "plan-remortgaging"
"""The template of the remortgage plan, and the id of its region."""

SITE_SEARCH, EVERYTHING = routes.edge_template("search"), "everything"
"""The template of the site search, and the id of its list."""

REGIONS = ("search-region", "deals")
"""The ids of the sections that a template replaces."""


class MissingPlaceError(ValueError):
    """A page lacks a part that its template fills."""


def add_search_templates(folder: Path) -> None:
    """Write the templates of rates pages, remortgage plan and site search; delete the page of all regions."""
    for name, path, fill in (
        (PLAN, routes.REMORTGAGE_PLAN, plan_template),
        (SITE_SEARCH, routes.SEARCH, site_search_template),
    ):
        _fill_page(folder / name / PAGE, folder / path.strip("/") / PAGE, fill)
    source = folder / ALL
    if not (source / PAGE).exists():
        return
    regions = _read_file(source / PAGE)
    for customer in RULES:
        name = routes.search_template(customer)
        page = _read_file(folder / routes.deals(customer).strip("/") / PAGE)
        search_template(page, deepcopy(regions.get_element_by_id(name)))
        _write_file(folder / name / PAGE, page)
    rmtree(source)
    source.with_name(f"{ALL}.html").unlink(missing_ok=True)


def _read_file(file: Path) -> HtmlElement:
    return parse_page(file.read_text(encoding="utf-8"))


def _write_file(file: Path, page: HtmlElement) -> None:
    """Write a page, and create its folder if missing."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(page_html(page), encoding="utf-8")


def _fill_page(source: Path, own: Path, fill: Callable[[HtmlElement, HtmlElement], None]) -> None:
    if source.exists():
        page = _read_file(own)
        fill(page, _read_file(source))
        _write_file(source, page)


def plan_template(page: HtmlElement, source: HtmlElement) -> None:
    """Put the region of the template and the start data into the page of the remortgage plan."""
    _fill_region(page, source, PLAN_REGION, name=PLAN)
    add_start_data(page)
    _mark_error_title(page, "plan.panel.is_wrong")


def site_search_template(page: HtmlElement, source: HtmlElement) -> None:
    """Put the list of the template into the page of the site search."""
    _fill_region(page, source, EVERYTHING, name=SITE_SEARCH)


def _fill_region(page: HtmlElement, source: HtmlElement, identity: str, *, name: str) -> None:
    own = region(source, identity)
    _restore_addresses(own, name)
    replace_element(region(page, identity), own)


def _restore_addresses(root: HtmlElement, name: str) -> None:
    """Remove the template's path from Jinja2 addresses, which React Router took for relative ones."""
    for address in root.xpath("descendant-or-self::*/@*[starts-with(., $path)]", path=f"/{name}/"):
        address.getparent().set(address.attrname, address.removeprefix(f"/{name}/"))


def search_template(page: HtmlElement, regions: HtmlElement) -> None:
    """Put regions, Jinja2 title and description, and start data into a rates page; raises MissingPlaceError."""
    for identity in REGIONS:
        replace_element(region(page, identity), region(regions, identity))
    title, described = page.find("head/title"), meta(page, "description")
    if title is None or not title.text:
        raise MissingPlaceError(f"a rates page has no {TITLE}")
    if not described:
        raise MissingPlaceError(f"a rates page has no {DESCRIPTION}")
    for tag in page.xpath("head/meta[@content]"):
        place = {described: DESCRIPTION, title.text: TITLE}.get(tag.get("content"))
        if place:
            tag.set("content", variable(place))
    title.text = variable(TITLE)
    add_start_data(page)


def _mark_error_title(page: HtmlElement, name: str) -> None:
    """Prefix the title of a page with `Error: ` where a value is true."""
    title = page.find("head/title")
    title.text = code(f"{{% if {name} %}}") + "Error: " + code("{% endif %}") + (title.text or "")


def add_start_data(page: HtmlElement) -> None:
    """Add the start data of a page's scripts (`js/edge_answer.js`) to its head."""
    data = page.makeelement("script", {"id": "edge-answer", "type": "application/json"})
    data.text = markup_variable(START)
    page.find("head").append(data)


def region(page: HtmlElement, identity: str) -> HtmlElement:
    """Return a section by its id; raises MissingPlaceError."""
    found = page.xpath("descendant-or-self::section[@id=$id]", id=identity)
    if not found:
        raise MissingPlaceError(f"a rates page has no section with the id {identity}")
    return found[0]


CALCULATORS, PLANS = routes.edge_template("calculators"), routes.edge_template("plans")


def add_calculator_templates(folder: Path) -> None:
    """Write the template of each calculator's page; delete the pages of all panels."""
    for name in (CALCULATORS, PLANS):
        if (folder / name / PAGE).exists():
            _add_templates(folder, folder / name)


def _add_templates(folder: Path, source: Path) -> None:
    drawn = _read_file(source / PAGE)
    for slug in panels(drawn):
        page = _read_file(folder / routes.calculator(slug).strip("/") / PAGE)
        calculator_template(page, drawn, slug=slug, source=source.name)
        _write_file(folder / routes.calculator_template(slug) / PAGE, page)
    rmtree(source)
    source.with_name(f"{source.name}.html").unlink(missing_ok=True)


def panels(drawn: HtmlElement) -> dict[str, HtmlElement]:
    """Return the panels of calculators in a page by slug."""
    return {panel.get("id"): panel for panel in drawn.xpath("//section[@id][starts-with(@class, 'panel')]")}


def calculator_template(page: HtmlElement, drawn: HtmlElement, *, slug: str, source: str) -> None:
    """Put the panel of the page `source`, and its deals if any, into the page of a calculator.

    React separates adjacent texts by comments, which it needs in a plan; a calculator has none.
    """
    _restore_addresses(drawn, source)
    panel = deepcopy(panels(drawn)[slug])
    if not routes.calculator(slug).startswith(routes.PLANS):
        for separator in panel.xpath(".//comment()[. = ' ']"):
            separator.drop_tree()
    replace_element(region(page, slug), panel)
    _mark_error_title(page, "panel.is_wrong")
    if source == PLANS:
        _fill_deals(page, drawn, slug)


def _fill_deals(page: HtmlElement, drawn: HtmlElement, slug: str) -> None:
    """Put the deals of a template into a page with a section for them, and the start data."""
    deals = f"{slug}-deals"
    if page.xpath("//section[@id=$id]", id=deals):
        replace_element(region(page, deals), deepcopy(region(drawn, deals)))
    add_start_data(page)


_NAME = r"[a-z][A-Za-z0-9_]*(?:\.[a-z0-9][A-Za-z0-9_]*)*"
_STATEMENT = rf"(?:if {_NAME}|for [a-z]+ in {_NAME}|else|endif|endfor)"
_CODE = re.compile(rf"{OPEN}(\{{\{{ {_NAME}(?:\|safe)? +\}}\}}|\{{% {_STATEMENT} %\}}){CLOSE}")
_DELIMITER = re.compile(r"\{(?=[{%#]|\Z)")
_COMMENT = "<!-- -->"
"""Separator of adjacent texts, which React needs to hydrate a page."""


def _without_separators(html: str) -> str:
    """Return a page without separators, for pages without React."""
    return html.replace(_COMMENT, "")


def as_template(html: str, path: str) -> str:
    """Return an exported page as a template.

    Marked code (`broker.jinja_places`) becomes Jinja2's; anything else that looks like Jinja2, in content for example,
    is escaped. `path` is the page's.
    """
    if not routes.template_keeps_scripts(path):
        html = _without_separators(html)
    # React Router takes an address in Jinja2 for a relative one
    html = html.replace(f'"/{path.strip("/")}/{OPEN}', f'"{OPEN}')
    first, *conditional = html.split(f" {CONDITIONAL}")
    return _rewritten("".join((first, *map(_conditional, conditional))))


def _conditional(html: str) -> str:
    """Return HTML after the prefix of an attribute of `attribute_if`, with a Jinja2 condition around the attribute."""
    attribute, _, rest = html.partition(f'="{OPEN}{{{{ ')
    name, _, rest = rest.partition(f' }}}}{CLOSE}"')
    value = "page" if attribute == "aria-current" else "true"
    return f'{code(f"{{% if {name} %}}")} {attribute}="{value}"{code("{% endif %}")}{rest}'


def _rewritten(html: str) -> str:
    """Return HTML with its marked code as Jinja2, and any other delimiter escaped."""
    written, end = [], 0
    for found in _CODE.finditer(html):
        written += [_escaped(html[end : found.start()]), found[1]]
        end = found.end()
    return "".join((*written, _escaped(html[end:])))


def _escaped(text: str) -> str:
    return _DELIMITER.sub("{{ '{' }}", text.replace(OPEN, "").replace(CLOSE, ""))
