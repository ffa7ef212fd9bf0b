"""Unfilled pages: every mark takes what it stands for, and nothing that is filled in is read as a mark."""

from __future__ import annotations

from html import unescape

import pytest

from broker.components.unfilled import whether
from broker.presenters.marks import CLOSES, OPENS, Values, flag, mark
from broker.web.serving.filling import exchanged, filled, safe

HOSTILE = '</textarea><script>alert(1)</script>"\' onfocus=x __name__ __[item[__ data-if-checked="__on__" &amp; \x00'


def part(name: str, inner: str) -> str:
    """Return a part of a page."""
    return OPENS.format(name) + inner + CLOSES.format(name)


@pytest.mark.parametrize(
    ("html", "values", "wanted"),
    [
        ("<p>__name__</p>", {"name": "Ada"}, "<p>Ada</p>"),
        ("<p>__name__</p>", {}, "<p></p>"),
        ("<p>__came_from__ __go-on__</p>", {"came_from": "a", "go-on": "b"}, "<p>a b</p>"),
        ('<input data-if-checked="__on__">', {"on": True}, '<input checked="true">'),
        ('<input data-if-checked="__on__">', {"on": False}, "<input>"),
        ('<input data-if-aria-invalid="__on__" id="a">', {"on": [{}]}, '<input aria-invalid="true" id="a">'),
        (part("item", "<li>__name__</li>"), {"item": [{"name": "a"}, {"name": "b"}]}, "<li>a</li><li>b</li>"),
        (part("item", "<li>__name__</li>"), {}, ""),
        (part("item", "__a____b__"), {"a": "1", "item": [{"b": "2"}]}, "12"),
        (part("outer", f"({part('inner', '__a__')})"), {"outer": [{"inner": [{"a": "x"}]}, {}]}, "(x)()"),
        (part("item", "a"), {"item": "text"}, ""),
        ("<p>__name__</p>", {"name": [{}]}, "<p></p>"),
        ("no marks", {"name": "a"}, "no marks"),
    ],
)
def test_mark_takes_what_it_stands_for(html: str, values: Values, wanted: str) -> None:
    assert filled(html, values) == wanted


def test_text_that_looks_like_ours_stays_a_text_wherever_it_stands() -> None:
    html = f'<input value="__name__"><textarea>__name__</textarea>{part("item", "<b>__name__</b>")}'
    text = safe(HOSTILE)
    wanted = f'<input value="{text}"><textarea>{text}</textarea><b>{text}</b>'
    assert filled(html, {"name": HOSTILE, "item": [{}], "on": True}) == wanted
    assert not set("<>\"'") & set(text)
    assert unescape(text.replace("\x00", "")) == HOSTILE.replace("\x00", "")


def test_half_a_character_does_not_stop_a_page() -> None:
    assert filled("<p>__name__</p>", {"name": "a\ud83cb"}).encode() == b"<p>a?b</p>"


def test_longer_of_two_keys_that_begin_alike_is_exchanged() -> None:
    assert exchanged("ab abc", {"ab": "1", "abc": "2"}) == "1 2"


def test_marks_are_as_pages_draw_them() -> None:
    assert (mark("name"), flag("checked", "on")) == ("__name__", {"data-if-checked": "__on__"})
    drawn = str(whether("item", "a").render())
    assert drawn.index("__[item[__") < drawn.index("__]item]__")
