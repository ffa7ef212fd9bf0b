"""What a publish of everything from nothing asks of the broker's API."""

from datetime import timedelta
from pathlib import Path

from broker.build_inputs import BuildData
from broker.content.files.content_folder import EmbeddedStore
from broker.content.snapshot.snapshot_folder import snapshot_folder
from broker.content.source import content_store, read_lender_list
from broker.content.sync import sync
from broker.content.wordpress.client import WordPressClient, WordPressSettings
from broker.rates.archive import RatesArchive
from broker.rates.customers import RULES
from broker.rates.feed.client import FeedClient, FeedSettings
from broker.rates.feed.products import FeedRateSource
from broker.rates.search import RatesService
from broker.settings import Settings
from tests.standin import Setting, running
from tools.build import read_feed_lenders

MAX_CALLS = 120
"""Calls of a publish without an archive, those for pictures among them."""


def built(settings: Settings) -> BuildData:
    """Return the rates and questions of a build from the copied content."""

    def rates(client: FeedClient | None) -> RatesService:
        assert client
        archive = RatesArchive(settings.state_dir / "answers", source=settings.api_url)
        return RatesService(FeedRateSource(client=client), fresh_for=timedelta(minutes=10), archive=archive)

    return BuildData(lambda: FeedClient(FeedSettings(api_url=settings.api_url)), rates, store=content_store(settings))


def test_publish_from_nothing_makes_few_calls(tmp_path: Path) -> None:
    with running(setting=Setting(rows=20)) as standin:
        settings = Settings(state_dir=tmp_path, api_url=standin.url)

        def publish() -> tuple[int, int]:
            """Return the number of all calls, and of those of `get_rates`."""
            standin.forget()
            read_feed_lenders(settings)
            assert sync(
                WordPressClient(WordPressSettings(api_url=settings.api_url)),
                EmbeddedStore(settings.data_dir / "content"),
                to=snapshot_folder(settings),
                report=str,
                feed=read_lender_list(settings),
            )
            data = built(settings)
            assert set(data.customers.opening) == set(RULES)
            assert data.questions == {}, "the snapshot has them"
            asked = standin.asked()
            return sum(asked.values()), asked["get_rates"]

        everything, _ = publish()
        assert everything <= MAX_CALLS
        assert publish()[1] <= 1, "only a search that finds nothing is asked again"
