"""Pictures and zip files as people and feeds send them, and files that are neither."""

import struct
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from PIL import Image

from broker.lenders.logos.logo import CleanPicture

BLUE = (20, 60, 160)


def picture(kind: str = "PNG", size: tuple[int, int] = (120, 48), *, mode: str = "RGB", **options: Any) -> bytes:
    drawn = Image.linear_gradient("L").resize(size).convert(mode)
    return saved(drawn, kind, **options)


def plain(colour: tuple[int, ...] = BLUE, size: tuple[int, int] = (120, 48), *, kind: str = "PNG") -> bytes:
    """Return a picture of one colour, red, green and blue, and how opaque if given."""
    return saved(Image.new("RGBA" if len(colour) == 4 else "RGB", size, colour), kind)


def noise(size: tuple[int, int] = (400, 200)) -> bytes:
    return saved(Image.effect_noise(size, 120).convert("RGB"), "JPEG", quality=10)


def saved(drawn: Image.Image, kind: str, **options: Any) -> bytes:
    file = BytesIO()
    drawn.save(file, kind, **options)
    return file.getvalue()


def opened(clean: object) -> Image.Image:
    """Return the picture that something made safe holds."""
    assert isinstance(clean, CleanPicture), clean
    found = Image.open(BytesIO(clean.png))
    found.load()
    return found


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def chunks(png: bytes) -> list[str]:
    found, place = [], 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        found.append(png[place + 4 : place + 8].decode())
        place += 12 + length
    return found


def stated_png(width: int, height: int, *, rows: bytes = b"") -> bytes:
    start = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + start + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def wide_framed_gif() -> bytes:
    """Return a GIF of 10 by 10 pixels whose one frame is 30,000 by 30,000."""
    screen = b"GIF89a" + struct.pack("<HHBBB", 10, 10, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    return screen + b"," + struct.pack("<HHHHB", 0, 0, 30_000, 30_000, 0) + b"\x02\x02\x4c\x01\x00;"


def animated_gif() -> bytes:
    first, second = (Image.new("RGB", (40, 20), colour) for colour in (BLUE, (200, 0, 0)))
    return saved(first, "GIF", save_all=True, append_images=[second], duration=100, loop=0)


def noted_jpeg(orientation: int = 6) -> bytes:
    """Return a JPEG, wide and blue on its left, with a camera's notes: which way up it was held, who, and where."""
    drawn = Image.new("RGB", (200, 100), (250, 250, 250))
    drawn.paste(BLUE, (0, 0, 100, 100))
    notes = Image.Exif()
    notes[0x0112] = orientation
    notes[0x013B] = "Zebedee Quillfeather"
    return saved(drawn, "JPEG", exif=notes.tobytes(), comment=b"Nether Wallop", quality=95)


def zipped(files: Mapping[str, bytes], *, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    whole = BytesIO()
    with zipfile.ZipFile(whole, "w", packing) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return whole.getvalue()
