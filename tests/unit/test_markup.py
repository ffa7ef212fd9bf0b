import ast
import re
from pathlib import Path

import pytest

from broker.jinja_places import variable
from broker.markup import add_paragraphs, fragment_html, lines_of, page_html, parse_fragment, parse_page, words_of
from broker.settings import ROOT

PAGE = (
    '<!DOCTYPE html>\n<html lang="en-GB"><head><title>A &amp; b</title><script>if (a < b && c) {}</script></head><body>'
    'a<!-- -->b<!--$--><p>£1\u00a0000 é &lt;</p><template id="B:0"></template><br><input disabled value="">'
    f'<svg viewbox="0 0 1 1"><path d="M0 0"></path></svg><a href="/é {variable("page.link")}?a=1&amp;b=2">x</a>'
    f'<img src="{variable("page.picture")}" alt="{variable("words")}"><pre> x\n\n y</pre><noscript><p>z</p></noscript>'
    "</body></html>"
)
TAG = re.compile(r"(?<!\?P)(?<!\(\?)<[a-zA-Z/!]")
"""A tag, but no group or lookbehind of a regular expression."""


def test_page_is_written_as_it_was_read() -> None:
    page = parse_page(PAGE)
    assert page_html(page) == page_html(page) == PAGE


def test_fragment_is_written_as_it_was_read() -> None:
    for html in ("", "text", "a &amp; b <b>c</b> d", '<p>a</p>\n<p id="x">b</p>', "<li>a</li>", "</div>a"):
        assert fragment_html(parse_fragment(html)) == html.removeprefix("</div>")


def test_deep_html_is_read() -> None:
    depth = 1_000
    assert fragment_html(parse_fragment("<div>" * depth + "x")).count("</div>") == depth


def test_words_and_lines_of_html() -> None:
    assert words_of("<p>a<b>b</b></p><!-- c --><p>d &amp; 5 < 6</p>") == "a b d & 5 < 6"
    assert [line for line in lines_of("a<br>b<p>c <b>d</b>e</p>f\ng") if line] == ["a", "b", "c de", "f", "g"]


@pytest.mark.parametrize(
    ("given", "html"),
    [
        ("a\n\nb <i>c</i>", "<p>a</p><p>b <i>c</i></p>"),
        ("<p>a</p>\n\nb", "<p>a</p>\n\nb"),
        ("<!-- wp:x -->a\n\nb", "<!-- wp:x -->a\n\nb"),
        (" ", " "),
    ],
)
def test_paragraphs_are_made_where_there_is_no_block(given: str, html: str) -> None:
    assert add_paragraphs(given) == html


def patterns(file: Path) -> list[str]:
    """Return the patterns of a module's regular expressions."""
    calls = [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    named = [(ast.unparse(call.func), call.args) for call in calls]
    return [ast.unparse(given[0]) for name, given in named if name.startswith("re.") and given]


def test_no_regular_expression_meets_html() -> None:
    files = [*(ROOT / "broker").rglob("*.py"), *(ROOT / "tools").rglob("*.py")]
    assert {(file.name, each) for file in files for each in patterns(file) if TAG.search(each)} == set()
    assert TAG.search(r"<(?P<raw>a)") is None
    assert all(map(TAG.search, ("<p>", "</div", "<!--", r"x<h([1-6])")))
