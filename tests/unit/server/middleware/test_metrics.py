from dataclasses import replace
from datetime import timedelta

import pytest
from prometheus_client.parser import text_string_to_metric_families

from broker.server.metrics import PATH, metrics
from broker.server.response import Answer
from broker.staff.source_health import HealthReport, MachineHealth
from tests.unit.server.health_reports import NOW, REPORT

TOKEN = "a token of the tests that is long enough"


async def asked(
    report: HealthReport, authorization: str = f"Bearer {TOKEN}", *, redis_answers: bool | None = None
) -> Answer:
    async def read() -> HealthReport:
        return report

    async def redis() -> bool | None:
        return redis_answers

    handler = metrics(read, redis=redis, tokens=(TOKEN,))[PATH]
    found = await handler({"type": "http", "headers": [(b"authorization", authorization.encode())]})
    assert found
    return found


def figures(answer: Answer) -> dict[tuple[str, str], float]:
    samples = [each for family in text_string_to_metric_families(answer.body.decode()) for each in family.samples]
    return {(each.name, each.labels.get("source", each.labels.get("state", ""))): each.value for each in samples}


async def test_report_of_health_becomes_figures() -> None:
    told = figures(await asked(REPORT))
    assert told["broker_source_age_seconds", "rates"] == 90
    assert told["broker_source_stale", "rates"] == 0
    assert (told["broker_outbox_notes", "waiting"], told["broker_outbox_notes", "failed"]) == (2, 1)
    assert told["broker_database_answers", ""] == 1
    assert told["broker_release_built_seconds", ""] == (NOW - timedelta(days=1)).timestamp()


async def test_database_that_does_not_answer_is_reported() -> None:
    assert figures(await asked(replace(REPORT, outbox=None)))["broker_database_answers", ""] == 0


@pytest.mark.parametrize(("answers", "figure"), [(True, 1), (False, 0), (None, 1)])
async def test_redis_that_does_not_answer_is_reported(answers: bool | None, figure: int) -> None:
    assert figures(await asked(REPORT, redis_answers=answers))["broker_redis_answers", ""] == figure


async def test_disk_and_backup_are_reported() -> None:
    names = ("broker_free_bytes", "broker_last_backup_seconds")
    machine = MachineHealth(free_bytes=5_000, last_backup=NOW)
    told = figures(await asked(replace(REPORT, machine=machine)))
    assert [told[name, ""] for name in names] == [5_000, NOW.timestamp()]
    told = figures(await asked(replace(REPORT, machine=MachineHealth(free_bytes=0))))
    assert [told[name, ""] for name in names] == [0, 0]


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer another token", TOKEN[:-1]])
async def test_figures_need_the_token(authorization: str) -> None:
    answer = await asked(REPORT, authorization)
    assert (answer.status, b"broker_" in answer.body) == (401, False)


def test_address_does_not_exist_without_a_token() -> None:
    async def read() -> HealthReport:
        return REPORT

    async def redis() -> None:
        return None

    assert metrics(read, redis=redis, tokens=()) == {}
