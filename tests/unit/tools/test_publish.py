"""What publishing says of the pages that changed."""

from pathlib import Path

import pytest

from tests.unit.web.site import put_release
from tools.publish import changed_lines

PAGE = "<html><body><nav>{menu}</nav><main><h1>{words}</h1><p>Read at {time}.</p></main></body></html>"


def page(words: str, *, menu: str = "Home", time: str = "09:15 on 3 November 2026") -> str:
    return PAGE.format(words=words, menu=menu, time=time)


@pytest.mark.parametrize(
    ("after", "lines"),
    [
        ({"a": page("A", time="10:45 on 13 December 2026"), "b": page("B")}, []),
        ({"a": page("Another"), "b": page("B")}, ["changed: /a/"]),
        ({"a": page("A", menu="Start"), "b": page("B", menu="Start")}, ["changed: the menus or the foot of 2 pages"]),
        ({"a": page("A"), "c": page("C")}, ["new: /c/", "gone: /b/"]),
    ],
)
def test_only_what_changed_is_named(tmp_path: Path, after: dict[str, str], lines: list[str]) -> None:
    before = put_release(tmp_path / "one", **{f"{name}/index.html": page(name.upper()) for name in ("a", "b")})
    changed = put_release(tmp_path / "two", **{f"{name}/index.html": text for name, text in after.items()})
    assert changed_lines(before, changed) == lines
