"""Pictures and zip files broken in every way: each is made safe or refused in a sentence, and nothing else happens."""

import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator

import pytest
from PIL import Image

from broker.lenders.logos.logo import CleanPicture
from broker.lenders.logos.upload import HEIGHT, WIDTH, LogoZip, RefusedFile, clean_picture, open_zip
from tests.unit.lenders.logos.sent_pictures import (
    animated_gif,
    chunks,
    noted_jpeg,
    opened,
    picture,
    plain,
    saved,
    zipped,
)

COUNTS = [pytest.param(600, id="600"), pytest.param(60_000, id="60000", marks=pytest.mark.soak)]
ZIPS = [pytest.param(300, id="300"), pytest.param(20_000, id="20000", marks=pytest.mark.soak)]


@pytest.mark.parametrize("count", COUNTS)
def test_broken_picture_is_made_safe_or_refused(count: int) -> None:
    draw, wholes, taken = random.Random(20_260_331), whole_pictures(), 0
    for turn in range(count):
        found = clean_picture(broken(draw.choice(wholes), draw), "logo.png")
        check(found, turn)
        taken += isinstance(found, CleanPicture)
    # no test of safety unless many come through, and many do not
    assert count * 0.1 < taken < count * 0.9


@pytest.mark.parametrize("count", ZIPS)
def test_broken_zip_is_read_or_refused(count: int) -> None:
    draw, wholes, opened_ones = random.Random(20_260_401), whole_zips(), 0
    for turn in range(count):
        found = open_zip(broken(draw.choice(wholes), draw), "logos.zip")
        for one in entries(found):
            check(one, turn)
        opened_ones += isinstance(found, LogoZip)
    assert count * 0.1 < opened_ones < count * 0.9


def entries(found: LogoZip | RefusedFile) -> Iterator[CleanPicture | RefusedFile]:
    if isinstance(found, RefusedFile):
        yield found
        return
    yield from found.refused
    yield from (entry.read() for entry in found.pictures)


def check(found: CleanPicture | RefusedFile, turn: int) -> None:
    """Hold what comes of a file to a small picture or a sentence."""
    if isinstance(found, RefusedFile):
        assert found.sentence.startswith(found.name), turn
        assert found.sentence.endswith("."), turn
        return
    assert set(chunks(found.png)) == {"IHDR", "IDAT", "IEND"}, turn
    assert found.width <= WIDTH, turn
    assert found.height <= HEIGHT, turn
    assert opened(found).size == (found.width, found.height), turn


Way = Callable[[bytes, random.Random], bytes]

NUMBERS = (b"\0\0", b"\xff\xff", b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x80\0\0\0", b"\1\0\0\0")


def _animated_png() -> bytes:
    frames = [Image.new("RGBA", (30, 20), (shade, 9, 9, shade)) for shade in (10, 90, 200)]
    return saved(frames[0], "PNG", save_all=True, append_images=frames[1:])


def whole_pictures() -> tuple[bytes, ...]:
    png = [picture(mode=mode) for mode in ("RGB", "RGBA", "L", "LA", "P", "1")]
    jpeg = [picture("JPEG", mode=mode) for mode in ("RGB", "L", "CMYK")]
    return (
        *png,
        plain((9, 9, 9, 9)),
        saved(Image.new("I;16", (30, 20), 900), "PNG"),
        _animated_png(),
        *jpeg,
        picture("JPEG", progressive=True, optimize=True),
        noted_jpeg(),
        picture("GIF"),
        picture("GIF", mode="L", interlace=1),
        animated_gif(),
    )


def whole_zips() -> tuple[bytes, ...]:
    files = {"7.png": picture(), "lender-42.jpg": picture("JPEG"), "9.gif": animated_gif(), "words.txt": b"words"}
    return zipped(files), zipped(files, packing=zipfile.ZIP_STORED), zipped({"1.zip": zipped(files)})


def broken(content: bytes, draw: random.Random) -> bytes:
    for _ in range(draw.choice((1, 1, 2, 4))):
        content = draw.choice(WAYS)(content, draw)
    return _summed(content) if draw.random() < 0.7 else content


def _cut(content: bytes, draw: random.Random) -> bytes:
    return content[: draw.randint(0, len(content))]


def _flipped(content: bytes, draw: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(draw.randint(1, 12)):
        if changed:
            changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _headed(content: bytes, draw: random.Random) -> bytes:
    """Change one of the first bytes, where sizes and kinds are."""
    changed = bytearray(content)
    if len(changed) > 12:
        changed[draw.randrange(6, min(len(changed), 120))] = draw.randrange(256)
    return bytes(changed)


def _numbered(content: bytes, draw: random.Random) -> bytes:
    place, number = draw.randint(0, len(content)), draw.choice(NUMBERS)
    return content[:place] + number + content[place + len(number) :]


def _doubled(content: bytes, draw: random.Random) -> bytes:
    start = draw.randint(0, len(content))
    end = draw.randint(start, min(len(content), start + 400))
    return content[:end] + content[start:end] * draw.choice((1, 2, 30)) + content[end:]


def _emptied(content: bytes, draw: random.Random) -> bytes:
    start = draw.randint(0, len(content))
    return content[:start] + content[start + draw.randint(1, 400) :]


def _summed(content: bytes) -> bytes:
    """Put the sums of a PNG's chunks right, so that what is in them is looked at."""
    if not content.startswith(b"\x89PNG\r\n\x1a\n"):
        return content
    whole, place = bytearray(content[:8]), 8
    while place + 12 <= len(content):
        (length,) = struct.unpack(">I", content[place : place + 4])
        if length > len(content) - place - 12:
            break
        body = content[place + 4 : place + 8 + length]
        whole += content[place : place + 4] + body + struct.pack(">I", zlib.crc32(body))
        place += 12 + length
    return bytes(whole) + content[place:]


WAYS: tuple[Way, ...] = (_cut, _flipped, _flipped, _headed, _headed, _numbered, _numbered, _doubled, _emptied)
