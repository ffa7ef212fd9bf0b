"""The rules of style that ruff does not have."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.project import Project

ROOT = Project().root

EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}
DATACLASS = {"frozen=True", "slots=True", "kw_only=True"}
BY_PLACE = "broker/lending/mortgage.py RateStep"
"""The one dataclass that is made by place: `RateStep(rate, months)` is relied on from outside."""

DRAWINGS = "broker/components/drawings/"
"""SVG drawings of the project's own figures and colours: they hold no text that needs escaping."""

TAG = re.compile(r"(?<!\?P)</?[a-zA-Z]")
"""The start of an HTML tag, but not the name of a group in a regular expression."""


def faults(path: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the reason of each fault in a module, by its path from the root."""
    if bad := EMPTY_NAMES & {Path(path).stem, *Path(path).parent.parts}:
        yield 1, f"is named {bad.pop()}, which says nothing"
    is_product = path.startswith(("broker/", "tools/"))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert) and isinstance(node.msg, ast.Compare):
            yield node.lineno, "asserts the first of two values: two that are compared stand in brackets"
        elif is_product and isinstance(node, ast.ClassDef) and (missing := _missing(node, f"{path} {node.name}")):
            yield node.lineno, f"{node.name} is a dataclass without {', '.join(sorted(missing))}"
        elif is_product and isinstance(node, ast.JoinedStr) and not path.startswith(DRAWINGS) and _has_tag(node):
            yield node.lineno, "writes HTML in an f-string: Jinja2, lxml and `Markup.format` escape values"


def _missing(node: ast.ClassDef, name: str) -> set[str]:
    """Return what keeps the values of a dataclass from being frozen, slotted and made by name."""
    written = [text for each in node.decorator_list if (text := ast.unparse(each)).startswith("dataclass")]
    return {each for each in DATACLASS for text in written if each not in text} - (
        {"kw_only=True"} if name == BY_PLACE else set()
    )


def _has_tag(node: ast.JoinedStr) -> bool:
    return any(TAG.search(str(part.value)) for part in node.values if isinstance(part, ast.Constant))


def test_rules_hold_in_every_module() -> None:
    paths = (path for folder in ("broker", "tools", "tests") for path in sorted((ROOT / folder).rglob("*.py")))
    found = [
        f"{path}:{line} {problem}"
        for path in paths
        if "node_modules" not in path.parts
        for line, problem in faults(path.relative_to(ROOT).as_posix(), path.read_text())
    ]
    assert not found, "\n".join(found)


PLANTED = {
    "a name that says nothing": ("broker/utils.py", ""),
    "a folder that says nothing": ("broker/common/money.py", ""),
    "a comparison as a message": ("tests/test_a.py", "assert a, b == c"),
    "HTML in an f-string": ("broker/a.py", "f'<p>{text}</p>'"),
    "a bare dataclass": ("broker/a.py", "@dataclass\nclass A: ..."),
    "a dataclass by place": ("broker/a.py", "@dataclass(frozen=True, slots=True)\nclass A: ..."),
}


@pytest.mark.parametrize(("path", "source"), PLANTED.values(), ids=PLANTED)
def test_planted_fault_is_caught(path: str, source: str) -> None:
    assert len(list(faults(path, source))) == 1
