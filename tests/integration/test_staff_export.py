"""What everybody can read of the export tells nothing of staff: no words of their pages, and nothing that they see."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import reflex as rx
from reflex.state import BaseState
from reflex_base.constants.state import FIELD_MARKER
from starlette.testclient import TestClient
from starlette.types import ASGIApp

import broker.state
from broker import routes
from broker.server.staff.access import SCRIPTS, is_staff
from broker.server.staff.area import StaffArea
from broker.settings import read_settings
from broker.state.staff.access import StaffState
from tests.integration.reading import script_addresses
from tests.integration.staff_socket import staff_states
from tests.our_content import letterhead_of_site

PHRASES = {
    routes.STAFF: "Parts of today",
    routes.STAFF_HEALTH: "See what waits and what failed",
    routes.STAFF_RECORD: "A reference, a lender’s number or the name of an account",
    routes.STAFF_ENQUIRIES: "All of this list as a file",
    routes.STAFF_ENQUIRY: "This case could not be read",
    routes.STAFF_ACCOUNTS: "One link that works once and ends after 48 hours",
    routes.STAFF_FIGURES: "Print for the board",
    routes.STAFF_DUTIES: "any dissatisfaction counts, spoken too",
    routes.STAFF_PROMOTIONS: "Pages with rates and their approval",
    routes.UPDATE_LENDERS: "Show the lenders as last known",
}
"""What each page of staff says in its own script, and no page of visitors' says."""

SHELL = "Signed in as"
"""What every page of staff says in its HTML."""

NOT_FETCHED = ("Not fetched yet", "tag plain", "Nothing was fetched since the server started.")
AT_THE_START = ("", "idle", "loading", "gray", "0", 0, -1, False, None, *NOT_FETCHED)
"""What may stand in a staff state before anybody has signed in: nothing, or words of ours that tell nothing."""

_LIBRARY = re.compile(r"/assets/chunk-[A-Z0-9]{8}-")
"""Files that Chakra's own distribution is made of, which have nothing of ours."""

_REFERENCE = re.compile(r"HG-[2-9A-Z]{4}-[2-9A-Z]{4}")


@pytest.fixture(scope="module")
def texts(site: Path) -> dict[str, str]:
    kinds = (".html", ".js", ".json", ".css", ".txt", ".xml", ".svg")
    found = (path for path in site.rglob("*") if path.is_file() and path.suffix in kinds)
    return {f"/{path.relative_to(site).as_posix()}": path.read_text("utf-8") for path in found}


@pytest.fixture(scope="module")
def nobody(edge: ASGIApp) -> Iterator[TestClient]:
    """A client who is not signed in, before the real pages and their access check."""
    settings = read_settings()

    async def session(_: str) -> None:
        """Know nobody."""

    sessions = SimpleNamespace(signed_in=session, for_own_account=session)
    staffed: Any = SimpleNamespace(staff=SimpleNamespace(sessions=sessions))
    protected = StaffArea(
        staffed, settings=settings, firm="Hearthgate Mortgages", letterhead=letterhead_of_site
    ).protect(edge)
    with TestClient(protected, base_url=settings.site_url, follow_redirects=False) as client:
        yield client


def is_open(address: str) -> bool:
    return not is_staff(address) and not is_staff(address.removesuffix("index.html"))


def spelled(path: str) -> Iterator[str]:
    bare = path.rstrip("/")
    yield from (path, bare, f"{path}index.html", f"{bare}.html", f"{path}index.html.gz", f"{bare}.data", f"{path}?a=1")
    yield from (f"/{path}", path.replace("a", "%61", 1), path.upper(), f"/./{path[1:]}", f"/about-us/..{path}")
    yield from (f"/api{path}", f"/promotion{path}", f"{bare}%2f", f"{bare};a=1/", f"{bare}%00/")


