"""Removal of a page's scripts, for a page that the edge answers with at any address."""

from lxml.html import HtmlElement

from broker.server.export.critical_css import inlined_stylesheets
from broker.server.export.head_script import MARKER


def remove_scripts(page: HtmlElement) -> None:
    """Leave a page the head script and data as its only scripts, so that it can answer at any address."""
    styles = inlined_stylesheets(page)
    for script in page.xpath("//script[not(@type='application/ld+json')]"):
        if MARKER not in script.attrib:
            script.drop_tree()
    for link in page.xpath("//link"):
        if link.get("rel") == "modulepreload" or link.get("href") in styles:
            link.drop_tree()
