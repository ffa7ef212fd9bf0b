"""Templates of the rates pages, for an address with a search.

One exported page has the search and the list of every page with places where their values stand. They are put into the
page of their customer type: what React wrote there, with the scripts that start from the same values.
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
"""The template of the remortgage plan, and the id of its section."""

SITE_SEARCH, EVERYTHING = routes.edge_template("search"), "everything"
"""The template of the search of this site, and the id of its list of everything."""

REGIONS = ("search-region", "deals")
"""The ids of the sections that a template replaces."""


class MissingPlaceError(ValueError):
    """A page without a part that its template fills."""


def add_search_templates(folder: Path) -> None:
    """Write the template of each customer type's page into a folder of its own, and drop the page of all regions."""
    for name, path, fill in (
        (PLAN, routes.REMORTGAGE_PLAN, plan_template),
        (SITE_SEARCH, routes.SEARCH, site_search_template),
    ):
        _fill_page(folder / name / PAGE, folder / path.strip("/") / PAGE, fill)
    source = folder / ALL
    if not (source / PAGE).exists():
        return
    regions = read_file(source / PAGE)
    for customer in RULES:
        name = routes.search_template(customer)
        page = read_file(folder / routes.deals(customer).strip("/") / PAGE)
        search_template(page, deepcopy(regions.get_element_by_id(name)))
        write_file(folder / name / PAGE, page)
    rmtree(source)
    source.with_name(f"{ALL}.html").unlink(missing_ok=True)


def read_file(file: Path) -> HtmlElement:
    return parse_page(file.read_text(encoding="utf-8"))


def write_file(file: Path, page: HtmlElement) -> None:
    """Write a page into a folder, which is made where there is none."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(page_html(page), encoding="utf-8")


def _fill_page(source: Path, own: Path, fill: Callable[[HtmlElement, HtmlElement], None]) -> None:
    """Put a template that is one section into its page."""
    if source.exists():
        page = read_file(own)
        fill(page, read_file(source))
        write_file(source, page)


def plan_template(page: HtmlElement, source: HtmlElement) -> None:
    """Put the section of a template and the data of its scripts into the page of the remortgage plan."""
    _fill_region(page, source, PLAN_REGION, name=PLAN)
    add_start_data(page)
    mark_error_title(page, "plan.panel.is_wrong")


def site_search_template(page: HtmlElement, source: HtmlElement) -> None:
    """Put the list of a template into the page of the search, whose scripts read there what they start from."""
    _fill_region(page, source, EVERYTHING, name=SITE_SEARCH)


def _fill_region(page: HtmlElement, source: HtmlElement, identity: str, *, name: str) -> None:
    own = region(source, identity)
    restore_addresses(own, name)
    replace_element(region(page, identity), own)


def restore_addresses(root: HtmlElement, name: str) -> None:
    """Take the template's own path off addresses that are places: React Router takes those for relative ones."""
    for address in root.xpath("descendant-or-self::*/@*[starts-with(., $path)]", path=f"/{name}/"):
        address.getparent().set(address.attrname, address.removeprefix(f"/{name}/"))


def search_template(page: HtmlElement, regions: HtmlElement) -> None:
    """Put the regions of another page into a page, places for its title and description, and the data of its scripts.

    Raises MissingPlaceError.
    """
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


def mark_error_title(page: HtmlElement, name: str) -> None:
    """Let the title of a page begin with `Error: ` where the value of a name is true."""
    title = page.find("head/title")
    title.text = code(f"{{% if {name} %}}") + "Error: " + code("{% endif %}") + (title.text or "")


def add_start_data(page: HtmlElement) -> None:
    """Add what the scripts of a template's page start from (`js/edge_answer.js`) to its head."""
    data = page.makeelement("script", {"id": "edge-answer", "type": "application/json"})
    data.text = markup_variable(START)
    page.find("head").append(data)


def region(page: HtmlElement, identity: str) -> HtmlElement:
    """Return a section by its id; raises MissingPlaceError."""
    found = page.xpath("descendant-or-self::section[@id=$id]", id=identity)
    if not found:
        raise MissingPlaceError(f"a rates page has no section with the id {identity}")
    return found[0]


# One exported page has the panels of calculators with places where their values stand, another those with deals. Each
# is put into the page of its calculator: what React wrote there, with the scripts that start with the same values.

CALCULATORS, PLANS = routes.edge_template("calculators"), routes.edge_template("plans")


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


# Code that components wrote (`presenters.jinja`) becomes Jinja2's; anything else that looks like Jinja2, in a text
# from WordPress for example, is escaped and stays a text.

_NAME = r"[a-z][a-z0-9_]*(?:\.[a-z0-9][a-z0-9_]*)*"
_STATEMENT = rf"(?:if {_NAME}|for [a-z]+ in {_NAME}|else|endif|endfor)"
_CODE = re.compile(rf"{OPEN}(\{{\{{ {_NAME}(?:\|safe)? +\}}\}}|\{{% {_STATEMENT} %\}}){CLOSE}")
_DELIMITER = re.compile(r"\{(?=[{%#]|\Z)")
_COMMENT = "<!-- -->"
"""What React writes between two texts, and looks for when it hydrates a page."""


def without_separators(html: str) -> str:
    """Return a page without the comments between texts, where nothing looks for them."""
    return html.replace(_COMMENT, "")


def as_template(html: str, path: str) -> str:
    """Return the template that an exported page becomes; `path` is the page's own."""
    if not routes.template_keeps_scripts(path):
        html = without_separators(html)
    # React Router takes an address that is a place for a relative one
    html = html.replace(f'"/{path.strip("/")}/{OPEN}', f'"{OPEN}')
    first, *conditional = html.split(f" {CONDITIONAL}")
    return _rewritten("".join((first, *map(_conditional, conditional))))


def _conditional(html: str) -> str:
    """Return HTML that begins with an attribute of `attribute_if`, after its prefix, with the condition around it.

    Jinja2 inside a tag is no attribute: only a text can hold it.
    """
    attribute, _, rest = html.partition(f'="{OPEN}{{{{ ')
    name, _, rest = rest.partition(f' }}}}{CLOSE}"')
    value = "page" if attribute == "aria-current" else "true"
    return f'{code(f"{{% if {name} %}}")} {attribute}="{value}"{code("{% endif %}")}{rest}'


def _rewritten(html: str) -> str:
    """Return HTML with its code as Jinja2's and every other delimiter of Jinja2 as a text."""
    written, end = [], 0
    for found in _CODE.finditer(html):
        written += [_escaped(html[end : found.start()]), found[1]]
        end = found.end()
    return "".join((*written, _escaped(html[end:])))


def _escaped(text: str) -> str:
    return _DELIMITER.sub("{{ '{' }}", text.replace(OPEN, "").replace(CLOSE, ""))
