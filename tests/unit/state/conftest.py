"""Services of a test's own, and tabs that use them."""

from collections.abc import AsyncIterator

import pytest

from broker import services
from broker.lenders.directory import KnownLender, LenderDirectory
from tests.services import closed_services
from tests.unit.rates.sources import ListSource, many
from tests.unit.state.asking import Asked, Asker, asking


@pytest.fixture(scope="module")
async def shared_questions(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Asked]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "_installed", [])
        async with asking(tmp_path_factory.mktemp("questions")) as asked:
            yield asked


@pytest.fixture
def asked(shared_questions: Asked) -> Asked:
    shared_questions.source.away, shared_questions.source.products = False, many(12)
    return shared_questions


@pytest.fixture
def tab(asked: Asked) -> Asker:  # noqa: ARG001 - a tab needs the services to be there
    return Asker()


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> ListSource:
    """The source of twelve products behind the services; what the process had is put back after."""
    monkeypatch.setattr(services, "_installed", [])
    source = ListSource(many(12))
    lenders = LenderDirectory([KnownLender(lender_id=1, name="Alder Bank", slug="alder-bank")])
    services.install(closed_services(source, lenders))
    return source
