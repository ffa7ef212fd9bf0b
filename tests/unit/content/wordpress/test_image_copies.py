from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image, ImageDraw

from broker.content.models.pictures import PREFIX
from broker.content.wordpress.images import MAX_SIDE_PIXELS, WIDTHS, UnusableImageError, image_copies
from broker.images import ImageFormat, image_format, image_size
from tests.standin.market import photograph
from tests.unit.pictures import picture, png_header

PHOTOGRAPH = photograph(2560, 1440)


def saved(image: Image.Image, format_: str, **options: object) -> bytes:
    file = BytesIO()
    image.save(file, format_, **options)
    return file.getvalue()


def logo() -> Image.Image:
    image = Image.new("RGBA", (600, 200))
    ImageDraw.Draw(image).ellipse((20, 20, 580, 180), fill="#14525b")
    return image


def sides(data: bytes) -> tuple[int, int]:
    size = image_size(data)
    assert size
    return size.width, size.height


def test_large_photograph_has_a_copy_of_every_width_and_keeps_its_shape() -> None:
    copies = image_copies(PHOTOGRAPH)
    assert [file.width for file in copies.picture.files] == list(WIDTHS)
    assert (copies.picture.width, copies.picture.height) == (2560, 1440)
    assert copies.picture.src == copies.picture.files[-1].src
    for file in copies.picture.files:
        data = copies.files[file.src.removeprefix(PREFIX)]
        assert image_format(data) is ImageFormat.WEBP
        assert sides(data) == (file.width, round(file.width * 1440 / 2560))
    assert max(map(len, copies.files.values())) < len(PHOTOGRAPH) / 3


def test_next_width_is_never_twice_the_one_before() -> None:
    assert all(wide < 2 * narrow for narrow, wide in pairwise(WIDTHS))


@pytest.mark.parametrize(
    ("width", "widths"), [(40, [40]), (88, [88]), (240, [88, 124, 175, 240]), (990, list(WIDTHS)), (991, list(WIDTHS))]
)
def test_no_copy_is_larger_than_the_image(width: int, widths: list[int]) -> None:
    copies = image_copies(picture("PNG", width, 30))
    assert [file.width for file in copies.picture.files] == widths


def test_photograph_that_a_phone_turned_is_upright() -> None:
    copies = image_copies(picture("JPEG", 400, 300, orientation=6))
    assert (copies.picture.width, copies.picture.height) == (300, 400)
    assert [sides(data) for data in copies.files.values()][-1] == (300, 400)


def test_drawing_keeps_its_transparency_and_its_colours() -> None:
    copies = image_copies(saved(logo(), "PNG"))
    with Image.open(BytesIO(copies.files[copies.picture.src.removeprefix(PREFIX)])) as image:
        drawn = image.convert("RGBA")
    assert drawn.getpixel((0, 0)) == (0, 0, 0, 0)
    assert drawn.getpixel((300, 100)) == (0x14, 0x52, 0x5B, 255)


def test_same_bytes_have_the_same_names_and_others_have_others() -> None:
    names = [set(image_copies(data).files) for data in (picture("PNG"), picture("PNG"), picture("GIF"))]
    assert names[0] == names[1]
    assert not names[0] & names[2]


def test_animation_is_served_as_it_is() -> None:
    frames = [Image.new("RGB", (600, 80), colour) for colour in ("red", "blue")]
    data = saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    copies = image_copies(data)
    assert (list(copies.files.values()), copies.picture.files) == ([data], ())
    assert copies.picture.src.endswith(".gif")


REFUSED = {
    "no image": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is no PNG, JPEG, GIF or WebP"),
    "too wide": (png_header(MAX_SIDE_PIXELS + 1, 10), "is 6001 by 10 pixels"),
    "too many pixels": (png_header(5_000, 5_000), "is 5000 by 5000 pixels"),
    "cut off": (PHOTOGRAPH[:20_000], "cannot be decoded"),
}


@pytest.mark.parametrize(("data", "reason"), REFUSED.values(), ids=REFUSED)
def test_image_that_cannot_be_copied_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(UnusableImageError, match=reason):
        image_copies(data)
