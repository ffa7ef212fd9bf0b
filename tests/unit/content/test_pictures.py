import pytest

from broker.content.models.pictures import (
    BANNER,
    CARD,
    MAX_DENSITY,
    TEXT,
    Picture,
    PictureFile,
    PicturePlace,
    fixed_place,
    picture_source,
)
from broker.content.wordpress.images import WIDTHS

FILES = tuple(PictureFile(src=f"/p/a-{width}.webp", width=width) for width in WIDTHS)
PHOTO = Picture(src=FILES[-1].src, width=2560, height=1440, files=FILES)


def listed(picture: Picture, place: PicturePlace) -> list[int]:
    source = picture_source(picture, place)
    named = {file.src: file.width for file in picture.files}
    return [named[each.partition(" ")[0]] for each in (source.srcset or source.src).split(", ")]


@pytest.mark.parametrize("place", [BANNER, TEXT, CARD, fixed_place(56), fixed_place(300)])
def test_no_file_has_more_than_twice_the_pixels_of_its_place(place: PicturePlace) -> None:
    widths = listed(PHOTO, place)
    assert max(widths) <= MAX_DENSITY * place.width
    assert max(widths) >= place.width
    assert picture_source(PHOTO, place).src == f"/p/a-{max(widths)}.webp"


def test_picture_with_one_file_or_none_that_is_small_enough_has_no_choice() -> None:
    plain = Picture(src="/p/a.gif", width=600, height=400)
    small = Picture(src=FILES[0].src, width=88, height=50, files=FILES[:1])
    assert [picture_source(plain, TEXT).srcset, picture_source(small, TEXT).srcset] == ["", ""]
    source = picture_source(PHOTO, fixed_place(20))
    assert (source.src, source.srcset) == (FILES[0].src, "")
