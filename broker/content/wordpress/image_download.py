"""Download the images of the content, with limits on number, bytes and sides."""

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from broker.content.errors import ContentApiError
from broker.content.models.pictures import PREFIX, Picture
from broker.content.text.sanitise import image_sources
from broker.content.wordpress.client import WordPressClient
from broker.content.wordpress.download import Answers
from broker.content.wordpress.fields import at, image_address, rows
from broker.content.wordpress.responses import Json
from broker.image_header import ImageFormat, image_format, image_size

MAX_PICTURES, MAX_TOTAL_BYTES, MAX_SIDE_PIXELS = 1_000, 256 * 1024 * 1024, 6_000
"""Maximum number of images, bytes of all of them, and pixels of a side."""


_SUFFIXES = {ImageFormat.PNG: "png", ImageFormat.GIF: "gif", ImageFormat.JPEG: "jpg", ImageFormat.WEBP: "webp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadedImages:
    """Images by original address, their bytes by file name, and the reasons why others were not copied."""

    pictures: Mapping[str, Picture]
    files: Mapping[str, bytes]
    failures: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastImages:
    """The images of the last download by original address, and the folder of their files."""

    pictures: Mapping[str, Picture] = field(default_factory=dict)
    folder: Path = Path()

    def read(self, address: str) -> bytes | None:
        """Return the bytes of an image; None for one that was not copied."""
        picture = self.pictures.get(address)
        file = self.folder / picture.src.removeprefix(PREFIX) if picture else None
        return file.read_bytes() if file and file.is_file() else None


async def download_images(client: WordPressClient, answers: Answers, *, last: LastImages) -> DownloadedImages:
    """Download every image of the answers; an unusable one is a failure with its reason, and stays the last copy."""
    addresses = list(dict.fromkeys(address for address in _addresses(answers) if address))
    failures = dict.fromkeys(addresses[MAX_PICTURES:], f"is beyond the {MAX_PICTURES} that are copied")

    async def fetched(address: str) -> bytes | str:
        try:
            return await client.picture(address)
        except ContentApiError as error:
            return error.fault

    found = await asyncio.gather(*(fetched(address) for address in addresses[:MAX_PICTURES]))
    pictures: dict[str, Picture] = {}
    files: dict[str, bytes] = {}
    for address, answer in zip(addresses, found, strict=False):
        if fault := answer if isinstance(answer, str) else _fault(answer, files):
            failures[address] = fault
        data = last.read(address) if fault else answer
        if isinstance(data, bytes) and (size := image_size(data)) and (format_ := image_format(data)):
            name = f"{hashlib.sha256(data).hexdigest()[:20]}.{_SUFFIXES[format_]}"
            files[name] = data
            pictures[address] = Picture(src=PREFIX + name, width=size.width, height=size.height)
    return DownloadedImages(pictures=pictures, files=files, failures=failures)


def _fault(data: bytes, files: Mapping[str, bytes]) -> str:
    """Return the reason why an image is not copied; empty for a usable one."""
    found = image_size(data)
    if not found:
        return "is no PNG, JPEG, GIF or WebP"
    if max(found.width, found.height) > MAX_SIDE_PIXELS:
        return f"is {found.width} by {found.height} pixels, at most {MAX_SIDE_PIXELS} fit"
    if sum(map(len, files.values())) + len(data) > MAX_TOTAL_BYTES:
        return f"is beyond the {MAX_TOTAL_BYTES} bytes that are copied"
    return ""


def _addresses(answers: Answers) -> Iterator[str]:
    """Yield the addresses of images in texts, and of banners, icons, logos and portraits."""
    yield from _in_texts([answers.site, answers.pages, answers.lender_pages, answers.faqs, answers.extra_seo])
    yield from (image_address(banner_of(page), large=True) for page in answers.pages)
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


def banner_of(page: Mapping[str, Json]) -> Json:
    """Return a page's banner: its own field, else the featured image."""
    own, featured = at(page.get("acf"), "banner_image"), rows(at(page.get("_embedded"), "wp:featuredmedia"))
    return own if image_address(own) else next(iter(featured), None)


def lender_banner(page: Mapping[str, Json]) -> Json:
    """Return a lender page's banner, else its featured image."""
    own = at(page.get("acf"), "lender_pages_section", "lender_banner")
    return own if image_address(own) else banner_of(page)


def footer_logos(fields: Json) -> tuple[Json, ...]:
    """Return the logos of the footer, the firm's own first."""
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
