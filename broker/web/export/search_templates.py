"""Templates of the rates pages, for an address with a search.

One exported page has the search and the list of every page with places where their values stand. They are put into the
page of their customer type: what React wrote there, with the scripts that start from the same values.
"""

import re
from collections.abc import Callable
from html import escape, unescape
from pathlib import Path
from shutil import rmtree

from markupsafe import Markup

from broker import routes
from broker.domain.rates.customers import RULES
from broker.presenters.jinja import code, markup_variable, variable
from broker.presenters.rates.search.search_page import DESCRIPTION, START, TITLE
from broker.web.markup import elements, meta

ALL = routes.edge_template("rates")
PAGE = "index.html"

PLAN, PLAN_REGION = routes.edge_template("plan-remortgaging"), "plan-remortgaging"
"""The template of the remortgage plan, and the id of its section."""

SITE_SEARCH, EVERYTHING = routes.edge_template("search"), "everything"
"""The template of the search of this site, and the id of its list of everything."""

REGIONS = ("search-region", "deals")
"""The ids of the sections that a template replaces."""

_DATA = Markup('<script id="edge-answer" type="application/json">{}</script>')
"""What the scripts of a page start from (`js/edge_answer.js`)."""

_TAG = re.compile(r"<(/?)section\b[^>]*>")
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


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
    html = (source / PAGE).read_text(encoding="utf-8")
    for customer in RULES:
        name = routes.search_template(customer)
        own = (folder / routes.deals(customer).strip("/") / PAGE).read_text(encoding="utf-8")
        (folder / name).mkdir()
        (folder / name / PAGE).write_text(search_template(own, regions_of(html, customer)), encoding="utf-8")
    rmtree(source)
    source.with_name(f"{ALL}.html").unlink(missing_ok=True)


def _fill_page(source: Path, page: Path, fill: Callable[[str, str], str]) -> None:
    """Put a template that is one section into its page."""
    if source.exists():
        html = fill(page.read_text(encoding="utf-8"), source.read_text(encoding="utf-8"))
        source.write_text(html, encoding="utf-8")


def plan_template(page: str, html: str) -> str:
    """Return the page of the remortgage plan with its section of `html`, and the data of its scripts."""
    head, end, body = _with_region(page, html, PLAN_REGION, name=PLAN).partition("</head>")
    return with_error_title(f"{head}{start_data()}{end}{body}", "plan.panel.is_wrong")


def site_search_template(page: str, html: str) -> str:
    """Return the page of the search with the list of `html`, in which its scripts read what they start from."""
    return _with_region(page, html, EVERYTHING, name=SITE_SEARCH)


def _with_region(page: str, html: str, identity: str, *, name: str) -> str:
    own = region(html, identity)
    own = own.replace(f'"/{name}/', '"')  # React Router takes an address that is a place for a relative one
    return page.replace(region(page, identity), own, 1)


def regions_of(html: str, customer: str) -> str:
    """Return the regions of a customer type's page in the page of all of them, with what follows."""
    return html[html.index(f'id="{routes.search_template(customer)}"') :]


def search_template(page: str, regions: str) -> str:
    """Return a page with the regions of another, places for its title and description, and the data of its scripts."""
    for identity in REGIONS:
        page = page.replace(region(page, identity), region(regions, identity), 1)
    head, end, body = page.partition("</head>")
    for name, text in ((DESCRIPTION, meta(head, "description")), (TITLE, _title(head))):
        if not text or escape(text) not in head:
            raise MissingPlaceError(f"a rates page has no {name}")
        head = head.replace(escape(text), variable(name))
    return f"{head}{start_data()}{end}{body}"


def with_error_title(page: str, name: str) -> str:
    """Return a page whose title begins with `Error: ` where the value of a name is true."""
    return page.replace("<title>", "<title>" + code(f"{{% if {name} %}}") + "Error: " + code("{% endif %}"), 1)


def start_data() -> str:
    """Return the script element of what a template's page starts from."""
    return str(_DATA.format(Markup(markup_variable(START))))


def region(html: str, identity: str) -> str:
    """Return a section with all that is in it, by its id; raises MissingPlaceError."""
    opening = next((one for one in elements(html, "section") if one.has(id=identity)), None)
    if opening is None:
        raise MissingPlaceError(f"a rates page has no section with the id {identity}")
    start, depth = html.index(opening.written), 0
    for tag in _TAG.finditer(html, start):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return html[start : tag.end()]
    raise MissingPlaceError(f"the section with the id {identity} has no end")


def _title(head: str) -> str:
    found = _TITLE.search(head)
    return unescape(found[1]) if found else ""
