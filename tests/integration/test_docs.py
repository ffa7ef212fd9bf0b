"""The code of the how-to pages, put into a copy of the project and used."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.project import Project

BLOCK = re.compile(r"^```(\w+) ([\w./-]+)(?: after=\"(.+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|/)([^)#]+)")
"""A link to a file; those of the site itself, as texts have them, begin with a slash."""
NAME = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)")
"""A name on a screen, as the guide for staff writes it."""

CHECK = """
from broker import broker, routes
from broker.calculators.registry import CALCULATORS
from broker.pages import all_pages
from broker.rates.search_params import filters_words, query_in, search_address
calculator = next(each for each in CALCULATORS if each.slug == "little-more")
print(calculator.calculate(calculator.defaults()).figure)
print(sorted({"moving-costs", "overpaying"} & set(broker.app._unevaluated_pages)))
print(broker.app._unevaluated_pages["overpaying"].component() is not None)
print(routes.permanent("/moving-house/"))
print("q112" in str(broker.flow))
print([item.label for item in broker.store.menus().footer.items if item.path == "/about-us/"])
search = query_in("", {"valuation": "1"})
print(search_address(search), filters_words(search, {}))
"""


def test_guide_for_staff_names_what_stands_on_the_screens() -> None:
    root = Project().root
    files = (each for pattern in ("*.py", "*.html") for each in (root / "broker").rglob(pattern))
    code = "\n".join(each.read_text(encoding="utf-8") for each in files)
    guide = re.sub("`[^`]*`", "", (root / "docs" / "staff.md").read_text(encoding="utf-8"))
    names = sorted({" ".join(each.split()) for each in NAME.findall(guide)})
    assert "Take" in names
    assert [each for each in names if not re.search(f"[\"'>}}, ]{re.escape(each)}[\"'<{{ ]", code)] == []


def merged(old: Any, new: Any) -> Any:
    """Return JSON with what a page adds: objects are merged, lists grow."""
    if isinstance(old, dict):
        return old | {key: merged(old[key], value) if key in old else value for key, value in new.items()}
    return [*old, *new] if isinstance(old, list) else new


def blocks(root: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the file, the line to insert after, and the code of every block that names a file."""
    for page in sorted((root / "docs" / "how-to").glob("*.md")):
        for _, file, after, code in BLOCK.findall(page.read_text(encoding="utf-8")):
            yield file, after, code


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root, copy = Project().root, tmp_path_factory.mktemp("copy")
    for name in ("broker", "data", "assets"):
        shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "rxconfig.py", copy)
    for file, after, code in blocks(root):
        path = copy / file
        if after:
            path.write_text(path.read_text().replace(f"{after}\n", f"{after}\n{code}", 1))
        elif file.endswith(".json"):
            path.write_text(json.dumps(merged(json.loads(path.read_text()), json.loads(code))))
        else:
            path.write_text(code)
    return copy


def test_code_of_the_how_to_pages_works(copy: Path) -> None:
    project = Project(root=copy)
    environment = {**project.environment(), "PYTHONPATH": str(copy)}
    command = [str(Project().python), "-c", CHECK]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-7:] == [
        "£421.85",
        "['moving-costs', 'overpaying']",
        "True",
        "/home-mover/",
        "True",
        "['About Us']",
        "/tools/rates/?valuation=1 with no valuation fee",
    ]


def test_links_between_pages_of_the_documentation_lead_somewhere() -> None:
    root = Project().root
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    broken = [
        f"{page.relative_to(root)}: {link}"
        for page in pages
        for link in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert broken == []
