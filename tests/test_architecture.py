"""The grid of layers and features: who may import whom."""

import pytest

from tests.import_rules import ALLOWED, COMPOSITION, FEATURES, ROOT, complaints, layer, module_name


def test_every_import_follows_the_table() -> None:
    modules = sorted((ROOT / "broker").rglob("*.py"))
    found = [line for path in modules for line in complaints(module_name(path), path.read_text())]
    assert not found, "\n" + "\n".join(found)


def test_every_part_is_in_the_table() -> None:
    parts = {layer(module_name(path)) for path in (ROOT / "broker").rglob("*.py")} - {""}
    assert parts - set(ALLOWED) - set(COMPOSITION) == set()


def test_every_module_of_a_feature_is_there() -> None:
    flat = (module for modules in FEATURES.values() for module in modules)
    assert [one for one in flat if not (ROOT / "broker" / f"{one.replace('.', '/')}.py").exists()] == []


PLANTED = {
    "domain on market": (
        "broker.domain.money",
        "from broker.market import rate_source",
        "imports broker.market.rate_source",
    ),
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
    "httpx in content": ("broker.content.files.embedded_store", "import httpx", "imports httpx"),
    "lxml in content": ("broker.content.text.sanitise", "from lxml import html", "imports lxml"),
    "sqlmodel in services": ("broker.services.a", "import sqlmodel", "imports sqlmodel"),
    "numpy in services": ("broker.services.a", "import numpy as np", "imports numpy"),
    "the domain's own rule": ("broker.domain.a", "import yaml", "standard library only"),
    "the environment": ("broker.web.a", "import os\nos.environ.get('A')", "reads the environment"),
    "the environment, by name": ("broker.web.a", "from os import getenv", "reads the environment"),
    "services of two features": (
        "broker.services.rates.search",
        "from broker.services.enquiries import mailer",
        "of the feature enquiries",
    ),
    "sections of two features": (
        "broker.sections.rates.results",
        "from broker.sections.calculator import calculator",
        "of the feature calculators",
    ),
    "a page that uses a state": ("broker.pages.a", "from broker.state.r import R\nR.list", "otherwise than as"),
}


@pytest.mark.parametrize(("module", "source", "problem"), PLANTED.values(), ids=PLANTED)
def test_planted_violation_is_caught(module: str, source: str, problem: str) -> None:
    found = complaints(module, source)
    assert len(found) == 1
    assert problem in found[0]


PERMITTED = {
    "the composition root": ("broker.broker", "from broker.services import install\nimport reflex"),
    "own part": ("broker.domain.rates.cost", "from broker.domain.lending import mortgage\nimport math"),
    "a named module": (
        "broker.presenters.a",
        "from broker.content.models import pages\nfrom broker.content.models.guides import Guide",
    ),
    "the presenters of another feature": (
        "broker.sections.questionnaire.frame",
        "from broker.presenters.rates.best_deals import BestDeals",
    ),
    "the frame of the site": ("broker.sections.guide_list", "from broker.sections.site.header import header"),
    "wordpress": ("broker.content.wordpress.client", "import httpx"),
    "an on_load handler": ("broker.pages.a", "from broker.state.r import R\nPage(on_load=(R.load,))"),
    "the browser's arithmetic": ("broker.components.client_values", "from broker.domain.arithmetic import choose"),
}


@pytest.mark.parametrize(("module", "source"), PERMITTED.values(), ids=PERMITTED)
def test_permitted_import_passes(module: str, source: str) -> None:
    assert complaints(module, source) == []
