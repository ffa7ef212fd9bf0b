from typing import Any

import pytest

from broker.lenders.logos.admin import LogoAdmin, LogosClosedError
from broker.lenders.logos.logo import LogoKind, LogoSource
from broker.lenders.logos.reports import LogoReport, LogoResult
from broker.storage.database import Database, Found, Work, database_address
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BEGINNING
from tests.unit.lenders.logos.logo_testbed import ALDER, CEDAR, MARKS, audit_sentences, directory, running
from tests.unit.lenders.logos.sent_pictures import plain, zipped

RED, GREEN = plain((200, 0, 0)), plain((0, 200, 0))


async def upload(
    admin: LogoAdmin, data: bytes = RED, *, made_to: int = 0, who: str = "ann", name: str = "a.png"
) -> LogoReport:
    return await admin.upload(ALDER, data, file_name=name, who=who, made_to=made_to)


async def test_uploaded_logo_is_on_the_site_at_once(admin: LogoAdmin, database_url: str) -> None:
    found = await upload(admin, name="../Alder\u202e logo.png")
    assert (found.result, found.sentence) == (LogoResult.ADDED, "Alder logo.png: Alder has its logo now.")
    address = admin.logo_cache.address(ALDER)
    assert admin.logo_cache.directory.logos() == {**MARKS, ALDER: address}
    file = await admin.logo_cache.file(address.removeprefix("/logos/"))
    assert file
    assert (file.address, file.data[:4]) == (address, b"\x89PNG")
    row, _ = await admin.rows()
    assert (row.logo, row.source, row.number, row.who, row.at) == (address, LogoSource.STAFF, 1, "ann", BEGINNING)
    assert await audit_sentences(database_url) == ["ann uploaded a logo for lender 42 (Alder, Alder logo.png)"]


async def test_logo_is_replaced_removed_and_put_back(admin: LogoAdmin, database_url: str) -> None:
    reports = [await upload(admin), await upload(admin, GREEN, made_to=1, who="bob")]
    green = admin.logo_cache.address(ALDER)
    reports.append(await admin.remove(ALDER, who="ann", made_to=2))
    assert (admin.logo_cache.address(ALDER), admin.logo_cache.directory.logos()) == ("", MARKS)
    row, _ = await admin.rows()
    assert (row.is_hidden, row.source, row.mark) == (True, LogoSource.MONOGRAM, MARKS[ALDER])
    reports.append(await admin.undo(ALDER, to=2, who="bob", made_to=3))
    assert admin.logo_cache.address(ALDER) == green
    reports.append(await admin.undo(ALDER, to=0, who="bob", made_to=4))
    assert admin.logo_cache.address(ALDER) == ""
    versions = await admin.versions(ALDER)
    kinds = (LogoKind.UNTOUCHED, LogoKind.PICTURE, LogoKind.HIDDEN, LogoKind.PICTURE, LogoKind.PICTURE)
    assert [(one.number, one.kind) for one in versions] == list(zip((5, 4, 3, 2, 1), kinds, strict=True))
    # an older version goes on answering, for pages that are open
    assert await admin.logo_cache.file(versions[-1].picture)
    assert [report.sentence for report in reports] == [
        "a.png: Alder has its logo now.",
        "a.png: The logo of Alder is replaced.",
        "The logo of Alder is removed. Pages show its monogram instead.",
        "Alder is shown as it was before.",
        "Alder is shown as it was before.",
    ]
    assert await audit_sentences(database_url) == [
        "ann uploaded a logo for lender 42 (Alder, a.png)",
        "bob replaced the logo of lender 42 (Alder, a.png)",
        "ann removed the logo of lender 42 (Alder)",
        "bob put an earlier logo of lender 42 back (Alder)",
        "bob put an earlier logo of lender 42 back (Alder)",
    ]


