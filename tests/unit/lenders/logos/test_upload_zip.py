import io
import random
import stat
import struct
import zipfile
from collections.abc import Callable

import pytest

from broker.documents.document import UNNAMED_FILE
from broker.lenders.logos.logo import CleanPicture
from broker.lenders.logos.upload import MAX_FILES, MAX_ZIP_BYTES, FileFault, LogoZip, RefusedFile, open_zip
from tests.unit.lenders.logos.sent_pictures import picture, stated_png, zipped

PNG = picture()
NOISE = random.Random(1).randbytes(2 * 1024 * 1024)
"""Bytes that no packing makes fewer."""


def read(data: bytes, name: str = "logos.zip") -> dict[str, int | FileFault]:
    """Return the lender of every file that was taken, and why each other was not; sentences name their file."""
    found = open_zip(data, name)
    assert isinstance(found, LogoZip), found
    told: dict[str, int | FileFault] = {file.name: file.fault for file in found.refused}
    for entry in found.pictures:
        clean = entry.read()
        told[entry.name] = entry.lender_id if isinstance(clean, CleanPicture) else clean.fault
    assert [file for file in found.refused if not file.sentence.startswith(f"{file.name} ")] == []
    return told


def whole(data: bytes, name: str = "logos.zip") -> str:
    found = open_zip(data, name)
    assert isinstance(found, RefusedFile), found
    return found.sentence


def with_entry(change: Callable[[zipfile.ZipInfo], object], *, name: str = "42.png", content: bytes = PNG) -> bytes:
    """Return a zip file of one entry, changed before it is written."""
    file, entry = io.BytesIO(), zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    change(entry)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(entry, content)
    return file.getvalue()


def locked(data: bytes) -> bytes:
    """Return a zip file whose entries say that they are locked."""
    changed = bytearray(data)
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.find(magic)
        changed[start + place] |= 1
    return bytes(changed)


def stating(data: bytes, size: int) -> bytes:
    """Return a zip file whose list of contents states another size of its first entry."""
    place = data.find(b"PK\x01\x02") + 24
    return data[:place] + struct.pack("<I", size) + data[place + 4 :]


def nameless(data: bytes) -> bytes:
    """Return a zip file whose list of contents gives its one entry no name."""
    start, end = data.find(b"PK\x01\x02"), data.find(b"PK\x05\x06")
    entry = data[start:end].replace(b"42.png", b"")
    entry = entry[:28] + b"\0\0" + entry[30:]
    return data[:start] + entry + data[end : end + 12] + struct.pack("<I", len(entry)) + data[end + 16 :]


NAMES: dict[str, int | FileFault] = {
    "42.png": 42,
    "007.JPG": 7,
    "lender-9.jpeg": 9,
    "Lender-10.gif": 10,
    "0.png": FileFault.NAME,
    "42": FileFault.NAME,
    "Halifax.png": FileFault.NAME,
    "43.svg": FileFault.NAME,
    "44.png.exe": FileFault.NAME,
    "４５.png": FileFault.NAME,
    "1234567890.png": FileFault.NAME,
    "46.png ": FileFault.NAME,
}


@pytest.mark.parametrize("name", NAMES)
def test_file_is_of_the_lender_that_it_is_named_by(name: str) -> None:
    shown = " ".join(name.split())
    assert read(zipped({name: PNG})) == {shown: NAMES[name]}


DAMAGED: dict[str, int | FileFault] = {"42.png": FileFault.DAMAGED}
ENTRIES: dict[str, tuple[bytes, dict[str, int | FileFault]]] = {
    "in a folder": (zipped({"logos/42.png": PNG}), {"42.png": FileFault.IN_A_FOLDER}),
    "a folder by itself": (zipped({"logos/": b"", "42.png": PNG}), {"42.png": 42}),
    "a way out": (zipped({"../42.png": PNG}), {"42.png": FileFault.IN_A_FOLDER}),
    "from the root": (zipped({"/etc/42.png": PNG}), {"42.png": FileFault.IN_A_FOLDER}),
    "from a drive": (zipped({"C:42.png": PNG}), {"C:42.png": FileFault.IN_A_FOLDER}),
    "a Windows path": (zipped({"a\\42.png": PNG}), {"42.png": FileFault.IN_A_FOLDER}),
    "a name that ends early": (zipped({"42.pngx": PNG}).replace(b"42.pngx", b"42.png\0"), {"42.png": FileFault.NAME}),
    "no name": (nameless(zipped({"42.png": PNG})), {UNNAMED_FILE: FileFault.NAME}),
    "a right-to-left mark": (zipped({"42\u202egnp.exe": PNG}), {"42gnp.exe": FileFault.NAME}),
    "a link": (
        with_entry(lambda entry: setattr(entry, "external_attr", (stat.S_IFLNK | 0o777) << 16), content=b"/etc/passwd"),
        {"42.png": FileFault.LINK},
    ),
    "a pipe": (
        with_entry(lambda entry: setattr(entry, "external_attr", stat.S_IFIFO << 16)),
        {"42.png": FileFault.LINK},
    ),
    "locked": (locked(zipped({"42.png": PNG})), {"42.png": FileFault.ENCRYPTED}),
    "packed otherwise": (
        with_entry(lambda entry: setattr(entry, "compress_type", zipfile.ZIP_BZIP2)),
        {"42.png": FileFault.PACKING},
    ),
    "a zip within": (zipped({"42.zip": zipped({"42.png": PNG})}), {"42.zip": FileFault.ZIP_IN_ZIP}),
    "a zip called a picture": (zipped({"42.png": zipped({"42.png": PNG})}), {"42.png": FileFault.ZIP_IN_ZIP}),
    "too large": (zipped({"42.png": PNG + NOISE, "7.png": PNG}), {"42.png": FileFault.TOO_LARGE, "7.png": 7}),
    "larger than it says": (stating(zipped({"42.png": PNG}), 30), DAMAGED),
    "smaller than it says": (stating(zipped({"42.png": PNG}), 100_000), {"42.png": 42}),
    "of a wrong sum": (zipped({"42.png": PNG}, packing=zipfile.ZIP_STORED).replace(b"IHDR", b"IHDS"), DAMAGED),
    "no picture": (zipped({"42.png": b"<svg/>", "7.png": PNG}), {"42.png": FileFault.OTHER_KIND, "7.png": 7}),
    "many pixels": (zipped({"42.png": stated_png(20_000, 20_000)}), {"42.png": FileFault.TOO_MANY_PIXELS}),
    "two of one lender": (
        zipped({"42.png": PNG, "lender-42.jpg": PNG, "042.gif": PNG, "7.png": PNG}),
        {"42.png": FileFault.TWICE, "lender-42.jpg": FileFault.TWICE, "042.gif": FileFault.TWICE, "7.png": 7},
    ),
    "what computers add": (zipped({"__MACOSX/._42.png": b"x", ".DS_Store": b"x", "42.png": PNG}), {"42.png": 42}),
    "nothing": (zipped({}), {}),
}


