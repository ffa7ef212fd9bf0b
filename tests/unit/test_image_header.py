import base64
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from broker.images import ImageFormat, ImageSize, image_format, image_size
from tests.standin.market import GIF as SMALLEST
from tests.standin.market import logo
from tests.unit.pictures import GIF, JPEG, PNG, WEBP, picture, png_header

TABLE = b"\xff\xc4\x00\x06\xff\xc0\x00\x00"
SIZES: dict[str, tuple[bytes, tuple[int, int] | None]] = {
    "PNG": (PNG, (100, 40)),
    "a PNG of the stand-in": (base64.b64decode(logo(42)), (100, 40)),
    "GIF": (picture("GIF", 320, 200), (320, 200)),
    "an older GIF": (b"GIF87a" + GIF[6:], (100, 40)),
    "a GIF of one pixel": (SMALLEST, (1, 1)),
    "JPEG": (picture("JPEG", 640, 480), (640, 480)),
    "a JPEG with filling": (JPEG[:2] + b"\xff\xff" + JPEG[2:], (100, 40)),
    "WebP": (WEBP, (100, 40)),
    "a huge PNG": (png_header(2**31 - 1, 2**31 - 1), (2**31 - 1, 2**31 - 1)),
    "a PNG of no width": (png_header(0, 40), None),
    "a PNG cut off": (PNG[:23], None),
    "a PNG that begins otherwise": (PNG.replace(b"IHDR", b"IDAT"), None),
    "a GIF cut off": (GIF[:9], None),
    "a JPEG cut off": (JPEG[:18], None),
    "a JPEG with a damaged table": (JPEG[:2] + TABLE + JPEG[2:100], None),
    "a JPEG without a frame": (b"\xff\xd8\xff\xe0\x00\x00" * 10, None),
    "a WebP cut off": (WEBP[:20], None),
    "nothing": (b"", None),
    "SVG": (b"<svg width='1' height='1'/>", None),
}


def test_size_is_what_the_header_says() -> None:
    found = {name: image_size(data) for name, (data, _) in SIZES.items()}
    sizes = {name: size and (size.width, size.height) for name, size in found.items()}
    assert sizes == {name: size for name, (_, size) in SIZES.items()}


def test_orientations_5_to_8_swap_width_and_height() -> None:
    for format_ in ("JPEG", "PNG", "WEBP"):
        found = [image_size(picture(format_, 60, 20, orientation=each)) for each in range(1, 9)]
        assert found == [ImageSize(width=60, height=20)] * 4 + [ImageSize(width=20, height=60)] * 4, format_


def test_format_is_that_of_the_signature() -> None:
    images = (PNG, GIF, JPEG, WEBP, b"<svg/>", b"RIFF1234WAVE", b"")
    assert [image_format(each) for each in images] == [*ImageFormat, None, None, None]


def test_no_pixel_of_a_large_image_is_decoded() -> None:
    large = picture("PNG", 4_000, 4_000)
    tracemalloc.start()
    try:
        assert image_size(large) == ImageSize(width=4_000, height=4_000)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@given(st.sampled_from([PNG[:40], GIF[:6], JPEG[:3], JPEG[:160], WEBP[:20], b""]), st.binary(max_size=200))
def test_any_bytes_have_a_size_or_none(start: bytes, rest: bytes) -> None:
    found = image_size(start + rest)
    assert found is None or (found.width > 0 and found.height > 0)