async def test_two_staff_do_not_overwrite_each_other_unaware(admin: LogoAdmin, database_url: str) -> None:
    await upload(admin, who="ann")
    late = await upload(admin, GREEN, who="bob")
    removal = await admin.remove(ALDER, who="bob", made_to=0)
    undone = await admin.undo(ALDER, to=0, who="bob", made_to=0)
    words = "ann changed the logo of Alder meanwhile. Nothing was stored. Look at the logo that it has now, "
    for report, name in ((late, "a.png: "), (removal, ""), (undone, "")):
        assert (report.result, report.sentence) == (LogoResult.CONFLICT, f"{name}{words}and try again.")
        assert report.now.startswith("There now: a.png, by ann")
        assert report.number == 1
    assert len(await audit_sentences(database_url)) == 1


async def test_change_that_changes_nothing_is_no_version(admin: LogoAdmin, database_url: str) -> None:
    first = [await admin.remove(ALDER, who="ann", made_to=0), await upload(admin)]
    again = [await upload(admin, made_to=1), await admin.undo(ALDER, to=1, who="ann", made_to=1)]
    old = await admin.undo(ALDER, to=9, who="ann", made_to=1)
    assert [report.result for report in (*first, *again, old)] == [
        *(LogoResult.SAME, LogoResult.ADDED, LogoResult.SAME, LogoResult.SAME, LogoResult.TOO_OLD)
    ]
    assert len(await audit_sentences(database_url)) == 1


async def test_rows_say_where_a_lender_is_used(admin: LogoAdmin) -> None:
    admin.logo_cache.directory.learn_names({9: "rowan", CEDAR: "CEDAR"})
    alder, cedar, rowan = await admin.rows()
    assert (alder.name, alder.slug, alder.residential, alder.buy_to_let) == ("Alder", "alder", True, True)
    assert (cedar.name, cedar.buy_to_let, cedar.products, alder.products) == ("Cedar Bank", False, 12, 0)
    assert (rowan.name, rowan.slug, rowan.mark, rowan.residential) == ("rowan", "", "", False)
    assert [row.in_feed for row in (alder, cedar, rowan)] == [False, True, True]
    await admin.upload(9, RED, file_name="a.png", who="ann", made_to=0)
    admin.logo_cache.directory.learn_names({})
    assert [row.name for row in await admin.rows()] == ["Alder", "Cedar Bank", "Lender 9"]


async def test_other_server_learns_of_a_change(database_url: str) -> None:
    async with running(database_url) as one, running(database_url) as other:
        await upload(one)
        address = one.logo_cache.address(ALDER)
        assert other.logo_cache.address(ALDER) == ""
        await other.logo_cache.learn()
        assert (other.logo_cache.address(ALDER), other.logo_cache.directory.logos()[ALDER]) == (address, address)
        assert await other.logo_cache.file(address.removeprefix("/logos/"))


async def test_closed_administration_stores_and_serves_nothing() -> None:
    admin = LogoAdmin(directory())
    with pytest.raises(LogosClosedError):
        await admin.versions(ALDER)
    assert await admin.logo_cache.file("42-0a1b2c3d4e5f.png") is None


class Failing(Database):
    away = False

    async def read(self, work: Work[Found]) -> Found:
        if self.away:
            raise StorageError("away")
        return await super().read(work)

    async def write(self, work: Work[Found], **options: Any) -> Found:
        if self.away:
            raise StorageError("away")
        return await super().write(work, **options)


async def test_database_that_is_away_is_reported_and_the_logos_stay(database_url: str) -> None:
    database, admin = Failing(database_address(database_url)), LogoAdmin(directory())
    async with admin.running(database):
        await upload(admin)
        address = admin.logo_cache.address(ALDER)
        database.away = True
        reports = [
            await upload(admin, GREEN, made_to=1),
            await admin.remove(ALDER, who="ann", made_to=1),
            *await admin.upload_zip(zipped({"7.png": RED}), file_name="a.zip", who="ann"),
        ]
        assert [one.result for one in reports] == [LogoResult.AWAY] * 3
        assert reports[1].sentence == (
            "The logos cannot be stored just now, and nothing was changed. Please try again in a minute."
        )
        assert [row.logo for row in await admin.rows()] == [address, ""]
        assert await admin.versions(ALDER) == ()
        with pytest.raises(StorageError):
            await admin.logo_cache.file("42-0a1b2c3d4e5f.png")
        database.away = False
        assert len(await admin.versions(ALDER)) == 1
    await database.close()
