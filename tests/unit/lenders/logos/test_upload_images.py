import asyncio
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from broker.lenders.logos.logo import CleanPicture
from broker.lenders.logos.upload import HEIGHT, MAX_BYTES, WIDTH, ImageWorker, RefusedFile, clean_picture
from tests.unit.lenders.logos.sent_pictures import (
    BLUE,
    animated_gif,
    chunk,
    chunks,
    noted_jpeg,
    opened,
    picture,
    plain,
    saved,
    stated_png,
    wide_framed_gif,
)

GREY_16 = Image.new("I;16", (30, 20), 128 * 256)

TAKEN = {
    "PNG": (picture(), ("RGB", (120, 48))),
    "PNG with transparency": (plain((*BLUE, 90)), ("RGBA", (120, 48))),
    "PNG that could be transparent": (plain((*BLUE, 255)), ("RGB", (120, 48))),
    "PNG in grey": (picture(mode="L"), ("RGB", (120, 48))),
    "PNG in black and white": (picture(mode="1"), ("RGB", (120, 48))),
    "PNG with a palette": (picture(mode="P"), ("RGB", (120, 48))),
    "PNG in 16 bits": (saved(GREY_16, "PNG"), ("RGB", (30, 20))),
    "JPEG": (picture("JPEG"), ("RGB", (120, 48))),
    "JPEG, progressive": (picture("JPEG", progressive=True), ("RGB", (120, 48))),
    "JPEG for print": (picture("JPEG", mode="CMYK"), ("RGB", (120, 48))),
    "GIF": (picture("GIF"), ("RGB", (120, 48))),
    "WebP": (picture("WEBP"), ("RGB", (120, 48))),
    "one pixel": (plain(size=(1, 1)), ("RGB", (1, 1))),
    "far too wide": (picture(size=(2_000, 300)), ("RGB", (400, 60))),
    "far too high": (picture("JPEG", size=(300, 2_000)), ("RGB", (30, 200))),
    "as large as may be": (plain(size=(4_000, 2_000)), ("RGB", (400, 200))),
    "thin": (plain(size=(5_000, 1)), ("RGB", (400, 1))),
}


@pytest.mark.parametrize(("data", "drawn"), TAKEN.values(), ids=TAKEN)
def test_picture_becomes_a_small_png(data: bytes, drawn: tuple[str, tuple[int, int]]) -> None:
    clean = clean_picture(data, "logo")
    found = opened(clean)
    assert (found.format, found.mode, found.size) == ("PNG", *drawn)
    assert isinstance(clean, CleanPicture)
    assert (clean.width, clean.height) == found.size
    assert found.width <= WIDTH
    assert found.height <= HEIGHT


def test_colours_stay() -> None:
    assert opened(clean_picture(plain(), "a")).getpixel((5, 5)) == BLUE
    assert opened(clean_picture(plain((*BLUE, 90)), "a")).getpixel((5, 5)) == (*BLUE, 90)
    assert opened(clean_picture(saved(GREY_16, "PNG"), "a")).getpixel((5, 5)) == (128, 128, 128)


def test_clear_edges_stay_clear_when_a_picture_is_made_smaller() -> None:
    drawn = Image.new("RGBA", (800, 400), (255, 255, 255, 0))
    drawn.paste((*BLUE, 255), (200, 100, 600, 300))
    found = opened(clean_picture(saved(drawn, "PNG"), "a"))
    assert (found.getpixel((0, 0)), found.getpixel((200, 100))) == ((0, 0, 0, 0), (*BLUE, 255))


def test_first_frame_of_an_animation_is_taken() -> None:
    found = opened(clean_picture(animated_gif(), "a.gif"))
    assert (getattr(found, "n_frames", 1), found.getpixel((5, 5))) == (1, BLUE)


UPRIGHT = {1: ((200, 100), (10, 50)), 3: ((200, 100), (190, 50)), 6: ((100, 200), (50, 10)), 8: ((100, 200), (50, 190))}


@pytest.mark.parametrize("orientation", UPRIGHT)
def test_picture_is_turned_as_its_camera_was_held(orientation: int) -> None:
    size, blue = UPRIGHT[orientation]
    found = opened(clean_picture(noted_jpeg(orientation), "a.jpg"))
    assert found.size == size
    # blue is far darker than the white of the other half
    x, y = blue
    assert max(found.convert("L").crop((x, y, x + 1, y + 1)).tobytes()) < 100


def noted_png() -> bytes:
    words, notes = PngInfo(), Image.Exif()
    words.add_text("Author", "Zebedee Quillfeather")
    words.add_itxt("Place", "Nether Wallop", zip=True)
    notes[0x013B] = "Zebedee Quillfeather"
    drawn = Image.new("RGB", (40, 20), BLUE)
    return saved(drawn, "PNG", pnginfo=words, dpi=(300, 300), icc_profile=b"x" * 200, exif=notes.tobytes())


@pytest.mark.parametrize("data", [noted_png(), noted_jpeg()], ids=["PNG", "JPEG"])
def test_metadata_is_removed(data: bytes) -> None:
    assert b"Zebedee" in data
    clean = clean_picture(data, "a")
    assert set(chunks(getattr(clean, "png", b""))) == {"IHDR", "IDAT", "IEND"}


def test_same_picture_has_the_same_digest() -> None:
    first, again, other = (clean_picture(data, "a") for data in (picture(), picture(), plain()))
    assert first == again
    assert getattr(first, "digest", 1) != getattr(other, "digest", 1)


