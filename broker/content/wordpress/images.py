"""Download the images of the content and copy them in the widths of pages, with limits on number, bytes and time."""

import asyncio
import hashlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from math import ceil
from pathlib import Path

from PIL import Image

from broker.content.errors import ContentApiError
from broker.content.models.pictures import PREFIX, Picture, PictureFile
from broker.content.text.sanitise import image_sources
from broker.content.wordpress.client import Json, WordPressClient
from broker.content.wordpress.download import Answers
from broker.content.wordpress.fields import at, image_address, rows
from broker.images import PILLOW_ERRORS, READERS, ImageFormat, ImageSize, decoded, image_format, image_size

WIDTHS = (88, 124, 175, 248, 350, 495, 700, 990)
"""Widths of copies in pixels: pixels double from one to the next, and every place has one near twice its width."""

_QUALITY = 80

MAX_SIDE_PIXELS, MAX_PIXELS = 6_000, 24_000_000
"""Maximum pixels of a side, and in all (96 MB decoded)."""

_RECIPE = b"1"
"""Part of the hash: to be raised when WIDTHS, _QUALITY or the format changes."""

_SUFFIXES = {ImageFormat.PNG: "png", ImageFormat.GIF: "gif", ImageFormat.JPEG: "jpg", ImageFormat.WEBP: "webp"}


class UnusableImageError(ValueError):
    """An image that is not copied; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageCopies:
    picture: Picture
    files: Mapping[str, bytes]


def _name_stem(data: bytes) -> str:
    """Return the start of the names of an image's files: a hash, so that an unchanged image keeps its addresses."""
    return hashlib.sha256(_RECIPE + data).hexdigest()[:20]


def image_copies(data: bytes) -> ImageCopies:
    """Return the copies of an image; raises UnusableImageError."""
    size, kind = image_size(data), image_format(data)
    if not size or not kind:
        raise UnusableImageError("is no PNG, JPEG, GIF or WebP")
    if max(size.width, size.height) > MAX_SIDE_PIXELS or size.width * size.height > MAX_PIXELS:
        raise UnusableImageError(
            f"is {size.width} by {size.height} pixels, at most {MAX_SIDE_PIXELS} a side and {MAX_PIXELS} in all fit"
        )
    stem = _name_stem(data)
    with warnings.catch_warnings():
        # Pillow warns of oddities; only a file that it cannot read is refused
        warnings.simplefilter("ignore")
        try:
            with READERS[kind](BytesIO(data)) as image:
                if getattr(image, "is_animated", False):
                    return _uncopied(data, size, f"{stem}.{_SUFFIXES[kind]}")
                scale = min(1, WIDTHS[-1] / size.width)
                pixels = decoded(image, needed=(ceil(image.width * scale), ceil(image.height * scale)))
            copies = {width: _encoded(pixels, size, width, kind=kind) for width in _widths(size.width)}
        except PILLOW_ERRORS as error:
            raise UnusableImageError(f"cannot be decoded ({type(error).__name__})") from error
    listed = tuple(PictureFile(src=f"{PREFIX}{stem}-{width}.webp", width=width) for width in copies)
    picture = Picture(src=listed[-1].src, width=size.width, height=size.height, files=listed)
    return ImageCopies(picture=picture, files={f"{stem}-{width}.webp": copy for width, copy in copies.items()})


def _uncopied(data: bytes, size: ImageSize, name: str) -> ImageCopies:
    picture = Picture(src=PREFIX + name, width=size.width, height=size.height)
    return ImageCopies(picture=picture, files={name: data})


def _widths(own: int) -> tuple[int, ...]:
    """Return the widths of the copies of an image: those below its own, and its own within the last."""
    return (*(width for width in WIDTHS if width < own), *((own,) if own <= WIDTHS[-1] else ()))


def _encoded(pixels: Image.Image, size: ImageSize, width: int, *, kind: ImageFormat) -> bytes:
    """Return a copy as WebP; without loss if that takes fewer bytes, as for drawings, but for a JPEG."""
    height = max(1, round(size.height * width / size.width))
    copy = pixels.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)
    copy.info.clear()
    lossy = _saved(copy, quality=_QUALITY)
    return lossy if kind is ImageFormat.JPEG else min(lossy, _saved(copy, lossless=True), key=len)


def _saved(image: Image.Image, **options: int) -> bytes:
    file = BytesIO()
    image.save(file, "WEBP", method=4, **options)
    return file.getvalue()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageLimits:
    images: int = 1_000
    total_bytes: int = 256 * 1024 * 1024


