"""A WordPress that is a function: recorded answers, or whatever a test wants, behind the real client."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import httpx

from broker.content.wordpress.client import WordPressClient, WordPressSettings
from broker.content.wordpress.download import Answers
from broker.content.wordpress.images import DownloadedImages
from broker.content.wordpress.import_context import ImportContext
from broker.content.wordpress.snapshot_builder import build_snapshot, with_good_rows
from tests.our_content import STORE
from tests.standin.wordpress import pages

API = "https://example.test/api"
RECORDED = Path(__file__).parents[3] / "fixtures" / "wordpress"
TODAY = date(2026, 11, 21)
NO_PICTURES = DownloadedImages()

Answering = Callable[[httpx.Request], httpx.Response] | Callable[[httpx.Request], Coroutine[None, None, httpx.Response]]


def context() -> ImportContext:
    return ImportContext(API, STORE, pictures={}, today=TODAY)


def recording(name: str) -> Mapping[str, Any]:
    return json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))


def body(name: str) -> Any:
    return json.loads(recording(name)["body"])


def replied(content: str | bytes, status: int = 200, headers: dict[str, str] | None = None) -> httpx.Response:
    """Return a response that is still to be read, as one from the network is."""
    data = content.encode() if isinstance(content, str) else content
    return httpx.Response(status, headers=headers, stream=httpx.ByteStream(data))


def recorded(name: str) -> httpx.Response:
    return replied(recording(name)["body"], recording(name)["status"])


def client(answer: Answering, **changes: Any) -> WordPressClient:
    settings = WordPressSettings(api_url=API, backoff_seconds=0, **changes)
    return WordPressClient(settings, transport=httpx.MockTransport(answer))


def run(work: Any) -> Any:
    return asyncio.run(work)


def answers(**changes: Any) -> Answers:
    """Return the recorded answers, the lists of the site data as rows, with changes."""
    site = {name: _rows(value) for name, value in body("graphql_site_data_ok")["data"].items()}
    return Answers(
        site=site | changes.pop("site", {}),
        pages=changes.pop("pages", [*body("rest_pages_guide_found"), *pages()]),
        lender_pages=changes.pop("lender_pages", body("rest_lender_page_full") + body("rest_lender_page_never_saved")),
        faqs=changes.pop("faqs", body("faqs_ok")),
        extra_seo={"first-time-buyer": body("graphql_extra_seo_ok")["data"]["extraSeoSection"]},
        parts={},
    )


def snapshot(downloaded: Answers | None = None) -> tuple[Any, tuple[str, ...]]:
    checked, faults = with_good_rows(downloaded or answers(), {})
    found, issues = build_snapshot(checked, source=API, fallback=STORE, copies=NO_PICTURES, today=TODAY)
    return found, tuple(str(issue) for issue in (*faults, *issues))


def _rows(value: Any) -> Any:
    if "edges" in value:
        return [edge["node"] for edge in value["edges"]]
    return value.get("nodes", value)