JPEG, GIF, PNG = picture("JPEG"), picture("GIF"), picture()
DAMAGED = "is damaged or not complete, and cannot be read. Save it again, and send it again."
PLEASE = "Send the logo as PNG, JPEG, GIF or WebP."
REFUSED = {
    "nothing": (b"", "logo.png is empty. Save it again, and send it again."),
    "spaces": (b" \n", "logo.png is empty. Save it again, and send it again."),
    "SVG": (b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>", f"logo.png is an SVG drawing. {PLEASE}"),
    "SVG with a heading": (b"<?xml version='1.0'?><!-- a --><svg/>", f"logo.png is an SVG drawing. {PLEASE}"),
    "SVG in two bytes": ("\ufeff<svg/>".encode("utf-16-le"), f"logo.png is an SVG drawing. {PLEASE}"),
    "HTML": (b"<!DOCTYPE html><script>x()</script>", f"logo.png is a web page. {PLEASE}"),
    "other markup": (b"<a/>", f"logo.png is a text. {PLEASE}"),
    "text": (b"logo", f"logo.png is a text. {PLEASE}"),
    "AVIF": (saved(Image.new("RGB", (9, 9)), "AVIF"), f"logo.png is an AVIF or HEIC picture. {PLEASE}"),
    "BMP": (saved(Image.new("RGB", (9, 9)), "BMP"), f"logo.png is a BMP picture. {PLEASE}"),
    "TIFF": (saved(Image.new("RGB", (9, 9)), "TIFF"), f"logo.png is a TIFF picture. {PLEASE}"),
    "icon": (saved(Image.new("RGB", (16, 16)), "ICO"), f"logo.png is an icon. {PLEASE}"),
    "PDF": (b"%PDF-1.7", f"logo.png is a PDF document. {PLEASE}"),
    "zip": (b"PK\x03\x04rest", f"logo.png is a zip file. {PLEASE}"),
    "bytes": (bytes(range(128, 255)), f"logo.png is of an unknown kind. {PLEASE}"),
    "2 MB and a byte": (PNG + b"x" * MAX_BYTES, "logo.png is larger than 2 MB. Save it smaller, and send it again."),
    "50 MB": (PNG + bytes(50_000_000), "logo.png is larger than 2 MB. Save it smaller, and send it again."),
    "20,000 by 20,000 of few bytes": (
        stated_png(20_000, 20_000, rows=bytes(1_000_000)),
        "logo.png is 20,000 × 20,000 pixels, more than can be taken. Send it at most 5,000 pixels wide or high, "
        "and 8 million pixels in all.",
    ),
    "too wide": (
        stated_png(5_001, 1),
        "logo.png is 5,001 × 1 pixels, more than can be taken. Send it at most 5,000 pixels wide or high, "
        "and 8 million pixels in all.",
    ),
    "no size": (stated_png(0, 10), f"logo.png {DAMAGED}"),
    "a frame larger than the picture": (wide_framed_gif(), f"logo.png {DAMAGED}"),
    "half a JPEG": (JPEG[: len(JPEG) // 2], f"logo.png {DAMAGED}"),
    "most of a JPEG": (JPEG[:-30], f"logo.png {DAMAGED}"),
    "half a progressive JPEG": (picture("JPEG", progressive=True)[:-200], f"logo.png {DAMAGED}"),
    "half a GIF": (GIF[: len(GIF) // 2], f"logo.png {DAMAGED}"),
    "half a PNG": (PNG[: len(PNG) // 2], f"logo.png {DAMAGED}"),
    "a PNG's beginning": (PNG[:8], f"logo.png {DAMAGED}"),
    "a PNG of a wrong sum": (PNG[:40] + b"?" + PNG[41:], f"logo.png {DAMAGED}"),
}


@pytest.mark.parametrize(("data", "sentence"), REFUSED.values(), ids=REFUSED)
def test_file_that_is_not_a_picture_is_refused_with_the_reason(data: bytes, sentence: str) -> None:
    found = clean_picture(data, "logo.png")
    assert isinstance(found, RefusedFile)
    assert (found.name, found.sentence) == ("logo.png", sentence)


def test_name_in_a_refusal_is_made_safe() -> None:
    found = clean_picture(b"<svg/>", "../etc/{more}\u202egnp.svg")
    assert getattr(found, "sentence", "") == f"{{more}}gnp.svg is an SVG drawing. {PLEASE}"


MEASURED = """
import resource, sys
from broker.lenders.logos.upload import clean_picture
data = open(sys.argv[1], "rb").read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
clean_picture(data, "a")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
MAX_MEMORY = 160

LARGE = {
    "the largest picture": plain((*BLUE, 90), (4_000, 2_000)),
    "400 million pixels": stated_png(20_000, 20_000, rows=bytes(20_000_000)),
    "a note of 100 MB": PNG[:33] + chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(100_000_000), 1)) + PNG[33:],
}


@pytest.mark.parametrize("data", LARGE.values(), ids=LARGE)
def test_memory_is_bounded(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "sent"
    file.write_bytes(data)
    done = subprocess.run([sys.executable, "-c", MEASURED, str(file)], check=True, capture_output=True, text=True)
    assert int(done.stdout) < MAX_MEMORY


async def test_pictures_are_unpacked_one_at_a_time_and_beside_what_goes_on() -> None:
    bench, working, most = ImageWorker(), 0, 0

    def work() -> bool:
        nonlocal working, most
        working += 1
        most = max(most, working)
        begun.wait(0.01)
        working -= 1
        return threading.current_thread() is threading.main_thread()

    begun = threading.Event()
    inside = await asyncio.gather(*(bench.run(work) for _ in range(5)))
    assert (most, any(inside)) == (1, False)
