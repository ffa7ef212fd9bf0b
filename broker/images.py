"""The format and size of an image, read from its header by Pillow; no pixel is decoded, so no file can be a bomb."""

import struct
import warnings
import zlib
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO

from PIL import ExifTags, Image, ImageOps
from PIL.GifImagePlugin import GifImageFile
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

PILLOW_ERRORS = (
    *(OSError, SyntaxError, ValueError, TypeError, LookupError, EOFError, ArithmeticError, AssertionError),
    *(RuntimeError, MemoryError, struct.error, zlib.error, Image.DecompressionBombError),
)
"""The exceptions that Pillow raises for damaged files, as found by fuzzing (tests/soak)."""


class ImageFormat(StrEnum):
    """A format that is read; the value is its media type."""

    PNG = "image/png"
    GIF = "image/gif"
    JPEG = "image/jpeg"
    WEBP = "image/webp"


READERS: dict[ImageFormat, type[ImageFile]] = {
    ImageFormat.PNG: PngImageFile,
    ImageFormat.GIF: GifImageFile,
    ImageFormat.JPEG: JpegImageFile,
    ImageFormat.WEBP: WebPImageFile,
}
_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": ImageFormat.PNG,
    b"GIF87a": ImageFormat.GIF,
    b"GIF89a": ImageFormat.GIF,
    b"\xff\xd8\xff": ImageFormat.JPEG,
}
_SWAPPING_ORIENTATIONS = range(5, 9)
"""EXIF orientations that are shown with width and height swapped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSize:
    """Width and height in pixels with the orientation applied, both above 0."""

    width: int
    height: int


def image_format(data: bytes) -> ImageFormat | None:
    """Return the format of a file by its signature; None for any other, including SVG, which may hold scripts."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ImageFormat.WEBP
    return next((found for signature, found in _SIGNATURES.items() if data.startswith(signature)), None)


def image_size(data: bytes) -> ImageSize | None:
    """Return the size of an image with its EXIF orientation applied; None for a damaged header or another format.

    `Image.open` would refuse a large image before its size is known; the readers themselves do not.
    """
    found = image_format(data)
    if found is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with READERS[found](BytesIO(data)) as image:
                width, height = image.size
                orientation = _orientation(image)
        except PILLOW_ERRORS:
            return None
    if width < 1 or height < 1:
        return None
    is_swapped = orientation in _SWAPPING_ORIENTATIONS
    return ImageSize(width=height, height=width) if is_swapped else ImageSize(width=width, height=height)


def _orientation(image: ImageFile) -> int:
    """Return the EXIF orientation, 1 where it is missing or damaged; `getexif` may decode the pixels of a PNG."""
    exif = Image.Exif()
    try:
        exif.load(image.info.get("exif", b""))
        found = exif.get(ExifTags.Base.Orientation, 1)
    except PILLOW_ERRORS:
        return 1
    return found if isinstance(found, int) else 1


def decoded(image: ImageFile, *, needed: tuple[int, int]) -> Image.Image:
    """Return the pixels of an opened image; raises one of PILLOW_ERRORS.

    A JPEG is decoded at the smallest of its scales with `needed` pixels, which takes a fraction of the memory.
    """
    image.draft("RGB", needed)
    image.load()
    with suppress(*PILLOW_ERRORS):  # damaged EXIF data
        ImageOps.exif_transpose(image, in_place=True)
    return _in_colour(image)


def _in_colour(image: Image.Image) -> Image.Image:
    """Return an image in RGB, or RGBA if any pixel is transparent."""
    if image.mode.startswith("I"):
        # 16-bit grey
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if not image.has_transparency_data:
        return image.convert("RGB")
    picture = image.convert("RGBA")
    return picture.convert("RGB") if picture.getchannel("A").getextrema() == (255, 255) else picture
