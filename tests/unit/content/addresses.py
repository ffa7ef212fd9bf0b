"""The addresses that the content may link to, with the places on each page, and the entries of a menu."""

from broker import routes
from broker.content.menus import MenuItem
from broker.content.store import ContentStore
from broker.content.text.links import PageAnchors
from broker.rates.deal_types import DEAL_TYPES
from broker.rates.market.generate import read_directory
from broker.settings import Settings


def addresses(store: ContentStore) -> PageAnchors:
    """Return the content's own pages, those that the site adds, and the lenders of the market with their products."""
    lenders = [lender.slug for lender in read_directory(Settings().data_dir / "market")]
    of_lenders = [routes.lender(slug) for slug in lenders]
    products = [routes.lender_product(slug, kind.slug) for slug in lenders for kind in DEAL_TYPES]
    return {**store.page_anchors(), **dict.fromkeys((*of_lenders, *products), frozenset[str]())}


def every_item(items: tuple[MenuItem, ...], depth: int = 0) -> list[tuple[int, MenuItem]]:
    return [found for item in items for found in ((depth, item), *every_item(item.children, depth + 1))]
