"""The limits that keep the code readable, held over every module."""

import pytest

from tests.style_rules import (
    EVERYTHING,
    PRODUCT,
    Module,
    Rule,
    banners,
    broad_handlers,
    comparisons_as_messages,
    html_in_f_strings,
    long_test_names,
    loose_dataclasses,
    many_by_place,
    modules_in,
    named_badly,
    unannotated,
    undocumented,
)

RULES: dict[Rule, tuple[str, ...]] = {
    named_badly: EVERYTHING,
    undocumented: PRODUCT,
    unannotated: EVERYTHING,
    many_by_place: PRODUCT,
    broad_handlers: EVERYTHING,
    banners: EVERYTHING,
    long_test_names: ("tests",),
    loose_dataclasses: PRODUCT,
    html_in_f_strings: PRODUCT,
    comparisons_as_messages: ("tests",),
}


def test_rules_hold_in_every_module() -> None:
    found = [
        f"{module.path}:{line} {problem} ({rule.__doc__})"
        for module in modules_in(EVERYTHING)
        for rule, folders in RULES.items()
        if module.path.startswith(folders)
        for line, problem in rule(module)
    ]
    assert not found, "\n".join(found)


PLANTED: dict[str, tuple[Rule, str, str]] = {
    "a name that says nothing": (named_badly, "broker/utils.py", ""),
    "a folder that says nothing": (named_badly, "broker/common/money.py", ""),
    "a module without a docstring": (undocumented, "broker/a.py", "x = 1"),
    "a method without a docstring": (
        undocumented,
        "broker/a.py",
        '"Doc."\nclass A:\n    "Doc."\n    def b(self):\n        x = 1\n        y = 2\n        x = y\n        return x',
    ),
    "a long test name": (long_test_names, "tests/test_a.py", f"def test_{'a' * 99}(): ..."),
    "an argument without its type": (unannotated, "broker/a.py", "def f(a) -> None: ..."),
    "an answer without its type": (unannotated, "broker/a.py", "def f(): ..."),
    "a third argument by place": (many_by_place, "broker/a.py", "def f(a: int, b: int, c: int) -> None: ..."),
    "a comparison as a message": (comparisons_as_messages, "tests/test_a.py", "assert a, b == c"),
    "a bare except": (broad_handlers, "broker/a.py", "try: ...\nexcept: ..."),
    "a broad except": (broad_handlers, "broker/a.py", "try: ...\nexcept (ValueError, Exception): ..."),
    "a broad suppress": (broad_handlers, "broker/a.py", "with contextlib.suppress(Exception): ..."),
    "a banner": (banners, "broker/a.py", "# ---- money ----"),
    "HTML in an f-string": (html_in_f_strings, "broker/a.py", "f'<p>{text}</p>'"),
    "a bare dataclass": (loose_dataclasses, "broker/a.py", "@dataclass\nclass A: ..."),
    "a dataclass by place": (loose_dataclasses, "broker/a.py", "@dataclass(frozen=True, slots=True)\nclass A: ..."),
}


@pytest.mark.parametrize(("rule", "path", "source"), PLANTED.values(), ids=PLANTED)
def test_planted_fault_is_caught(rule: Rule, path: str, source: str) -> None:
    assert len(list(rule(Module(path=path, source=source)))) == 1
