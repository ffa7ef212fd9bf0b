"""Recorded answers of a real WordPress, and the small tools that turn them into results."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from broker.rates.feed.client import (
    FAQS,
    LENDERS,
    LOGOS,
    RATES,
    SAVED_LENDERS,
    SAVED_LTV_RATES,
    SAVED_RATES,
    SERVICE,
    Call,
    FeedClient,
    FeedSettings,
)
from broker.rates.feed.lenders import parse_lenders, parse_logos
from broker.rates.feed.product_rows import scheme_rows
from broker.rates.feed.products import ParsedProducts, parse_products
from broker.rates.feed.response_tree import Tree, parse_reply
from broker.rates.feed.saved_rates import (
    SavedLtvRates,
    SavedRates,
    parse_saved_count,
    parse_saved_lenders,
    parse_saved_ltv_rates,
    parse_saved_rates,
)
from broker.rates.feed.site_content import parse_faqs
from broker.rates.query import RatesQuery

FOLDER = Path(__file__).parents[3] / "fixtures" / "wordpress"
AT = datetime(2026, 3, 4, 12, tzinfo=UTC)
SETTINGS = FeedSettings(api_url="https://feed.example/api", backoff_seconds=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A recorded exchange: the call that it belongs to, its request, and what came back."""

    name: str
    call: Call
    request: dict[str, Any]
    status: int
    body: bytes

    def read(self) -> Any:
        return read_as(self.call, self.status, body=self.body)


def recorded(name: str) -> Recorded:
    held = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    call = max((call for call in READERS if name.startswith(_prefix(call))), key=lambda call: len(_prefix(call)))
    return Recorded(
        name=name, call=call, request=held["request"], status=held["status"], body=held["body"].encode("utf-8")
    )


def names() -> Sequence[str]:
    prefixes = tuple(_prefix(call) for call in READERS)
    return sorted(path.stem for path in FOLDER.glob("*.json") if path.stem.startswith(prefixes))


def read_as(call: Call, status: int, *, body: bytes) -> Any:
    """Return what the product makes of an answer to a call; raises FeedError."""
    return READERS[call](parse_reply(call.name, status, body=body))


def rates_of(tree: Tree) -> ParsedProducts:
    return parse_products(scheme_rows(RATES.name, tree), RatesQuery())


def _saved_rates(tree: Tree) -> SavedRates:
    return parse_saved_rates(tree, read_at=AT)


def _saved_ltv_rates(tree: Tree) -> SavedLtvRates:
    return parse_saved_ltv_rates(tree, read_at=AT)


def _prefix(call: Call) -> str:
    return "saved_rates_service" if call is SERVICE else call.name


READERS: dict[Call, Callable[[Tree], Any]] = {
    FAQS: parse_faqs,
    SAVED_RATES: _saved_rates,
    SAVED_LTV_RATES: _saved_ltv_rates,
    RATES: rates_of,
    SERVICE: parse_saved_count,
    LENDERS: parse_lenders,
    LOGOS: parse_logos,
    SAVED_LENDERS: parse_saved_lenders,
}


def client(answer: Callable[[httpx.Request], httpx.Response], settings: FeedSettings = SETTINGS) -> FeedClient:
    return FeedClient(settings, transport=httpx.MockTransport(answer))


def replied(content: bytes, headers: dict[str, str] | None = None) -> httpx.Response:
    return httpx.Response(200, headers=headers, stream=httpx.ByteStream(content))
