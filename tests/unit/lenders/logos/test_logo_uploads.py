import tracemalloc

import pytest

from broker.lenders.logos import admin as admin_module
from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.logos.outcomes import told
from broker.lenders.logos.reports import LogoResult
from tests.unit.lenders.logos.logo_testbed import ALDER, audit_sentences
from tests.unit.lenders.logos.sent_pictures import noise, plain, zipped

RED, GREEN, BLUE = (plain(colour) for colour in ((200, 0, 0), (0, 200, 0), (0, 0, 200)))


async def test_bad_files_are_named_and_nothing_is_stored(admin: LogoAdmin, database_url: str) -> None:
    found = await admin.upload(ALDER, b"<svg/>", file_name="x/\u202ea.png", who="ann", made_to=0)
    sentence = "a.png is an SVG drawing. Send the logo as PNG, JPEG, GIF or WebP."
    assert (found.result, found.sentence, found.lender) == (LogoResult.REFUSED, sentence, "Alder")
    unknown = await admin.upload(1, RED, file_name="a.png", who="ann", made_to=0)
    assert unknown.sentence == (
        "a.png: There is no lender 1. Choose one of the list, or fetch the list of lenders again."
    )
    for report in (await admin.remove(1, who="ann", made_to=0), await admin.undo(1, to=0, who="ann", made_to=0)):
        assert report.result is LogoResult.NO_LENDER
    assert (await admin.versions(ALDER), admin.logo_cache.address(ALDER)) == ((), "")
    assert await audit_sentences(database_url) == []


async def test_zip_is_reported_file_by_file(admin: LogoAdmin, database_url: str) -> None:
    await admin.upload(ALDER, RED, file_name="a.png", who="ann", made_to=0)
    data = zipped({"7.png": GREEN, "lender-42.png": BLUE, "42.svg": b"<svg/>", "8.png": RED, "7/9.png": RED})
    first = await admin.upload_zip(data, file_name="all.zip", who="bob")
    assert told(first) == "5 results: 2 stored, 0 the same as before, 3 not taken."
    assert [(one.file_name, one.result) for one in first] == [
        ("42.svg", LogoResult.REFUSED),
        ("7.png", LogoResult.ADDED),
        ("8.png", LogoResult.NO_LENDER),
        ("9.png", LogoResult.REFUSED),
        ("lender-42.png", LogoResult.REPLACED),
    ]
    again = await admin.upload_zip(zipped({"7.png": GREEN}), file_name="all.zip", who="bob")
    assert told(again) == "1 result: 0 stored, 1 the same as before, 0 not taken."
    (broken,) = await admin.upload_zip(RED, file_name="all.zip", who="bob")
    assert (broken.result, broken.sentence[:25]) == (LogoResult.REFUSED, "all.zip is not a zip file")
    assert await audit_sentences(database_url) == [
        "ann uploaded a logo for lender 42 (Alder, a.png)",
        "bob uploaded a logo for lender 7 (Cedar Bank, 7.png)",
        "bob replaced the logo of lender 42 (Alder, lender-42.png)",
        "bob uploaded many logos at once (all.zip, 2 stored)",
        "bob uploaded many logos at once (all.zip, 0 stored)",
    ]


async def test_zip_of_all_logos_can_be_sent_again(admin: LogoAdmin) -> None:
    await admin.upload(ALDER, RED, file_name="a.png", who="ann", made_to=0)
    await admin.upload(7, GREEN, file_name="b.webp", who="ann", made_to=0)
    await admin.remove(7, who="ann", made_to=1)
    await admin.upload(7, BLUE, file_name="c.png", who="ann", made_to=2)
    again = await admin.upload_zip(await admin.archive(), file_name="logos.zip", who="bob")
    assert [(one.file_name, one.result) for one in again] == [("42.png", LogoResult.SAME), ("7.png", LogoResult.SAME)]
    await admin.remove(7, who="ann", made_to=3)
    (left,) = await admin.upload_zip(await admin.archive(), file_name="logos.zip", who="bob")
    assert left.file_name == f"{ALDER}.png"


async def test_zip_of_more_than_can_be_held_is_refused_whole(admin: LogoAdmin, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty pictures of noise are 14 MB once they are cleaned: unpacking ends when the limit is reached."""
    monkeypatch.setattr(admin_module, "_MAX_ZIP_PICTURES", 1024 * 1024)
    numbers = (*range(100, 159), ALDER)
    data = zipped(dict.fromkeys((f"{number}.png" for number in numbers), noise()))
    admin.logo_cache.directory.learn_names({number: str(number) for number in numbers})
    tracemalloc.start()
    try:
        (found,) = await admin.upload_zip(data, file_name="a.zip", who="bob")
        assert tracemalloc.get_traced_memory()[1] < 4 * 1024 * 1024
    finally:
        tracemalloc.stop()
    assert found.sentence.startswith("a.zip unpacks to more than can be taken. Nothing was stored.")
    assert await admin.versions(ALDER) == ()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("42.png", "42.png: Alder has its logo now."),
        ("Alder.PNG", "Alder.PNG: Alder has its logo now."),
        ("cedar-bank.png", "cedar-bank.png: Cedar Bank has its logo now."),
        ("50.png", "50.png: There is no lender 50."),
        ("birch.png", "birch.png is named by no lender’s number or name."),
    ],
)
async def test_picture_finds_its_lender_by_number_or_name(admin: LogoAdmin, name: str, sentence: str) -> None:
    (found,) = await admin.upload_named(RED, file_name=name, who="ann")
    assert found.sentence.startswith(sentence)
    assert bool(found.at) == found.is_changed


async def test_file_without_a_place_is_refused_for_what_it_is(admin: LogoAdmin) -> None:
    (drawing,) = await admin.upload_named(b"<svg/>", file_name="alder.svg", who="ann")
    assert drawing.sentence == "alder.svg is an SVG drawing. Send the logo as PNG, JPEG, GIF or WebP."
    both = await admin.upload_named(zipped({"42.png": RED, "cedar-bank.png": RED}), file_name="all.zip", who="ann")
    assert [one.result for one in both] == [LogoResult.ADDED] * 2


async def test_small_picture_is_stored_with_a_warning(admin: LogoAdmin) -> None:
    found = await admin.upload(ALDER, plain((200, 0, 0), (48, 20)), file_name="a.png", who="ann", made_to=0)
    assert (found.result, found.tone) == (LogoResult.ADDED, "warn")
    assert found.sentence.endswith("It is 48 pixels wide and looks blurred: one of at least 64 is better.")
    row, *_ = await admin.rows()
    assert row.width == 48
    found = await admin.upload(ALDER, plain((200, 0, 0), (64, 20)), file_name="a.png", who="ann", made_to=1)
    assert found.tone == "good"
