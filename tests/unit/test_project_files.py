"""What the documents about the project itself say agrees with the code and with each other."""

import json
import re
import tomllib

import yaml

from broker import __version__
from broker.server.site_files import SECURITY_TXT
from broker.storage import tables
from tools.project import Project

ROOT = Project().root


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_newest_release_notes_are_those_of_the_version() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    newest = re.findall(r"^## \[(\d.*?)\] - \d{4}-\d\d-\d\d$", text_of("CHANGELOG.md"), re.MULTILINE)[0]
    assert (__version__, project["version"]) == (newest, newest)


def test_one_version_of_python_is_named_everywhere() -> None:
    python = text_of(".python-version").strip()
    job = yaml.safe_load(text_of(".github/workflows/ci.yml"))["jobs"]["test"]
    named = {
        "pyproject.toml": tomllib.loads(text_of("pyproject.toml"))["project"]["requires-python"] == f"=={python}.*",
        "ci.yml": job["container"]["image"].startswith(f"python:{python}-"),
        "Dockerfile": set(re.findall(r"^FROM python:([\d.]+)-", text_of("Dockerfile"), re.MULTILINE)) == {python},
        "Makefile": f"({python.replace('.', ', ')})" in text_of("Makefile"),
    }
    assert [name for name, is_same in named.items() if not is_same] == []


def test_weaknesses_are_reported_to_the_address_of_security_txt() -> None:
    policy, email = text_of("SECURITY.md"), json.loads(text_of("data/content/site.json"))["email"]
    assert (email in policy, SECURITY_TXT in policy) == (True, True)


def test_data_protection_names_every_table() -> None:
    page = text_of("docs/data-protection.md")
    names = set(tables.SQLModel.metadata.tables)
    assert (len(names) > 10, sorted(name for name in names if f"`{name}`" not in page)) == (True, [])


def test_features_that_old_browsers_lack_are_in_use() -> None:
    files = [ROOT / "assets" / "site.css", *(ROOT / "broker").rglob("*.js"), *(ROOT / "broker" / "pages").rglob("*.py")]
    sources = "".join(file.read_text(encoding="utf-8") for file in files).replace("?.", ".")
    table = text_of("docs/browsers.md").partition("## What is given up")[2].partition("\n## ")[0]
    features = [
        name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall("`(.*?)`", row)
    ]
    assert (len(features) > 10, [name for name in features if name not in sources]) == (True, [])
