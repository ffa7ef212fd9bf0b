"""A page in two: where it is divided, what is below, and what brings the stylesheet there."""

from __future__ import annotations

import re

from broker.web.export.in_two import BEGINNING, in_two

BEGIN = f'<html><body><div class="site"><main><div><p>{"a" * BEGINNING}</p>'
BELOW = (
    '<section class="b"><section><br/></section></section><hr/></div><aside>c</aside></main><footer><p>d</p></footer>'
)
END = '</div><script>"<section>"</script></body></html>'


def parts(html: str) -> list[str]:
    """Return the elements that are said to be below."""
    return re.findall(r"<([a-z]+) data-low", html)


def test_every_element_after_the_middle_that_stands_in_no_other_there_is_below() -> None:
    two = in_two(BEGIN + BELOW + END, ["/a.css"])
    assert two
    assert two.above == BEGIN
    assert parts(two.html) == ["section", "hr", "aside", "footer"]
    assert '<section data-low class="b"><section>' in two.html
    assert "<hr data-low/>" in two.html
    assert two.html.endswith(END)


def test_nothing_but_marks_is_added_and_all_of_it_can_be_taken_away() -> None:
    two = in_two(BEGIN + BELOW + END, ["/a.css"])
    assert two
    middle = r"<(noscript|script) data-mid>.*?</\1>"
    assert re.sub(middle, "", two.html).replace(" data-low", "") == BEGIN + BELOW + END


def test_stylesheets_stand_in_the_middle_for_browsers_without_scripts_alone() -> None:
    two = in_two(BEGIN + BELOW + END, ["/a.css", "/b.css"])
    assert two
    links = "".join(f'<link data-mid rel="stylesheet" href="/{name}.css">' for name in "ab")
    assert f"{BEGIN}<noscript data-mid>{links}</noscript><script data-mid>" in two.html


def test_page_without_a_part_that_can_wait_stays_whole() -> None:
    assert in_two("<main><p>short</p><section>first</section></main>", ["/a.css"]) is None
