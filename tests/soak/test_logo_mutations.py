"""Pictures and zip files broken in every way: each is made safe or refused in a sentence, and nothing else happens."""

import random
from collections.abc import Iterator

import pytest

from broker.lenders.logos.logo import CleanPicture
from broker.lenders.logos.upload import HEIGHT, WIDTH, LogoZip, RefusedFile, clean_picture, open_zip
from tests.unit.services.broken_files import broken, whole_pictures, whole_zips
from tests.unit.services.sent_pictures import chunks, opened

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