@pytest.mark.parametrize(("data", "told"), ENTRIES.values(), ids=ENTRIES)
def test_file_that_is_refused_does_not_cost_the_others(data: bytes, told: dict[str, int | FileFault]) -> None:
    assert read(data) == told


def test_same_name_twice_is_reported() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("42.png", PNG)
            archive.writestr("42.png", PNG)
    found = open_zip(file.getvalue(), "a.zip")
    assert isinstance(found, LogoZip)
    sentence = "42.png is not the only file for lender 42. Leave one of them in the zip file."
    assert ([one.sentence for one in found.refused], found.pictures) == ([sentence] * 2, ())


def bomb(size: int, count: int = 1) -> bytes:
    """Return a zip file of so many files of one byte again and again."""
    return zipped({f"{number}.png": bytes(size) for number in range(1, count + 1)})


def overlapping(count: int) -> bytes:
    """Return a zip file whose entries are all the same bytes of it."""
    data = zipped({"1.png": PNG})
    start = data.find(b"PK\x01\x02")
    end = data.find(b"PK\x05\x06")
    listed = b"".join(data[start:end].replace(b"1.png", b"%d.png" % (number % 10)) for number in range(count))
    ending = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count % 65_536, count % 65_536, len(listed), start, 0)
    return data[:start] + listed + ending


UNPACKS = (
    "logos.zip unpacks to more than can be taken. Nothing was stored. Send the logos in several zip files, each "
    "picture no larger than 2 MB."
)
WHOLES = {
    "nothing": (b"", "logos.zip is empty. Save it again, and send it again."),
    "a picture": (PNG, "logos.zip is not a zip file. Put the logos into one, each named by its lender’s number."),
    "half": (
        zipped({"42.png": PNG})[:-60],
        "logos.zip is damaged or not complete, and cannot be unpacked. Make the zip file again.",
    ),
    "a wrong list": (
        zipped({"42.png": PNG}).replace(b"PK\x01\x02", b"PK\x01\x03"),
        "logos.zip is damaged or not complete, and cannot be unpacked. Make the zip file again.",
    ),
    "50 MB": (bytes(50_000_000), "logos.zip is larger than 20 MB. Send the logos in several zip files."),
    "10,000 files": (
        bomb(1, 10_000),
        "logos.zip holds 10,000 files, more than the 500 that can be taken at once. Nothing was stored. "
        "Send the logos in several zip files.",
    ),
    "501 files": (
        bomb(1, MAX_FILES + 1),
        "logos.zip holds 501 files, more than the 500 that can be taken at once. Nothing was stored. "
        "Send the logos in several zip files.",
    ),
    "10,000 files of the same bytes": (
        overlapping(10_000),
        "logos.zip holds 10,000 files, more than the 500 that can be taken at once. Nothing was stored. "
        "Send the logos in several zip files.",
    ),
    "a large bomb": (bomb(100_000_000), UNPACKS),
    "many small bombs": (bomb(1_500_000, 100), UNPACKS),
    "a bomb by what it states": (stating(zipped({"42.png": PNG}), 2**32 - 1), UNPACKS),
}


@pytest.mark.parametrize(("data", "sentence"), WHOLES.values(), ids=WHOLES)
def test_whole_zip_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    assert whole(data) == sentence


def test_zip_for_more_files_than_a_zip_can_have_is_refused() -> None:
    data = zipped({"42.png": PNG})
    place = data.find(b"PK\x05\x06")
    large = data[:place] + b"PK\x06\x07" + bytes(16) + data[place:]
    assert whole(large).startswith("logos.zip holds tens of thousands of files")


def test_comment_and_bytes_in_front_do_no_harm() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("42.png", PNG)
        archive.comment = b"from the designer, with PK in it" * 100
    assert read(b"#!/bin/sh\n" + file.getvalue()) == {"42.png": 42}


def test_largest_zip_is_taken() -> None:
    names = {f"{number}.png": PNG for number in range(1, MAX_FILES + 1)}
    data = zipped(names)
    assert len(data) < MAX_ZIP_BYTES
    found = open_zip(data, "logos.zip")
    assert isinstance(found, LogoZip)
    assert [entry.lender_id for entry in found.pictures] == list(range(1, MAX_FILES + 1))


def test_name_of_the_zip_is_made_safe() -> None:
    assert whole(b"", "/tmp/\u202epiz.sogol") == "piz.sogol is empty. Save it again, and send it again."
