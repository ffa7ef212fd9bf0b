"""Answers of the edge to addresses with figures: a client over the exported site, and the parts of an answer."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from lxml.html import HtmlElement, document_fromstring
from starlette.testclient import TestClient

from broker import services
from broker.lenders.directory import LenderDirectory, market_lenders
from broker.lenders.windows import load_windows
from broker.rates.market.rate_source import MarketRateSource
from broker.rates.product import RatesError, RateSource
from broker.server.releases import LiveExport
from broker.server.response import Handler
from broker.settings import read_settings
from tests.services import closed_services
from tests.unit.rates.market.searching import catalogue
from tests.unit.rates.sources import ListSource
from tests.unit.server.site import client_of

NONSENSE = ("abc", "-5", "", " ", "1e9", "10000000000", "9" * 40, "41", "0.25", "<b>&amp;\"'", "{{ 7 * 7 }}", "7.5")


@contextmanager
def edge_client(
    handlers: Callable[[LiveExport], Mapping[str, Handler]], source: RateSource | None = None
) -> Iterator[TestClient]:
    """Yield a client of the edge with the handlers of some forms; rates are of the sample market by default."""
    settings, market = read_settings(), catalogue()
    live = LiveExport(settings.releases_dir, settings.site_url)
    rates = source or MarketRateSource(catalogue=market)
    directory = LenderDirectory(market_lenders(market), windows=load_windows(settings.data_dir))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "_installed", [])
        services.install(closed_services(rates, directory))
        with client_of(live, site_url=settings.site_url, handlers=handlers(live)) as client:
            yield client


def make_rates_unavailable(monkeypatch: pytest.MonkeyPatch, problem: RatesError | None = None) -> None:
    """Install a source that fails, until the test ends."""
    source = ListSource()
    source.away, source.problem = True, problem or source.problem
    monkeypatch.setattr(services, "_installed", [])
    services.install(closed_services(source))


def part(html: str, identity: str) -> HtmlElement:
    return document_fromstring(html).get_element_by_id(identity)


def start_of(html: str) -> dict[str, Any]:
    """Return the values from which the scripts of a page start."""
    return json.loads(part(html, "edge-answer").text_content())


def elements_of(whole: HtmlElement) -> list[tuple[str, dict[str, str], str, str]]:
    """Return an element with all in it; `checked="true"` is `checked`, and a mark of React's links is left out."""
    flags = ("checked", "selected")
    return [
        (
            str(one.tag),
            {k: "" if k in flags else v for k, v in sorted(one.attrib.items()) if k != "data-discover"},
            one.text or "",
            one.tail or "",
        )
        for one in whole.iter()
        if isinstance(one.tag, str)
    ]
