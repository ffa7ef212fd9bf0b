"""Pictures of the content, fetched once, sized from their bytes, and bounded."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from broker.content.errors import ContentApiError
from broker.content.pictures import PREFIX, Format, Picture, format_of
from broker.content.sanitise import picture_sources
from broker.content.wordpress.answers import Json
from broker.content.wordpress.client import WordPressClient
from broker.content.wordpress.fields import image_address
from broker.content.wordpress.gathering import Answers

MOST_PICTURES, MOST_TOTAL, MOST_SIDE = 1_000, 256 * 1024 * 1024, 6_000
"""Pictures, bytes of all together, and pixels of a side that are copied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copies:
    """Pictures by the address they had, their bytes by file name, and why others could not be copied."""

    pictures: Mapping[str, Picture]
    files: Mapping[str, bytes]
    failures: Mapping[str, str]


async def copy_pictures(client: WordPressClient, answers: Answers) -> Copies:
    """Fetch every picture that the answers show; one that cannot be used is a failure with its reason."""
    addresses = list(dict.fromkeys(address for address in _addresses(answers) if address))
    failures = dict.fromkeys(addresses[MOST_PICTURES:], f"is beyond the {MOST_PICTURES} that are copied")
    slots = asyncio.Semaphore(4)

    async def fetched(address: str) -> bytes | str:
        async with slots:
            try:
                return await client.picture(address)
            except ContentApiError as error:
                return error.fault

    found = await asyncio.gather(*(fetched(address) for address in addresses[:MOST_PICTURES]))
    pictures: dict[str, Picture] = {}
    files: dict[str, bytes] = {}
    for address, data in zip(addresses, found, strict=False):
        if isinstance(data, str):
            failures[address] = data
        elif isinstance(kind := _judged(data, files), str):
            failures[address] = kind
        else:
            name = f"{hashlib.sha256(data).hexdigest()[:20]}.{kind.ending}"
            files[name] = data
            pictures[address] = Picture(src=PREFIX + name, width=kind.width, height=kind.height)
    return Copies(pictures=pictures, files=files, failures=failures)


def _judged(data: bytes, files: Mapping[str, bytes]) -> Format | str:
    """Return what a picture is, or why it is not copied."""
    found = format_of(data)
    if not found:
        return "is no PNG, JPEG, GIF or WebP"
    if max(found.width, found.height) > MOST_SIDE:
        return f"is {found.width} by {found.height} pixels, at most {MOST_SIDE} fit"
    if sum(map(len, files.values())) + len(data) > MOST_TOTAL:
        return f"is beyond the {MOST_TOTAL} bytes that are copied"
    return found


def _addresses(answers: Answers) -> Iterator[str]:
    """Yield the addresses of pictures in texts, and of the banners, icons and portraits that the site shows."""
    yield from _in_texts([answers.site, answers.pages, answers.lender_pages, answers.faqs, answers.extra_seo])
    for page in answers.pages:
        yield banner_address(page)
    for name, field in (("localPages", "branchPage"), ("additionalBranchPages", "branchPage")):
        yield from (image_address((row.get(field) or {}).get("bannerImage")) for row in answers.site.get(name) or ())
    for service in answers.site.get("services") or ():
        yield image_address((service.get("serviceSettings") or {}).get("serviceIcon"))


def banner_address(page: Mapping[str, Json]) -> str:
    """Return the address of a page's banner in the large size: its own field, else the featured picture."""
    acf = page.get("acf")
    embedded = page.get("_embedded")
    featured = embedded.get("wp:featuredmedia") if isinstance(embedded, dict) else None
    own = acf.get("banner_image") if isinstance(acf, dict) else None
    return image_address(own, large=True) or image_address(featured)


def _in_texts(tree: Json) -> Iterator[str]:
    if isinstance(tree, str):
        if "<img" in tree:
            yield from picture_sources(tree)
    elif isinstance(tree, Mapping):
        for value in tree.values():
            yield from _in_texts(value)
    elif isinstance(tree, list | tuple):
        for value in tree:
            yield from _in_texts(value)
