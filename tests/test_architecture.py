"""Who may import whom, read from the source of every module of the product, imports inside functions included."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.project import Project

ROOT = Project().root

MODELS = (
    "content.model",
    "content.lender_texts",
    "content.guides",
    "content.site",
    "content.menu",
    "content.pictures",
)
"""What the site says, as values: a module each for texts, lenders, guides and towns, the firm, menus, pictures."""

ALLOWED = {
    "settings": (),
    "routes": (),
    "domain": (),
    "market": ("domain", "settings"),
    "feeds": ("domain", "settings"),
    "content": ("domain", "settings", "routes"),  # routes: the addresses that a text may link to
    "storage": ("domain", "settings"),
    "services": ("domain", "market", "feeds", "content", "storage", "settings"),
    "presenters": ("domain", *MODELS, "routes"),
    "components": ("presenters", "domain", "routes"),  # domain: values to draw, and formulas that run in the browser
    "state": ("services", "presenters", "domain", *MODELS, "routes"),
    "sections": ("components", "state", "presenters", "domain", *MODELS, "routes"),
    "pages": ("sections", "components", "presenters", "domain", *MODELS, "content.store", "routes", "state"),
    # presenters and domain: the edge answers with files of its own (a list as CSV), in the words that pages use;
    # drawings: an export is given those that its content asks for and that the project has no file of
    "web": ("routes", "settings", "services", "presenters", "domain", "components.drawings"),
}
"""What each part of the product may import of the rest."""

COMPOSITION = ("broker", "building", "staff")
"""The composition root, `broker.broker` and what it builds pages from, and the one of the command line that looks after
accounts of staff, `broker.staff`: they may import everything."""

OWNERS = {
    "reflex": ("components", "sections", "state", "pages", "web", "broker"),
    "reflex_chakra": ("components.chakra",),
    "httpx": ("feeds", "content.wordpress"),
    "lxml": ("feeds",),
    "nh3": ("feeds", "content"),
    "sqlmodel": ("storage",),
    "sqlalchemy": ("storage",),
    "alembic": ("storage",),
    "cryptography": ("storage",),
    "aiosmtplib": ("services",),
    "argon2": ("services.password_hashing",),
    "segno": ("web.staff_pages",),
    "tinycss2": ("web",),
    "pandas": ("market",),
    "PIL": ("services.pictures",),
}
"""The parts that may import a package from elsewhere."""

ENVIRONMENT = {"environ", "environb", "getenv", "putenv"}
DYNAMIC = {"__import__", "import_module"}


def complaints(module: str, source: str) -> list[str]:
    """Return a readable line for each rule that a module's source breaks."""
    tree = ast.parse(source)
    found = [*_imports(module, tree), *_environment(module, tree), *_state_in_pages(module, tree), *_dynamic(tree)]
    return [f"{module}:{line} {problem}" for line, problem in sorted(found)]


def _imports(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for line, target in _targets(tree):
        if target.startswith("."):
            yield line, "imports by a relative name, which hides the direction"
        elif target.split(".")[0] == "broker":
            if not _may_import(module, target):
                yield line, f"imports {target}, which {_part(module)} may not"
        else:
            yield from ((line, problem) for problem in _foreign(module, target.split(".")[0]))


def _targets(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the full name of everything imported, at any depth."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            prefix = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{prefix}.{alias.name}") for alias in node.names)


def _part(module: str) -> str:
    """Return the part of the product that a module belongs to: `domain` for broker.domain.money."""
    return module.split(".")[1] if "." in module else ""


def _may_import(module: str, target: str) -> bool:
    part = _part(module)
    if part in COMPOSITION:
        return True
    allowed = (*ALLOWED.get(part, ()), part)
    return any(_within(target, f"broker.{name}") for name in allowed)


def _within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _foreign(module: str, package: str) -> Iterator[str]:
    family = "reflex" if package.startswith("reflex_") and package != "reflex_chakra" else package
    owners = OWNERS.get(family)
    if owners and not any(_within(module, f"broker.{owner}") for owner in owners):
        yield f"imports {package}, which only {' and '.join(owners)} may"
    elif _part(module) == "domain" and package not in sys.stdlib_module_names:
        yield f"imports {package}, though the domain uses the standard library only"


