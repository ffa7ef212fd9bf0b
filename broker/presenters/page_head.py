"""The head of a page as display strings: what a build, the edge or React writes there."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from broker.domain.immutable import Immutable


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadView(Immutable):
    """The head of a page: `title` is that of its window, and `name` its own, without the firm's.

    `address` is its canonical one, `image` that of its picture for social sites.
    `published` and `modified` are dates such as `2026-03-04`, `data` are texts of JSON-LD.
    """

    title: str
    name: str
    description: str
    address: str
    image: str
    image_alt: str
    published: str = ""
    modified: str = ""
    data: tuple[str, ...] = ()


def json_ld(data: Mapping[str, Any]) -> str:
    """Return structured data as a text in which nothing can close its script element."""
    return json.dumps(dict(data), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
