import asyncio
import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from broker.rates.archive import RatesArchive
from broker.rates.product import RatesAnswer
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.ranking import answer_of
from tests.unit.rates.products import priced

API = "https://feed.example/api"
QUERY = RatesQuery(price=300_000)


def answer(query: RatesQuery = QUERY, *, day: int = 4) -> RatesAnswer:
    return answer_of(query, (priced("a"),), fee_free=0, read_at=datetime(2026, 3, day, tzinfo=UTC), sample=False)


def keep(archive: RatesArchive, *answers: RatesAnswer) -> None:
    async def kept() -> None:
        await asyncio.gather(*(archive.save(one) for one in answers))

    asyncio.run(kept())


def load(folder: Path, query: RatesQuery = QUERY, *, source: str = API) -> RatesAnswer | None:
    return asyncio.run(RatesArchive(folder, source=source).load(query))


def test_answer_is_found_after_a_restart(tmp_path: Path) -> None:
    keep(RatesArchive(tmp_path / "answers", source=API), answer())
    assert load(tmp_path / "answers") == answer()


def test_answers_to_many_searches_are_found_at_once(tmp_path: Path) -> None:
    archive, other = RatesArchive(tmp_path, source=API), RatesQuery(price=400_000)
    keep(archive, answer(), answer(other))
    assert asyncio.run(archive.load_all((other, RatesQuery(price=1, amount=1), QUERY))) == [answer(other), answer()]


def test_newer_answer_takes_the_place_of_the_older(tmp_path: Path) -> None:
    archive = RatesArchive(tmp_path, source=API)
    keep(archive, answer())
    keep(archive, answer(day=5))
    assert load(tmp_path) == answer(day=5)
    assert len(list(tmp_path.iterdir())) == 1


def test_answer_of_another_api_or_search_is_never_found(tmp_path: Path) -> None:
    keep(RatesArchive(tmp_path, source=API), answer())
    assert load(tmp_path, source="https://other.example/api") is None
    assert load(tmp_path, RatesQuery(price=300_000, sort=SortOrder.FEES)) is None
    assert load(tmp_path / "nowhere") is None


def test_damaged_file_is_passed_over_with_a_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    keep(RatesArchive(tmp_path, source=API), answer())
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:100])
    with caplog.at_level(logging.WARNING):
        assert load(tmp_path) is None
    assert [record.getMessage() for record in caplog.records] == [
        f"the saved answer {file.name} is ignored: Input data was truncated"
    ]


def test_newest_answers_are_kept_and_the_oldest_go_first(tmp_path: Path) -> None:
    archive = RatesArchive(tmp_path, source=API, max_answers=2)
    first, second, third = (RatesQuery(price=200_000 + place) for place in range(3))
    for query in (first, second, first, third):
        keep(archive, answer(query))
    assert [load(tmp_path, query) is not None for query in (first, second, third)] == [True, False, True]


def test_restart_makes_room_among_what_it_finds(tmp_path: Path) -> None:
    queries = [RatesQuery(price=200_000 + place) for place in range(5)]
    for query in queries[:4]:
        keep(RatesArchive(tmp_path, source=API), answer(query))
    keep(RatesArchive(tmp_path, source=API, max_answers=2), answer(queries[4]))
    assert len(list(tmp_path.iterdir())) == 2
    assert load(tmp_path, queries[4]) is not None


def test_disk_that_refuses_is_logged_once_and_never_raises(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "answers").write_text("a file where the folder should be")
    archive = RatesArchive(tmp_path / "answers", source=API)
    with caplog.at_level(logging.WARNING):
        keep(archive, answer(), answer(day=5))
    assert len(caplog.records) == 1
    assert asyncio.run(archive.load(QUERY)) is None
