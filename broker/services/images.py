"""Sanitise uploaded and fetched pictures: detect the format, check the bounds, re-encode as PNG without metadata.

The size in a file's header is checked before decoding. One picture is decoded at a time, in a thread, which bounds
memory.
"""

import asyncio
import warnings
from collections.abc import Callable
from io import BytesIO
from typing import TypeVar

from PIL import Image
from PIL.ImageFile import ImageFile

from broker.domain.file_names import shown_name
from broker.domain.staff.logos import CleanPicture
from broker.image_decoding import decoded
from broker.image_header import PILLOW_ERRORS, READERS, ImageFormat, image_format, image_size
from broker.services.staff.logos.upload_errors import FileFault, RefusedFile, refused, sniffed

MAX_BYTES = 2 * 1024 * 1024
MAX_SIDE, MAX_PIXELS = 5_000, 8_000_000
"""Limits of a file: bytes, pixels of the longer side, and pixels in all (32 MB decoded)."""

WIDTH, HEIGHT = 400, 200
"""Largest size of the result: it is shown at 100 to 190 pixels, on screens of up to three times the density."""

_FORMATS = (ImageFormat.PNG, ImageFormat.GIF, ImageFormat.JPEG)
Made = TypeVar("Made")


class ImageWorker:
    """Sanitises pictures one at a time in a thread."""

    def __init__(self) -> None:
        self._free = asyncio.Lock()

    async def clean(self, data: bytes, name: str) -> CleanPicture | RefusedFile:
        """Return `clean_picture` of a file."""
        return await self.run(lambda: clean_picture(data, name))

    async def run(self, work: Callable[[], Made]) -> Made:
        """Run a function in a thread, after those before it."""
        async with self._free:
            return await asyncio.to_thread(work)


def clean_picture(data: bytes, name: str) -> CleanPicture | RefusedFile:
    """Return a PNG of at most 400 x 200 pixels with nothing but the picture, or why there is none.

    `name` is the sender's name of the file, for the message of a refusal only.
    """
    shown = shown_name(name)
    if len(data) > MAX_BYTES:
        return refused(shown, FileFault.TOO_LARGE)
    kind = image_format(data)
    if kind is None or kind not in _FORMATS:
        return refused(shown, FileFault.EMPTY if not data.strip() else FileFault.OTHER_KIND, more=sniffed(data))
    stated = image_size(data)
    if stated is None:
        return refused(shown, FileFault.DAMAGED)
    if not _fits(stated.width, stated.height):
        return refused(shown, FileFault.TOO_MANY_PIXELS, more=f"{stated.width:,} × {stated.height:,}")
    with warnings.catch_warnings():
        # Pillow warns of what is odd in a file; only what it cannot read counts
        warnings.simplefilter("ignore")
        try:
            return _drawn(READERS[kind](BytesIO(data)))
        except PILLOW_ERRORS:
            return refused(shown, FileFault.DAMAGED)


def _fits(width: int, height: int) -> bool:
    return max(width, height) <= MAX_SIDE and width * height <= MAX_PIXELS


def _drawn(image: ImageFile) -> CleanPicture:
    """Draw the first frame anew; raises one of PILLOW_ERRORS."""
    with image:
        if not _fits(*image.size):
            raise ValueError("the picture is larger than it stated")
        picture = decoded(image, needed=(WIDTH * 2, WIDTH * 2))
    picture.thumbnail((WIDTH, HEIGHT), Image.Resampling.LANCZOS, reducing_gap=3.0)
    picture.info.clear()
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return CleanPicture.of(file.getvalue(), width=picture.width, height=picture.height)
