"""Decode images into pixels: the first frame, upright, in red, green and blue, with transparency where there is any."""

from contextlib import suppress

from PIL import Image, ImageOps
from PIL.ImageFile import ImageFile

from broker.image_header import PILLOW_ERRORS


def decoded(image: ImageFile, *, needed: tuple[int, int]) -> Image.Image:
    """Return the pixels of an opened image; raises one of PILLOW_ERRORS.

    A JPEG is unpacked at the smallest of its scales with `needed` pixels, which takes a fraction of the memory.
    """
    image.draft("RGB", needed)
    image.load()
    with suppress(*PILLOW_ERRORS):  # where the camera's note is damaged
        ImageOps.exif_transpose(image, in_place=True)
    return _in_colour(image)


def _in_colour(image: Image.Image) -> Image.Image:
    """Return a picture in red, green and blue, with its transparency where it has any."""
    if image.mode.startswith("I"):
        # grey in 16 bits
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if not image.has_transparency_data:
        return image.convert("RGB")
    picture = image.convert("RGBA")
    return picture.convert("RGB") if picture.getchannel("A").getextrema() == (255, 255) else picture
