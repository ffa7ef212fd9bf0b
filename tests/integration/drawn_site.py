"""Every page of a site drawn in this process, without Node: its links, its pictures, its html and its words."""

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import reflex as rx

from broker import routes
from broker.build_inputs import customer_rates
from broker.content.store import ContentStore
from broker.lenders.directory import LenderDirectory, known_lenders
from broker.lenders.lender import KnownLender
from broker.pages import all_pages, data_pages
from broker.pages.registry import BuildInputs, Page
from broker.rates.lender_rates import LenderRates
from broker.rates.lender_tables import rate_blocks
from broker.rates.product import RatesAnswer
from broker.rates.query import RatesQuery
from broker.rates.rates_by_ltv import by_ltv_view
from broker.rates.results import rates_list
from tests.data_pages import page_kinds
from tests.services import project_flow, project_method
from tests.unit.rates.market.searching import search
from tests.unit.rates.sources import HeldRates, ListSource, many

HALIFAX = KnownLender(lender_id=34, name="Halifax", slug="halifax")
"""The one lender of ours that the site has: others would say nothing new."""

_QUESTION = re.compile(rf"{routes.QUESTIONNAIRE}q\d")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_HREF, _SRC = re.compile(r'\bhref="([^"]*)"'), re.compile(r'\bsrc="([^"]*)"')
_SRCSET = re.compile(r'\bsrcset="([^"]*)"')
_STYLE = re.compile(r"url\(([^)]+)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What a page holds: addresses of links and pictures, html of the content, words of the page, attributes."""

    page: Page
    links: tuple[str, ...]
    pictures: tuple[str, ...]
    html: str
    words: tuple[str, ...]
    props: tuple[tuple[str, str], ...]

    def values(self, name: str) -> list[str]:
        return [value for prop, value in self.props if prop == name]


def drawn_site(
    store: ContentStore, *, lenders: Iterable[KnownLender] | None = None
) -> tuple[dict[str, Drawn], set[str]]:
    """Return the pages of a site by their route, and every route; of the questions, which hold no content, one page."""
    made = _inputs(store, lenders)
    pages = list(all_pages(made))
    routes_of_questions = [page.route for page in pages if _QUESTION.match(page.route)]
    drawn = [page for page in pages if page.route not in routes_of_questions[1:]]
    of_data = _data_pages(made)
    shown = {page.route: of_data[page.route]() if page.template else page.render() for page in drawn}
    return {page.route: _drawn(page, shown[page.route]) for page in drawn}, {page.route for page in pages}


def _data_pages(inputs: BuildInputs) -> dict[str, Callable[[], rx.Component]]:
    """Return what draws each page of data, of its own values, by path."""
    kinds = {kind.name: kind for kind in data_pages(inputs)}
    drawn = {}
    for family in page_kinds(inputs, rates=LenderRates(HeldRates(ListSource(many(4))))):
        for path in family.paths:
            view = asyncio.run(family.find(path))
            drawn[path] = partial(kinds[family.template].draw, view)
    return drawn


def _inputs(store: ContentStore, listed: Iterable[KnownLender] | None) -> BuildInputs:
    known = LenderDirectory(listed or known_lenders([HALIFAX], store.lender_texts(), names={}))
    built = asyncio.run(customer_rates(_asked, with_tables={deal.customer for deal in store.deal_pages()}))
    logos = known.logos()
    return BuildInputs(
        store=store,
        rates=lambda customer: rates_list(built.opening[customer], 1, logos=logos),
        deals=lambda customer: rate_blocks(
            built.opening[customer], built.lowest.get(customer), deposits=built.deposits[customer], logos=logos
        ),
        faqs=store.faqs,
        rates_by_ltv=lambda customer: by_ltv_view(built.by_ltv[customer], is_example=True),
        site_url="https://www.example.co.uk",
        flow=project_flow(),
        method=project_method(),
        lenders=known.lenders,
    )


async def _asked(query: RatesQuery) -> RatesAnswer:
    return search(query)


def _drawn(page: Page, component: rx.Component) -> Drawn:
    nodes = _nodes_of(component)
    props = tuple(_prop(prop) for node in nodes for prop in node.get("props", ()))
    html = "\n".join(value for name, value in props if name == "dangerouslySetInnerHTML")
    shown = [value for name, value in props if name == "src"] + _SRC.findall(html)
    srcsets = [value for name, value in props if name == "srcSet"] + _SRCSET.findall(html)
    shown += [each.partition(" ")[0] for srcset in srcsets for each in srcset.split(", ")]
    shown += [address for name, value in props if name == "style" for address in _STYLE.findall(value)]
    return Drawn(
        page=page,
        links=tuple([value for name, value in props if name in ("href", "to")] + _HREF.findall(html)),
        pictures=tuple(shown),
        html=html,
        words=tuple(text for node in nodes if (text := _text(node.get("contents", "")))),
        props=props,
    )


def _nodes_of(component: Any) -> list[dict[str, Any]]:
    """Return every node of a component, and of each part in it that is compiled once for many pages."""
    nodes, waiting = list(_nodes(component.render())), [component]
    while waiting:
        each = waiting.pop()
        if hasattr(each, "_memo_definition"):
            nodes += _part(type(each))
        waiting += each.children
    return nodes


@cache
def _part(kind: Any) -> tuple[dict[str, Any], ...]:
    return tuple(_nodes_of(kind._memo_definition.component))


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield every node of what a component renders to, both ways of a condition among them."""
    if isinstance(tree, dict):
        yield tree
    if isinstance(tree, dict | list | tuple):
        for value in tree.values() if isinstance(tree, dict) else tree:
            yield from _nodes(value)


def _prop(written: str) -> tuple[str, str]:
    """Return an attribute's name and its text; of an expression the script, html without its wrapping."""
    name, _, value = written.partition(":")
    if name == "dangerouslySetInnerHTML":
        value = value.partition(" : ")[2].removesuffix(" })")
    return name.strip('"'), _text(value)


def _text(script: str) -> str:
    return json.loads(script) if _STRING.fullmatch(script) else script
