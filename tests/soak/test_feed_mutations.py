"""Recorded answers broken in every way: only typed errors leave the feeds, no unsafe HTML, and memory is bounded."""

import random
import re
import tracemalloc
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from broker.rates.feed.errors import FeedError
from tests.unit.rates.feed.mutations import BOMBS, mutated
from tests.unit.rates.feed.recorded import Recorded, names, read_as, recorded

MAX_MEMORY = 64 * 1024 * 1024

UNSAFE = re.compile(r"<\s*/?\s*(?:script|style|iframe|object|embed|svg|math|form|input|img|meta|base|link)\b", re.I)
IN_A_TAG = re.compile(r"<[a-z][^>]*(?:\son\w+\s*=|javascript:|data:|vbscript:|\sstyle\s*=)", re.I)


@pytest.mark.parametrize(
    "count", [pytest.param(500, id="500"), pytest.param(50_000, id="50000", marks=pytest.mark.soak)]
)
def test_broken_answers_give_typed_errors_and_safe_values(count: int) -> None:
    draw = random.Random(20_260_304)
    sources = [recorded(name) for name in names()]
    for turn in range(count):
        source = draw.choice(sources)
        check(source, mutated(source, draw), f"turn {turn}, {source.name}")


def test_mutations_reach_what_a_visitor_reads() -> None:
    """The broken answers are no test of safety unless many a hostile text comes through to a value."""
    draw, reached = random.Random(3), 0
    source = recorded("get_rates_ok")
    for _ in range(200):
        try:
            read = read_as(source.call, source.status, body=mutated(source, draw))
        except FeedError:
            continue
        reached += any("alert(1)" in text or ">x<" in text for text in texts(read))
    assert reached >= 10


def test_memory_is_bounded() -> None:
    draw = random.Random(7)
    sources = [recorded(name) for name in ("get_rates_ok", "get_saved_ltv_rates_ok", "get_logos_ok")]
    tracemalloc.start()
    try:
        for source in sources:
            for bomb in (*BOMBS, *(mutated(source, draw) for _ in range(20))):
                check(source, bomb, source.name)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MAX_MEMORY


def check(source: Recorded, content: bytes, where: str) -> None:
    """Read an answer; hold what leaves to the typed errors and to safe text."""
    try:
        read = read_as(source.call, source.status, body=content)
    except FeedError as error:
        assert len(str(error)) < 500, where
        return
    for text in texts(read):
        assert not UNSAFE.search(text), (where, text[:200])
        assert not IN_A_TAG.search(text), (where, text[:200])
        text.encode("utf-8")


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, held in value.items():
            yield from texts(key)
            yield from texts(held)
    elif isinstance(value, list | tuple):
        for held in value:
            yield from texts(held)
    elif is_dataclass(value):
        for part in fields(value):
            yield from texts(getattr(value, part.name))
