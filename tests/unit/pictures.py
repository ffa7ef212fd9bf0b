"""Small images in each format, made by Pillow, and a PNG header of any size."""

import struct
import zlib
from functools import cache
from io import BytesIO

from PIL import ExifTags, Image


@cache
def picture(format_: str, width: int = 100, height: int = 40, *, orientation: int = 0) -> bytes:
    """Return an image of one colour; `orientation` is its EXIF orientation, 0 for none."""
    exif = Image.Exif()
    if orientation:
        exif[ExifTags.Base.Orientation] = orientation
    file = BytesIO()
    Image.new("RGB", (width, height), "#336699").save(file, format_, **({"exif": exif} if orientation else {}))
    return file.getvalue()


def png_header(width: int, height: int) -> bytes:
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I4s", 0, b"IDAT")


PNG, GIF, JPEG, WEBP = (picture(each) for each in ("PNG", "GIF", "JPEG", "WEBP"))
