"""Administration of logos over a database: two lenders of ours, and one that only the feed lists."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from broker.lenders.directory import LenderDirectory
from broker.lenders.lender import KnownLender
from broker.lenders.logos.admin import LogoAdmin
from broker.rates.feed.client import FeedClient
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database, database_address
from tests.unit.enquiries.enquiring import BEGINNING

CEDAR, ALDER, ROWAN = 7, 42, 9
MARKS = {CEDAR: "/art/lender-cedar-bank.svg", ALDER: "/art/lender-alder.svg"}

LENDER_LIST = {
    "GetLenderListResponse": {"Lenders": {"MBLender": [{"ID": "7", "Name": "CEDAR"}, {"ID": "9", "Name": "Rowan"}]}}
}
CODE_17 = {"GetLenderListResponse": {"GetLenderListResult": "17", "Lenders": {}}}
"""Answers of call 9: two lenders, and an error code."""


def logos(pictures: dict[int, bytes]) -> dict[str, Any]:
    rows = [{"LenderID": str(key), "Data": base64.b64encode(data).decode()} for key, data in pictures.items()]
    return {"GetLenderLogosResponse": {"Logos": {"MBLenderLogo": rows}}}


def directory() -> LenderDirectory:
    cedar = KnownLender(lender_id=CEDAR, name="Cedar Bank", slug="cedar-bank", buy_to_let=False)
    return LenderDirectory((cedar, KnownLender(lender_id=ALDER, name="Alder", slug="alder")))


@asynccontextmanager
async def running(url: str, client: FeedClient | None = None) -> AsyncIterator[LogoAdmin]:
    database = Database(database_address(url))
    admin = LogoAdmin(directory(), client, products={CEDAR: 12}, clock=lambda: BEGINNING)
    try:
        async with admin.running(database):
            yield admin
    finally:
        await database.close()


async def audit_sentences(url: str) -> list[str]:
    """Return the audit record of a database, oldest entry first: who did what."""
    database = Database(database_address(url))
    try:
        return [f"{entry.who} {entry.sentence}" for entry in reversed(await AuditStore(database).latest(100))]
    finally:
        await database.close()