def _environment(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.expr | ast.stmt)
            and ENVIRONMENT & set(_names_of_os(node))
            and module != "broker.settings"
        ):
            yield node.lineno, "reads the environment, which only broker.settings may"


def _names_of_os(node: ast.AST) -> Iterator[str]:
    """Yield what a piece of code takes from the module `os`."""
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "os":
        yield node.attr
    elif isinstance(node, ast.ImportFrom) and node.module == "os":
        yield from (alias.name for alias in node.names)


def _state_in_pages(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Pages may name a state only as an `on_load` handler."""
    if _part(module) != "pages":
        return
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    states = {
        alias.asname or alias.name
        for node in imports
        if _within(node.module or "", "broker.state")
        for alias in node.names
    }
    keywords = (node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "on_load")
    fine = {id(inner) for keyword in keywords for inner in ast.walk(keyword.value)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in states and id(node) not in fine:
            yield node.lineno, f"uses {node.id} otherwise than as an on_load handler"


def _dynamic(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node).split(".")[-1] in DYNAMIC:
            yield node.lineno, "imports by a computed name, which hides the direction"


def module_name(path: Path) -> str:
    """Return the dotted name of a module's file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_import_follows_the_table() -> None:
    modules = sorted((ROOT / "broker").rglob("*.py"))
    found = [line for path in modules for line in complaints(module_name(path), path.read_text())]
    assert not found, "\n" + "\n".join(found)


def test_every_part_is_in_the_table() -> None:
    parts = {_part(module_name(path)) for path in (ROOT / "broker").rglob("*.py")} - {""}
    assert parts - set(ALLOWED) - set(COMPOSITION) == set()


PLANTED = {
    "domain on market": ("broker.domain.money", "from broker.market import source", "imports broker.market.source"),
    "inside a function": ("broker.routes", "def f():\n    import broker.settings", "imports broker.settings"),
    "content of the wrong kind": (
        "broker.presenters.a",
        "from broker.content.store import S",
        "imports broker.content",
    ),
    "the package by itself": ("broker.state.a", "import broker", "imports broker,"),
    "relative": ("broker.domain.a", "from . import money", "relative name"),
    "computed": ("broker.feeds.a", "import importlib\nimportlib.import_module('x')", "computed name"),
    "reflex below the looks": ("broker.services.a", "import reflex as rx", "imports reflex"),
    "a part of reflex": ("broker.domain.a", "from reflex_base.vars import Var", "imports reflex_base"),
    "chakra outside its module": ("broker.sections.a", "import reflex_chakra as rc", "imports reflex_chakra"),
    "httpx in content": ("broker.content.embedded", "import httpx", "imports httpx"),
    "lxml in content": ("broker.content.sanitise", "from lxml import html", "imports lxml"),
    "sqlmodel in services": ("broker.services.a", "import sqlmodel", "imports sqlmodel"),
    "pandas in services": ("broker.services.a", "import pandas as pd", "imports pandas"),
    "the domain's own rule": ("broker.domain.a", "import yaml", "standard library only"),
    "the environment": ("broker.web.a", "import os\nos.environ.get('A')", "reads the environment"),
    "the environment, by name": ("broker.web.a", "from os import getenv", "reads the environment"),
    "a page that uses a state": ("broker.pages.a", "from broker.state.r import R\nR.list", "otherwise than as"),
}


@pytest.mark.parametrize(("module", "source", "problem"), PLANTED.values(), ids=PLANTED)
def test_planted_violation_is_caught(module: str, source: str, problem: str) -> None:
    found = complaints(module, source)
    assert len(found) == 1
    assert problem in found[0]


PERMITTED = {
    "the composition root": ("broker.broker", "from broker.services import install\nimport reflex"),
    "own part": ("broker.domain.rates.cost", "from broker.domain import mortgage\nimport math"),
    "a named module": (
        "broker.presenters.a",
        "from broker.content import model\nfrom broker.content.model import Guide",
    ),
    "wordpress": ("broker.content.wordpress.client", "import httpx"),
    "an on_load handler": ("broker.pages.a", "from broker.state.r import R\nPage(on_load=(R.load,))"),
    "the browser's arithmetic": ("broker.components.browser", "from broker.domain.arithmetic import choose"),
}


@pytest.mark.parametrize(("module", "source"), PERMITTED.values(), ids=PERMITTED)
def test_permitted_import_passes(module: str, source: str) -> None:
    assert complaints(module, source) == []
