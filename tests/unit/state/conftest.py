"""Services of a test's own, and a tab that uses them."""

import asyncio
from collections.abc import Iterator

import pytest

from broker import services
from broker.services.lenders import KnownLender, LenderDirectory
from tests.services import closed_services
from tests.unit.services.sources import ListSource, many
from tests.unit.state.asking import Asked, Browser, Tell, asking
from tests.unit.state.tab import Tab


@pytest.fixture(scope="module")
def shared_questions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Asked]]:
    """Return the site's questions over one database, and the loop that they live in."""
    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        patch.setattr(services, "_installed", [])
        opened = asking(tmp_path_factory.mktemp("questions"))
        yield runner, runner.run(opened.__aenter__())
        runner.run(opened.__aexit__(None, None, None))


@pytest.fixture
def tell(shared_questions: tuple[asyncio.Runner, Asked]) -> Tell:
    """Return what tells a story to its end, with a tab of a new browser; its deals are there again."""
    runner, asked = shared_questions
    asked.source.away, asked.source.products = False, many(12)
    return lambda story: runner.run(story(Browser().tab(), asked))


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Iterator[ListSource]:
    """Return the source behind the services, which has twelve products; what the process had is put back after."""
    monkeypatch.setattr(services, "_installed", [])
    source = ListSource(many(12))
    lenders = LenderDirectory([KnownLender(lender_id=1, name="Alder Bank", slug="alder-bank")])
    services.install(closed_services(source, lenders))
    yield source


@pytest.fixture
def tab(source: ListSource) -> Tab:  # noqa: ARG001 - a tab needs the services to be there
    """Return a visitor's tab."""
    return Tab()
