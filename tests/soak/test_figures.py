"""How long the figures take over many enquiries and a long audit record."""

import sys
import time
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.appointments.store import AppointmentStore
from broker.cases.case import Outcome, Service, Source, Stage
from broker.figures.figures_store import FiguresStore
from broker.figures.service import FigureReport, FigureService
from broker.staff.audit import Act
from broker.storage.database import Database, database_address
from broker.storage.encryption import SecretKeys
from broker.storage.tables import AuditRow, EnquiryRow, NoteRow
from tests.databases.fixtures import KEY

NOW = datetime(2026, 11, 26, 9, tzinfo=UTC)
MAX_SECONDS = 20
"""Of a count on a machine that does other things as well; the soak prints what it takes."""


def enquiry(random: Random, number: int) -> dict[str, Any]:
    created = NOW - timedelta(minutes=random.randrange(400 * 24 * 60))
    return {
        "id": number,
        "reference": f"HG-{number:08}",
        "submission": f"form {number}",
        "kind": "contact",
        "state": random.choice(("new", "called", "closed")),
        "version": 1,
        "created": created,
        "delete_after": NOW + timedelta(days=365),
        "page": "/contact/",
        **dict.fromkeys(("contact", "answers"), b""),
        "consent_text": "1",
        "consent_at": created,
        "consent_page": "/contact/",
        "marketing": "",
        "call_by": created + timedelta(days=1),
        "assigned": random.choice(("ada", "ben", "cat", "")),
        "stage": random.choice(list(Stage)).value,
        "stage_since": created,
        "amount": random.randrange(90_000, 400_000),
        "service": random.choice(list(Service)).value,
        "source": random.choice(list(Source)).value,
        "first_call_at": created + timedelta(minutes=random.randrange(2_000)),
        "deal_ends": (NOW + timedelta(days=random.randrange(700))).date(),
    }


def note(random: Random, number: int, enquiries: int) -> dict[str, Any]:
    at = NOW - timedelta(minutes=random.randrange(400 * 24 * 60))
    values = {
        "enquiry_id": random.randrange(1, enquiries + 1),
        "at": at,
        "who": random.choice(("ada", "ben")),
        "text": b"",
    }
    return {"id": number, **values, "kind": "call", "outcome": random.choice(list(Outcome)).value, "mail": ""}


def entry(random: Random, number: int, enquiries: int) -> dict[str, Any]:
    at = NOW - timedelta(minutes=random.randrange(400 * 24 * 60))
    what, detail = random.choice(((Act.ENQUIRY_READ, ""), (Act.CASE_STAGE, "offer, waiting for client")))
    about = f"HG-{random.randrange(1, enquiries + 1):08}"
    return {"id": number, "at": at, "who": "ada", "what": what.value, "about": about, "detail": detail}


async def fill(database: Database, enquiries: int) -> None:
    random = Random(35)
    rows = {
        EnquiryRow: [enquiry(random, number) for number in range(1, enquiries + 1)],
        NoteRow: [note(random, number, enquiries) for number in range(1, 3 * enquiries + 1)],
        AuditRow: [entry(random, number, enquiries) for number in range(1, 10 * enquiries + 1)],
    }

    async def work(connection: AsyncConnection) -> None:
        for kind, values in rows.items():
            for first in range(0, len(values), 1_000):
                await connection.execute(insert(kind), values[first : first + 1_000])

    await database.write(work)


@pytest.mark.parametrize("enquiries", [300, pytest.param(10_000, marks=pytest.mark.soak)])
async def test_figures_are_counted_while_somebody_waits(
    sqlite_url: str, enquiries: int, capsys: pytest.CaptureFixture[str]
) -> None:
    database = Database(database_address(sqlite_url))
    try:
        await fill(database, enquiries)
        store = FiguresStore(database, AppointmentStore(database, SecretKeys((KEY,))))
        figures = FigureService(store, clock=lambda: NOW)
        start = time.perf_counter()
        report = await figures.report(weeks=52)
        counted = time.perf_counter()
        assert await figures.report(weeks=52) is report
        again = time.perf_counter()
    finally:
        await database.close()
    assert isinstance(report, FigureReport)
    assert sum(int(row[-1].replace(",", "")) for row in report.tables[0].rows[:-1]) > enquiries // 2
    with capsys.disabled():
        words = f"{enquiries:,} enquiries, {10 * enquiries:,} audit rows on {database.url.get_backend_name()}"
        sys.stdout.write(f"\nfigures over {words}: {counted - start:.2f} s, then {1_000 * (again - counted):.1f} ms\n")
    assert counted - start < MAX_SECONDS
