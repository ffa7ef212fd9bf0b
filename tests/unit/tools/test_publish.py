import threading
from pathlib import Path

import pytest

from broker.settings import Settings
from tests.unit.server.site import put_release
from tools.project import ToolError
from tools.publish import changed_lines, publishing_lock

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


def test_publishes_of_one_state_folder_follow_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings, order = Settings(state_dir=tmp_path), list[str]()

    def second() -> None:
        with publishing_lock(settings):
            order.append("second")

    thread = threading.Thread(target=second)
    with publishing_lock(settings):
        thread.start()
        while "Another publish is under way" not in capsys.readouterr().out:
            thread.join(0.01)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_state_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "publishing").write_text("a file where the folder belongs")
    with (
        pytest.raises(ToolError, match=r"publishing.* cannot be written"),
        publishing_lock(Settings(state_dir=tmp_path)),
    ):
        pass