def held(value: Any) -> Iterator[Any]:
    if is_dataclass(value) and not isinstance(value, type):
        value = [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from held(each)
    else:
        yield value


def our_staff_states() -> Iterator[type[StaffState]]:
    """Yield the staff states of the site, without those of other tests."""
    for module in pkgutil.walk_packages(broker.state.__path__, "broker.state."):
        importlib.import_module(module.name)
    yield from (kind for kind in staff_states() if kind.__module__.startswith("broker."))


def public_states(state: type[BaseState]) -> Iterator[type[BaseState]]:
    for below in state.get_substates():
        if not issubclass(below, StaffState):
            yield below
            yield from public_states(below)


def test_staff_texts_are_only_in_staff_scripts(texts: dict[str, str]) -> None:
    for path, phrase in PHRASES.items():
        scripts = script_addresses(texts[f"{path}index.html"])
        assert any(phrase in texts[script] for script in scripts if not is_open(script)), path
        assert (path, [each for each, text in texts.items() if is_open(each) and phrase in text]) == (path, [])
    pages = {address.removesuffix("index.html") for address in texts if address.endswith("/index.html")}
    assert {path for path in pages if is_staff(path)} == set(PHRASES)
    assert all(SHELL in texts[f"{path}index.html"] for path in PHRASES)


def test_no_public_page_contains_or_links_the_staff_area(texts: dict[str, str]) -> None:
    pages = {address: text for address, text in texts.items() if is_open(address) and address.endswith(".html")}
    assert len(pages) > 100
    led = re.compile(rf'(?:href|action)="(?:{routes.STAFF}|{routes.UPDATE_LENDERS})')
    assert [address for address, text in pages.items() if SHELL in text or led.search(text)] == []


def test_public_files_name_no_staff_state_nor_field(texts: dict[str, str]) -> None:
    named = {kind.get_name() for kind in our_staff_states()}
    fields_of_staff = {name for kind in our_staff_states() for name in kind.base_vars}
    fields_of_others = {name for kind in public_states(rx.State) for name in kind.base_vars}
    named |= {name + FIELD_MARKER for name in fields_of_staff - fields_of_others}
    assert len(named) > 20
    public = {address: set(re.findall(r"\w+", text)) for address, text in texts.items() if is_open(address)}
    assert {address: words & named for address, words in public.items() if words & named} == {}


def test_no_enquiry_is_named_but_the_example(texts: dict[str, str]) -> None:
    named = {reference for text in texts.values() for reference in _REFERENCE.findall(text)}
    assert named == {"HG-7K3M-Q2XD"}


def test_initial_staff_state_in_the_export_is_empty() -> None:
    for kind in our_staff_states():
        root = rx.State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue] - how Reflex makes a root
        state: Any = root.get_substate(kind.get_full_name().split("."))
        begun = {
            name: [each for each in held(getattr(state, name)) if each not in AT_THE_START] for name in kind.base_vars
        }
        assert (kind.__name__, {name: values for name, values in begun.items() if values}) == (kind.__name__, {})


def test_staff_pages_and_scripts_are_refused_to_anonymous_requests(nobody: TestClient, texts: dict[str, str]) -> None:
    for path in PHRASES:
        for address in spelled(path):
            answer = nobody.get(address)
            assert (address, SHELL in answer.text, answer.headers.get("set-cookie")) == (address, False, None)
        assert (path, nobody.get(path).status_code) == (path, 303)
    scripts = [address for address in texts if address.startswith("/assets/") and not is_open(address)]
    assert len(scripts) >= len(PHRASES)
    for script in scripts:
        for address in (script, f"{script}.gz", f"{script}?a=1", f"/{script}"):
            answer = nobody.get(address)
            assert (address, answer.status_code in (303, 403, 404)) == (address, True)
            assert texts[script] not in answer.text


def test_exactly_the_staff_scripts_require_a_session(html: dict[str, str], texts: dict[str, str]) -> None:
    scripts: dict[bool, set[str]] = {True: set(), False: set()}
    for path, page in html.items():
        scripts[is_staff(path)] |= script_addresses(page)
    # a part of the library that a script of visitors loads later is no secret
    public = "".join(
        text for path, text in texts.items() if path.endswith(".js") and is_open(path) and "manifest" not in path
    )
    alone = {each for each in scripts[True] - scripts[False] if each.rpartition("/")[2] not in public}
    assert {each for each in alone if not each.startswith(SCRIPTS) and not _LIBRARY.match(each)} == set()
    assert {each for each in scripts[False] if each.startswith(SCRIPTS)} == set()
    assert [prefix for prefix in SCRIPTS if not any(each.startswith(prefix) for each in scripts[True])] == []
    assert [path for path, page in html.items() if is_staff(path) and 'content="noindex' not in page] == []
