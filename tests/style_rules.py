"""The limits that keep the code readable: each rule yields the line and the reason of every fault in a module."""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from tools.project import Project

ROOT = Project().root
PRODUCT = ("broker", "tools")
EVERYTHING = ("broker", "tools", "tests")

MAX_TEST_NAME = 70
MAX_PLAIN_STATEMENTS = 3
"""Statements of a function whose name and types may say all there is to say."""

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}
BANNER = re.compile(r"([-=#*~_])\1{3,}")
BROAD = {"Exception", "BaseException"}
TAG = re.compile(r"(?<!\?P)</?[a-zA-Z]")
"""The start of an HTML tag, but not the name of a group in a regular expression."""

DRAWINGS = "broker/components/drawings/"
"""SVG drawings of the project's own figures and colours: they hold no text that needs escaping."""

POSITIONAL = {
    # relied on from outside by these signatures (architecture, "Fixed names")
    "broker/domain/lending/mortgage.py monthly_payment",
    "broker/domain/lending/mortgage.py balance_after",
    "broker/domain/calculators/buy_to_let.py borrowing",
    "broker/domain/calculators/remortgage.py monthly_saving",
    # asked for by this signature: `replay(flow, entry, answers)`
    "broker/domain/questionnaire/journey.py replay",
    # reads like the conditional expression that it stands for
    "broker/domain/arithmetic.py choose",
    # pydantic-settings calls it so
    "broker/settings.py Settings.settings_customise_sources",
    # Reflex calls its middleware so
    "broker/state/staff/access.py StaffAccessCheck.preprocess",
    "broker/state/journey_access.py JourneyAccessCheck.preprocess",
    # and its pages call their handlers so
    "broker/state/staff/logos.py StaffLogosState.put_back",
    "broker/state/staff/logos.py StaffLogosState.sent",
}
"""Functions that may take three or more arguments by place, each with its reason."""

ASGI = ["scope", "receive", "send"]
NOT_KEYWORD_ONLY = {"broker/domain/lending/mortgage.py RateStep"}
"""Dataclasses whose fields are given by place: `RateStep(rate, months)` is relied on from outside."""

LAST_RESORT = "broker/web/middleware/last_resort.py"
"""The one module that catches every exception: it logs what nobody expected, and answers 500."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A module to be judged: its path from the root, and its text."""

    path: str
    source: str

    @property
    def tree(self) -> ast.Module:
        return _parse(self.source)


@lru_cache(maxsize=1)
def _parse(source: str) -> ast.Module:
    return ast.parse(source)


def named_badly(module: Module) -> Iterator[tuple[int, str]]:
    """A module's name says what is in it."""
    if bad := FORBIDDEN_NAMES & {Path(module.path).stem, *Path(module.path).parent.parts}:
        yield 1, f"is named {bad.pop()}, which says nothing"


def undocumented(module: Module) -> Iterator[tuple[int, str]]:
    """Public modules and classes have a docstring, and public functions that do more than their signature tells."""
    if module.source.strip() and ast.get_docstring(module.tree) is None:
        yield 1, "has no docstring"
    for name, node in _public(module.tree):
        is_plain = not isinstance(node, ast.ClassDef) and _statements(node) <= MAX_PLAIN_STATEMENTS
        if ast.get_docstring(node) is None and not is_plain:
            yield node.lineno, f"{name} has no docstring"


def _statements(function: Function) -> int:
    return sum(isinstance(node, ast.stmt) for node in ast.walk(function)) - 1


def long_test_names(module: Module) -> Iterator[tuple[int, str]]:
    """A test is named in at most 70 characters."""
    for name, function in _functions(module.tree):
        if name.startswith("test_") and len(name) > MAX_TEST_NAME:
            yield function.lineno, f"{name} has {len(name)} characters"


def unannotated(module: Module) -> Iterator[tuple[int, str]]:
    """Every argument and every answer has its type."""
    for name, function in _functions(module.tree):
        bare = [one.arg for one in _arguments(function) if one.annotation is None and one.arg not in ("self", "cls")]
        if bare or function.returns is None:
            yield function.lineno, f"{name} lacks types for {', '.join(bare or ['its answer'])}"


def many_by_place(module: Module) -> Iterator[tuple[int, str]]:
    """Arguments are named from the third on, but where another contract fixes the signature."""
    for name, function in _functions(module.tree):
        given = [one.arg for one in (*function.args.posonlyargs, *function.args.args) if one.arg not in ("self", "cls")]
        registered = any("register" in ast.unparse(decorator) for decorator in function.decorator_list)
        private = name.split(".")[-1].startswith("_")
        if len(given) > 2 and not (private or registered or given == ASGI or f"{module.path} {name}" in POSITIONAL):
            yield function.lineno, f"{name} takes {', '.join(given[2:])} by place"


def broad_handlers(module: Module) -> Iterator[tuple[int, str]]:
    """Nobody catches, or suppresses, every exception but the last resort."""
    for node in ast.walk(module.tree) if module.path != LAST_RESORT else ():
        if isinstance(node, ast.ExceptHandler) and (node.type is None or BROAD & _names(node.type)):
            yield node.lineno, "catches every exception"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress") and BROAD & _names(node):
            yield node.lineno, "suppresses every exception"


def banners(module: Module) -> Iterator[tuple[int, str]]:
    """Comments give reasons; lines of dashes give none."""
    for token in tokenize.generate_tokens(io.StringIO(module.source).readline):
        if token.type == tokenize.COMMENT and BANNER.search(token.string):
            yield token.start[0], "has a banner comment"


def loose_dataclasses(module: Module) -> Iterator[tuple[int, str]]:
    """Values are frozen, slotted, and made by name."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for decorator in node.decorator_list:
            text = ast.unparse(decorator)
            wanted = {"frozen=True", "slots=True", "kw_only=True"}
            if f"{module.path} {node.name}" in NOT_KEYWORD_ONLY:
                wanted.discard("kw_only=True")
            if re.match(r"(dataclasses\.)?dataclass\b", text) and (missing := {w for w in wanted if w not in text}):
                yield node.lineno, f"{node.name} is a dataclass without {', '.join(sorted(missing))}"


def html_in_f_strings(module: Module) -> Iterator[tuple[int, str]]:
    """Jinja2, lxml and `Markup.format` put values into HTML and escape them; an f-string does not."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.JoinedStr) and not module.path.startswith(DRAWINGS):
            texts = (str(part.value) for part in node.values if isinstance(part, ast.Constant))
            if any(TAG.search(text) for text in texts):
                yield node.lineno, "writes HTML in an f-string"


def comparisons_as_messages(module: Module) -> Iterator[tuple[int, str]]:
    """`assert a, b == c` checks `a` alone: two values that are compared stand in brackets."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Assert) and isinstance(node.msg, ast.Compare):
            yield node.lineno, "asserts the first of two values"


def _functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield every function with its name, a method's with its class before it, at any depth."""
    owners = {
        id(inner): f"{node.name}." for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for inner in node.body
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield owners.get(id(node), "") + node.name, node


def _public(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                yield from ((f"{node.name}.{name}", inner) for name, inner in _public(node))


def _arguments(function: Function) -> Iterator[ast.arg]:
    arguments = function.args
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (one for one in (arguments.vararg, arguments.kwarg) if one is not None)


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def modules_in(folders: tuple[str, ...]) -> Iterator[Module]:
    for path in sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        if "node_modules" not in path.parts:
            yield Module(path=path.relative_to(ROOT).as_posix(), source=path.read_text())


Rule: TypeAlias = Callable[[Module], Iterator[tuple[int, str]]]
