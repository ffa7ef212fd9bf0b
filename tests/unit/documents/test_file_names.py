import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.documents.document import MAX_NAME, UNNAMED_FILE, shown_name

NAMES = {
    "plain": ("Nationwide logo.png", "Nationwide logo.png"),
    "letters of all kinds": ("Łódź_銀行.PNG", "Łódź_銀行.PNG"),
    "a path": ("/etc/passwd/../42.png", "42.png"),
    "a Windows path": ("C:\\Users\\me\\42.png", "42.png"),
    "a right-to-left mark": ("42\u202egnp.exe", "42gnp.exe"),
    "isolates and marks": ("\u2066a\u200fb\u2069.png", "ab.png"),
    "controls": ("a\x00b\x1b[31m\x7f.png", "ab[31m.png"),
    "line breaks": ("a\r\nb\u2028c.png", "a b c.png"),
    "nothing seen": ("a\u200b", "a"),
    "half a character": ("a\ud800b", "ab"),
    "empty": ("", UNNAMED_FILE),
    "a folder": ("logos/", UNNAMED_FILE),
    "only marks": ("\u202e\u200f", UNNAMED_FILE),
    "long": ("x" * 500 + "-the-end.png", "x" * 67 + "…-the-end.png"[-13:]),
}


@pytest.mark.parametrize(("name", "shown"), NAMES.values(), ids=NAMES)
def test_name_is_one_visible_line(name: str, shown: str) -> None:
    assert shown_name(name) == shown


@given(st.text())
def test_any_name_is_short_and_seen(name: str) -> None:
    shown = shown_name(name)
    assert 0 < len(shown) <= MAX_NAME
    assert [sign for sign in shown if sign in "/\\" or unicodedata.category(sign)[0] == "C"] == []
    assert shown_name(shown) == shown
