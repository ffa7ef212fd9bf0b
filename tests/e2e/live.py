"""A site over a live feed: the stand-in for the broker's API, the site's server that reads it, and what it shows."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path

import httpx
from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.clock import UK
from broker.rates.feed.product_rows import parse_row
from broker.rates.feed.products import product_from_row
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.query import RatesQuery
from broker.rates.ranking import ranked
from broker.rates.results import RateCard, RatesList, rates_list
from tests.e2e.rates_page import RatesPage, answer
from tests.standin import Setting, Standin
from tests.standin.market import row
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.rates.market.searching import SAMPLE_NOTICE
from tools.project import Project
from tools.server import Server, free_port, start

EVERY_ROW = 100_000
"""More rows than any search finds, so that the feed's list is as long as the embedded market's."""

NAMED = 60
"""Products that are named: more than any test looks at, and any equals of the last one."""

UNSTATED = "Not known here: ask us before you decide"
"""What a card says of the one fact that the feed does not tell: the early repayment charge."""

TIME = re.compile(r"(\d\d:\d\d) on (\d{1,2} \w+ \d{4})")


class LiveSite:
    """A stand-in and a server of the site that reads it; either may go away and come back at its own address."""

    def __init__(self, project: Project, folder: Path) -> None:
        """Start both; `folder` takes what survives a restart, and what the server says."""
        self._project = project
        self._folder = folder
        self._turn = count(1)
        self.standin = Standin(setting=Setting(rows=EVERY_ROW))
        self.standin.start()
        self.server = self._started(free_port())

    @property
    def url(self) -> str:
        return self.server.url

    def feed_away(self) -> None:
        self.standin.stop()

    def feed_back(self) -> None:
        self.standin = Standin(self.standin.port, Setting(rows=EVERY_ROW))
        self.standin.start()

    def restart(self) -> None:
        """Start the site's server again, with what it kept for that."""
        self.server.stop()
        self.server = self._started(int(self.url.rpartition(":")[2]))

    def stop(self) -> None:
        self.server.stop()
        self.standin.stop()

    def file(self, **asked: str) -> httpx.Response:
        """Ask for the list of a search as a file: a search without a browser."""
        return httpx.get(f"{self.url}{routes.RATES_CSV}", params=asked, timeout=ANSWER_TIMEOUT)

    def settle(self) -> None:
        """Have the feed answer, and wait until the site asks it again."""
        self.standin.switch(delay=0)
        until(lambda: self.file(lender="42", price=str(700_000 + next(self._turn))).status_code == 200)

    def said(self, words: str) -> int:
        return sum(words in line for line in self.server.said().splitlines())

    def _started(self, port: int) -> Server:
        settings = {
            "BROKER_API_URL": self.standin.url,
            "BROKER_STATE_DIR": str(self._folder / "kept"),
            "BROKER_RATES_MINUTES": "60",
            "BROKER_API_SECONDS": "60",
        }
        return start(self._project, port, log=self._folder / "server.log", settings=settings)


@contextmanager
def live_site(project: Project, folder: Path) -> Iterator[LiveSite]:
    """Run both; on a busy machine a list of the feed takes many times as long as a feed may take for visitors."""
    site = LiveSite(project, folder)
    try:
        yield site
    finally:
        site.stop()


def until(happened: Callable[[], object]) -> None:
    """Wait for what no page shows; raises AssertionError after twice ANSWER_TIMEOUT."""
    deadline = time.monotonic() + 2 * ANSWER_TIMEOUT
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)  # a pause between looks at another process, which tells nobody when it is done


def found(customer: str = "", **asked: str) -> RatesAnswer:
    """Return what the market behind the stand-in answers, the first products named as those of a feed are.

    The market's own figures, in the order of the feed's names where two products are equals.
    """
    told = answer(customer, **asked)
    first = [replace(product, product_id=_name(product, told.query)) for product in told.products[:NAMED]]
    return replace(told, products=(*ranked(first, told.query.sort), *told.products[NAMED:]))


def _name(product: RateProduct, query: RatesQuery) -> str:
    read = product_from_row(parse_row(row(product)), query)
    assert read is not None
    return read.product_id


def expected(customer: str = "", pages: int = 1, /, **asked: str) -> RatesList:
    """Return the list that the market behind the stand-in gives for a search."""
    return rates_list(found(customer, **asked), pages, logos={})


def texts_of(card: RateCard) -> tuple[str, ...]:
    told = card.headline
    figures = (card.payment, card.fees, card.total, card.true_cost, card.true_year)
    return (told.lender, told.rate, told.aprc, *figures, card.repaid, card.why, card.follow_on, card.ltv, UNSTATED)


def expect_listed(rates: RatesPage, pages: int = 1, /, **asked: str) -> RatesList:
    """Wait until the page lists what the market behind the stand-in gives for a search, all of it from the feed."""
    wanted = expected(rates.customer, pages, **asked)
    expect(rates.list.get_by_role("heading", level=2).first).to_have_text(wanted.heading)
    rates.expect_cards([card.product_id for card in wanted.cards])
    return wanted


def expect_deals(rates: RatesPage, pages: int = 1, /, **asked: str) -> None:
    wanted = expect_listed(rates, pages, **asked)
    for place, card in enumerate(wanted.cards):
        for text in texts_of(card):
            expect(rates.cards.nth(place)).to_contain_text(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of rates of a page, by a selector of what holds it: what was built, and what stands for it since."""

    page: Page
    selector: str

    @property
    def live(self) -> Locator:
        return self.page.locator(f"{self.selector} .live-rates")

    @property
    def built(self) -> Locator:
        return self.page.locator(f"{self.selector} .live-rates + *")

    def expect_live(self) -> None:
        """Wait until each part of the block is the feed's, and nothing of what was built is seen."""
        expect(self.live.get_by_text("Rates read at").first).to_be_visible()
        for built in self.built.all():
            expect(built).to_be_hidden()

    def expect_built(self) -> None:
        """Check that the block is as it was built, with its date, and nothing stands before it."""
        for live in self.live.all():
            expect(live).to_be_empty()
        for built in self.built.all():
            expect(built).to_be_visible()
        expect(self.built.get_by_text(SAMPLE_NOTICE).first).to_be_visible()

    def figures(self) -> list[str]:
        return self.live.locator(".fig, .rt").all_inner_texts()


def read_at(words: Locator) -> datetime:
    """Return the UK time that a sentence tells of when rates were read, to the minute."""
    expect(words).to_contain_text(TIME)
    found = TIME.search(words.inner_text())
    assert found is not None
    return datetime.strptime(f"{found[1]} {found[2]}", "%H:%M %d %B %Y").replace(tzinfo=UK)