_DEFAULT_LIMITS = ImageLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadedImages:
    """Images by original address, their bytes by file name, and the reasons why others were not copied."""

    pictures: Mapping[str, Picture] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LastImages:
    """The images of the last download by original address, and the folder of their files."""

    pictures: Mapping[str, Picture] = field(default_factory=dict)
    folder: Path = Path()

    def copies(self, address: str) -> ImageCopies | None:
        """Return an image with all its files; None for one that was not copied or lost a file."""
        if not (picture := self.pictures.get(address)):
            return None
        names = dict.fromkeys(src.removeprefix(PREFIX) for src in (*(file.src for file in picture.files), picture.src))
        if not all((self.folder / name).is_file() for name in names):
            return None
        return ImageCopies(picture=picture, files={name: (self.folder / name).read_bytes() for name in names})

    def unchanged(self, address: str, data: bytes) -> ImageCopies | None:
        """Return the last copies if they were made of the same bytes."""
        picture = self.pictures.get(address)
        return self.copies(address) if picture and picture.src.startswith(PREFIX + _name_stem(data)) else None


_NO_IMAGES = LastImages()


async def download_images(
    client: WordPressClient,
    addresses: Iterable[str],
    *,
    last: LastImages = _NO_IMAGES,
    limits: ImageLimits = _DEFAULT_LIMITS,
) -> DownloadedImages:
    """Copy the images of some addresses, four at a time.

    An unusable one is a failure with its reason; its last copy is used.
    """
    wanted = list(dict.fromkeys(address for address in addresses if address))
    failures = dict.fromkeys(wanted[limits.images :], f"is beyond the {limits.images} that are copied")
    slots = asyncio.Semaphore(4)

    async def copied(address: str) -> ImageCopies | str:
        try:
            async with slots:
                data = await client.picture(address)
                return await asyncio.to_thread(_copied, data, last.unchanged(address, data))
        except ContentApiError as error:
            return error.fault
        except UnusableImageError as error:
            return str(error)

    found = await asyncio.gather(*(copied(address) for address in wanted[: limits.images]))
    return _within_limit(limits.total_bytes, dict(zip(wanted, found, strict=False)), last=last, failures=failures)


def _within_limit(
    total_bytes: int, answers: Mapping[str, ImageCopies | str], *, last: LastImages, failures: Mapping[str, str]
) -> DownloadedImages:
    """Return the copies that fit into `total_bytes`, and the last ones of what failed or does not fit."""
    faults = {**failures, **{address: answer for address, answer in answers.items() if isinstance(answer, str)}}
    pictures: dict[str, Picture] = {}
    files: dict[str, bytes] = {}
    for address, answer in answers.items():
        copies = answer if isinstance(answer, ImageCopies) else None
        if copies and sum(map(len, {**files, **copies.files}.values())) > total_bytes:
            faults[address], copies = f"is beyond the {total_bytes} bytes that are copied", None
        if copies := copies or last.copies(address):
            files |= copies.files
            pictures[address] = copies.picture
    return DownloadedImages(pictures=pictures, files=files, failures=faults)


def _copied(data: bytes, last: ImageCopies | None) -> ImageCopies:
    return last or image_copies(data)


def image_addresses(answers: Answers) -> Iterator[str]:
    """Yield the addresses of images in texts, and of banners, icons, logos and portraits."""
    yield from _in_texts([answers.site, answers.lender_pages, answers.faqs, answers.extra_seo])
    yield from _page_images(answers.pages)
    yield from (image_address(lender_banner(page), large=True) for page in answers.lender_pages)
    site = answers.site
    for name in ("localPages", "additionalBranchPages"):
        yield from (image_address(at(row, "branchPage", "bannerImage")) for row in site.get(name) or ())
    yield from (image_address(at(row, "serviceSettings", "serviceIcon")) for row in site.get("services") or ())
    for row in site.get("reviews") or ():
        yield from (image_address(at(row, "reviewFields", name)) for name in ("reviewerImageUrl", "reviewScreenshot"))
    for footer in site.get("footers") or ():
        yield from (image_address(logo) for logo in footer_logos(footer.get("footerFields")))
    settings = at(site.get("post"), "reviewSettings")
    yield from (image_address(value) for value in settings.values() if isinstance(value, dict)) if settings else ()


def _page_images(pages: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    """Yield the addresses of the banners of pages and of the images in their texts."""
    yield from (image_address(banner_of(page), large=True) for page in pages)
    yield from _in_texts(pages)


def banner_of(page: Mapping[str, Json]) -> Json:
    """Return a page's banner: its own field, else the featured image."""
    own, featured = at(page.get("acf"), "banner_image"), rows(at(page.get("_embedded"), "wp:featuredmedia"))
    return own if image_address(own) else next(iter(featured), None)


def lender_banner(page: Mapping[str, Json]) -> Json:
    """Return a lender page's banner, else its featured image."""
    own = at(page.get("acf"), "lender_pages_section", "lender_banner")
    return own if image_address(own) else banner_of(page)


def footer_logos(fields: Json) -> tuple[Json, ...]:
    return tuple(at(fields, "logos", name) for name in ("mainLogo", "trustpilotLogo", "partnerLogo"))


def _in_texts(tree: Json) -> Iterator[str]:
    if isinstance(tree, str):
        if "<img" in tree:
            yield from image_sources(tree)
    elif isinstance(tree, Mapping):
        for value in tree.values():
            yield from _in_texts(value)
    elif isinstance(tree, list | tuple):
        for value in tree:
            yield from _in_texts(value)
