"""Ways to break a recorded answer, seeded: cut, flipped, spliced, retyped, renamed, nested, poisoned, blown up."""

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.unit.rates.feed.recorded import Recorded

POISON = (
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&amp;lt;svg onload=alert(1)&amp;gt;",
    '<p style="background:url(javascript:x)" onclick=x>a',
    "<svg><script>alert(1)</script></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<!--<img src='--><img src=x onerror=alert(1)>'>",
    "\ud800 half a character",
    "\u202egnp.exe",
    "9" * 5_000,
    "1e999999999",
    "-1",
    "NaN",
    "<" * 3_000,
    "&" * 3_000,
)
WORDS = {
    *("LenderName", "Note", "Notes", "RateDescription", "Name", "ShortName", "name", "updated", "faultstring"),
    *("post_title", "post_content", "GetSchemesExResult", "GetLenderListResult", "strMessage", "Data"),
}
"""Names under which stands what a visitor may come to read."""

ODD: tuple[Any, ...] = (None, True, False, 0, -1, 1e308, "", " ", [], {}, [[]], [None], {"@attributes": {}}, {"0": {}})
BOMBS = (
    b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><s:Envelope>&b;</s:Envelope>',
    b'<?xml version="1.0"?><!DOCTYPE a SYSTEM "http://127.0.0.1:1/x.dtd"><s:Envelope/>',
    b"[" * 50_000,
    b'{"Body":' * 5_000,
    b"<a>" * 20_000,
    b"<a " + b'b="c" ' * 20_000 + b"/>",
    b"[" + b"{}," * 400_000 + b"{}]",
    b'{"Body":"' + b"x" * 4_000_000 + b'"}',
    b"<br />\n<b>Warning</b>: " * 20_000,
    b" on line 9" * 20_000,
    b"\xff\xfe<\x00a\x00/\x00>\x00",
)


def mutated(source: Recorded, draw: random.Random) -> bytes:
    content = source.body
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        content = draw.choice(WAYS)(content, draw)
    return content


def _truncated(content: bytes, draw: random.Random) -> bytes:
    return content[: draw.randint(0, len(content))]


def _flipped(content: bytes, draw: random.Random) -> bytes:
    broken = bytearray(content)
    for _ in range(draw.randint(1, 8)):
        if broken:
            broken[draw.randrange(len(broken))] = draw.randrange(256)
    return bytes(broken)


def _spliced(content: bytes, draw: random.Random) -> bytes:
    place = draw.randint(0, len(content))
    piece = draw.choice(
        (b"<br /><b>Warning</b>:  x on line <b>9</b><br />\n", b"\xef\xbb\xbf", b"\0", b'"', b"]", b"{}")
    )
    return content[:place] + piece + content[place:]


def _doubled(content: bytes, _draw: random.Random) -> bytes:
    return json.dumps(content.decode("utf-8", "replace")).encode()


def _bombed(_content: bytes, draw: random.Random) -> bytes:
    # The largest bombs are for the memory test: they would make this one slow without telling more.
    return draw.choice([bomb for bomb in BOMBS if len(bomb) < 100_000])


def _as_xml(content: bytes, draw: random.Random) -> bytes:
    spaces = "xmlns:s='http://x/s' xmlns:a='http://x/a' xmlns:i='http://x/i'"
    return f"<s:Envelope {spaces}>{_xml(_tree(content), draw)}</s:Envelope>".encode("utf-8", "replace")


def _changed(content: bytes, draw: random.Random) -> bytes:
    tree = _tree(content)
    for _ in range(draw.randint(1, 6)):
        tree = _edit(tree, draw)
    return json.dumps(tree).encode()


def _poisoned(content: bytes, draw: random.Random) -> bytes:
    """Put something hostile where words or HTML stand, and leave the rest whole, so that rows survive."""
    tree = _tree(content)
    places = list(_wordy(tree))
    for holder, key in draw.sample(places, min(len(places), draw.randint(1, 6))):
        holder[key] = draw.choice((draw.choice(POISON), f"{holder[key]} {draw.choice(POISON)}"))
    return json.dumps(tree).encode()


def _wordy(node: Any) -> Iterator[tuple[dict[str, Any], str]]:
    for key, value in node.items() if isinstance(node, dict) else ():
        if key.rpartition(":")[2] in WORDS:
            yield node, key
        else:
            yield from _wordy(value)
    for value in node if isinstance(node, list) else ():
        yield from _wordy(value)


def _xml(node: Any, draw: random.Random) -> str:
    if isinstance(node, dict):
        return "".join(f"<{_name(key)}>{_xml(value, draw)}</{_name(key)}>" for key, value in node.items())
    if isinstance(node, list):
        return "".join(f"<a:row>{_xml(value, draw)}</a:row>" for value in node)
    text = str(node)
    return f"<![CDATA[{text}]]>" if draw.random() < 0.5 else text.replace("&", "&amp;").replace("<", "&lt;")


def _name(key: str) -> str:
    return re.sub(r"[^A-Za-z:]", "", key) or "x"


def _tree(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return {"Body": {"GetSchemesExResponse": {"objSchemes": []}}}


def _edit(node: Any, draw: random.Random) -> Any:
    if isinstance(node, dict) and node and draw.random() < 0.85:
        key = draw.choice(list(node))
        if draw.random() < 0.1:
            return {(_renamed(name, draw) if name == key else name): value for name, value in node.items()}
        return {**node, key: _edit(node[key], draw)}
    if isinstance(node, list) and node and draw.random() < 0.85:
        place = draw.randrange(len(node))
        return [*node[:place], _edit(node[place], draw), *node[place + 1 :]]
    return draw.choice(EDITS)(node, draw)


def _renamed(name: str, draw: random.Random) -> str:
    return draw.choice(
        (f"a:{name}", f"a{name}", f"s:{name}", name.lower(), name[1:], "0", "50", "@attributes", "", "\ud800")
    )


def _nested(node: Any, draw: random.Random) -> Any:
    for _ in range(draw.choice((1, 2, 30, 60))):
        node = [node] if draw.random() < 0.5 else {draw.choice(("_text", "Body", "0", "a:x")): node}
    return node


EDITS: tuple[Callable[[Any, random.Random], Any], ...] = (
    lambda _node, draw: draw.choice(POISON),
    lambda _node, draw: draw.choice(ODD),
    lambda node, draw: f"{node}{draw.choice(POISON)}",
    lambda node, _draw: [node, node],
    lambda node, _draw: {"0": node, "7": node},
    lambda node, _draw: json.dumps(node),
    _nested,
)
WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _truncated,
    _flipped,
    _spliced,
    _doubled,
    _as_xml,
    *[_changed] * 4,
    *[_poisoned] * 4,
    _bombed,
)
