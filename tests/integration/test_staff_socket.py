"""Over a raw socket nobody who is not signed in calls a staff handler, or reads what one fetched: each by its name."""

import asyncio
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import broker.state
from broker.staff.sessions import CACHE_LIFETIME
from broker.state.staff.access import ACCESS_CHECKED, StaffState
from tests.databases.fixtures import migrated
from tests.integration.staff_socket import KINDS, PAGE, SECRET, Planted, StaffSite, staff_site, staff_states
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.staff.staff_testbed import ADA

REFUSED = f'"path":"http:/staff/sign-in/?to={PAGE}"'
"""What the browser of somebody who is refused is sent: a full load of the sign-in."""

HYDRATE = "reflex___state____state.hydrate_and_load"
PLANTED = Planted.get_full_name()

for each in pkgutil.walk_packages(broker.state.__path__, "broker.state."):
    # before any tab is there: the states of a tab are made with it
    importlib.import_module(each.name)


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'enquiries.db'}"
    asyncio.run(migrated(url))
    return url


@pytest.fixture
def site(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[StaffSite]:
    with staff_site(url, monkeypatch) as site:
        yield site


@pytest.fixture(params=[True, False], ids=["watched", "states alone"])
def any_site(request: pytest.FixtureRequest, url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[StaffSite]:
    """A site with a staff area; and one whose states have to keep by themselves what they hold."""
    with staff_site(url, monkeypatch, watched=request.param) as site:
        yield site


def handlers() -> list[str]:
    return [f"{state.get_full_name()}.{name}" for state in staff_states() for name in state.event_handlers]


def nobody(_: StaffSite) -> str:
    return ""


def expired(site: StaffSite) -> str:
    """Bring a session in which nothing was done for half an hour."""
    token = site.do(site.room.token)
    site.room.calendar.forward(minutes=30)
    return f"staff={token}"


def ended(site: StaffSite) -> str:
    token = site.do(site.room.token)
    for _ in range(24 * 2):
        site.room.calendar.forward(minutes=15)
        site.do(site.room.name, token)
    return f"staff={token}"


def disabled(site: StaffSite) -> str:
    """Bring the session of an account that was disabled, on the command line, while it was in use."""
    token = site.do(site.room.token)
    assert site.do(site.room.name, token) == ADA
    site.do(site.room.disable, ADA)
    site.room.calendar.forward(seconds=CACHE_LIFETIME.total_seconds())
    return f"staff={token}"


def signed_out(site: StaffSite) -> str:
    token = site.do(site.room.token)
    session = site.do(site.room.admin.sessions.signed_in, f"staff={token}")
    site.do(site.room.admin.sessions.end, session)
    return f"staff={token}"


def forged(_: StaffSite) -> str:
    return f"staff={'A' * 43}"


CALLERS = {
    "nobody": nobody,
    "expired": expired,
    "ended": ended,
    "disabled": disabled,
    "signed out": signed_out,
    "forged": forged,
}


@pytest.mark.parametrize("caller", CALLERS.values(), ids=CALLERS)
def test_every_handler_refuses_anonymous_callers(site: StaffSite, caller: Callable[[StaffSite], str]) -> None:
    cookie = caller(site)
    recorded = site.do(site.room.audit_sentences)
    with site.socket(cookie=cookie) as socket:
        for handler in handlers():
            told = socket.call(handler).until("_redirect")
            assert (handler, REFUSED in told, SECRET in told) == (handler, True, False)
        told = socket.call(HYDRATE).everything()
    assert (Planted.done, SECRET in told, ADA in told) == ([], False, False)
    assert site.do(site.room.audit_sentences) == recorded


def test_every_handler_checks_the_session() -> None:
    assert set(handlers()) >= {f"{PLANTED}.{name}" for name in (*KINDS, "change", "quiet")}
    kept = [handler for state in staff_states() for handler in state.event_handlers.values()]
    assert [handler for handler in kept if not hasattr(handler.fn, ACCESS_CHECKED)] == []
    assert [name for state in staff_states() for name in state.event_handlers if name == "setvar"] == []
    assert StaffState.event_handlers == {}


def test_every_kind_of_handler_works_for_staff_with_its_arguments(site: StaffSite) -> None:
    token = site.do(site.room.token)
    for kind in KINDS:
        Planted.done.clear()
        with site.socket(token=token) as socket:
            told = socket.call(f"{PLANTED}.{kind}").until(SECRET)
        assert (kind, kind in Planted.done, f'"staff_name_rx_state_":"{ADA}"' in told) == (kind, True, True)
    with site.socket(token=token) as socket:
        assert f"{SECRET}{{'a': 1}}" in socket.call(f"{PLANTED}.change", wanted={"a": 1}).until(SECRET)


def test_nothing_but_handlers_can_be_called(site: StaffSite) -> None:
    with site.socket(token=site.do(site.room.token)) as socket:
        for forged in ("setvar", "set_shown", "_admit", "reset", "get_delta", "dict", "_session"):
            told = socket.call(f"{PLANTED}.{forged}", var_name="staff_name", value="Mallory").everything()
            assert (forged, "Mallory" in told, Planted.done) == (forged, False, [])


@pytest.mark.parametrize("cookie", ["", f"staff={'A' * 43}"])
def test_stolen_reflex_token_reads_nothing(any_site: StaffSite, cookie: str) -> None:
    with any_site.socket(tab="stolen", token=any_site.do(any_site.room.token)) as staff:
        staff.call(f"{PLANTED}.plain").until(SECRET)
    with any_site.socket(tab="stolen", cookie=cookie) as thief:
        told = thief.call(HYDRATE).everything()
        told += thief.call(f"{PLANTED}.awaited").until("_redirect")
        told += thief.call(HYDRATE).everything()
    assert (SECRET in told, ADA in told) == (False, False)
    assert Planted.done == ["plain"]


def test_reused_token_shows_nothing_of_the_first_session(any_site: StaffSite) -> None:
    any_site.do(any_site.room.accounts.add, "grace", "nine orange bicycles")
    with any_site.socket(tab="shared", token=any_site.do(any_site.room.token)) as staff:
        staff.call(f"{PLANTED}.plain").until(SECRET)
    with any_site.socket(
        tab="shared", token=any_site.do(any_site.room.token, "grace", "nine orange bicycles")
    ) as other:
        told = other.call(f"{PLANTED}.quiet").everything() + other.call(HYDRATE).everything()
    assert (SECRET in told, ADA in told, Planted.done) == (False, False, ["plain", "quiet"])


def test_background_updates_do_not_reach_a_reused_token(any_site: StaffSite) -> None:
    Planted.waits = any_site.do(_event)
    with any_site.socket(tab="stolen", token=any_site.do(any_site.room.token)) as staff:
        staff.call(f"{PLANTED}.behind").everything()
        any_site.do(_until_begun)
    with any_site.socket(tab="stolen") as thief:
        told = thief.call(HYDRATE).everything()
        any_site.do(_set, Planted.waits)
        told += thief.everything() + thief.call(HYDRATE).everything()
    Planted.waits = None
    assert (Planted.done, SECRET in told) == (["behind"], False)


async def _until_begun() -> None:
    """Wait for the background handler: the answer to a call may come before it has begun."""
    async with asyncio.timeout(ANSWER_TIMEOUT):
        while not Planted.done:
            await asyncio.sleep(0.01)


async def _event() -> asyncio.Event:
    return asyncio.Event()


async def _set(event: asyncio.Event) -> None:
    event.set()


def test_visitors_page_receives_no_name_of_staff_states(site: StaffSite) -> None:
    with site.socket() as socket:
        socket.page = "/about-us/"
        told = socket.call(HYDRATE).everything()
        socket.page = PAGE
        told_staff = socket.call(HYDRATE).everything()
    assert ("staff_name" in told, "staff_name" in told_staff, "is_hydrated" in told) == (False, True, True)


def test_reconnecting_browser_gets_its_state_back(site: StaffSite) -> None:
    token = site.do(site.room.token)
    with site.socket(tab="mine", token=token) as staff:
        staff.call(f"{PLANTED}.plain").until(SECRET)
    with site.socket(tab="mine", token=token) as again:
        assert SECRET in again.call(HYDRATE).everything()


@pytest.mark.parametrize("end", [disabled, expired], ids=["disabled", "expired"])
def test_reconnecting_browser_gets_nothing_after_its_session_ended(
    site: StaffSite, end: Callable[[StaffSite], str]
) -> None:
    token = site.do(site.room.token)
    with site.socket(tab="mine", token=token) as staff:
        staff.call(f"{PLANTED}.plain").until(SECRET)
    end(site)
    with site.socket(tab="mine", token=token) as again:
        told = again.call(HYDRATE).everything()
    assert (SECRET in told, ADA in told) == (False, False)


@pytest.mark.parametrize("caller", [expired, disabled, signed_out], ids=["expired", "disabled", "signed out"])
def test_page_left_open_is_emptied(any_site: StaffSite, caller: Callable[[StaffSite], str]) -> None:
    token = any_site.do(any_site.room.token)
    with any_site.socket(tab="mine", token=token) as staff:
        staff.call(f"{PLANTED}.plain").until(SECRET)
        if caller is signed_out:
            session = any_site.do(any_site.room.admin.sessions.signed_in, f"staff={token}")
            any_site.do(any_site.room.admin.sessions.end, session)
        else:
            caller(any_site)
        told = staff.call(f"{PLANTED}.coroutine").until("_redirect")
    assert ('"shown_rx_state_":""' in told, REFUSED in told, Planted.done) == (True, True, ["plain"])


def test_unavailable_database_is_reported_and_changes_nothing(site: StaffSite) -> None:
    with site.socket(token=site.do(site.room.token)) as staff:
        staff.call(f"{PLANTED}.plain").until(SECRET)
        site.room.calendar.forward(seconds=10)
        site.do(_break, site)
        told = staff.call(f"{PLANTED}.coroutine").until("staff_problem")
    assert ("We could not check who you are" in told, Planted.done) == (True, ["plain"])


async def _break(site: StaffSite) -> None:
    file = Path(site.room.database.url.database or "")
    file.unlink()
    file.write_bytes(b"no database")
