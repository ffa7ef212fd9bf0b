"""Every staff handler and path as each role and as nobody, with all services behind them and forged arguments.

Nothing is stored for a role that may not, and nothing of a planted case reaches it: after each call, by all that the
socket received and by a digest of all rows. The short form is `tests/integration/test_staff_roles.py`.
"""

import inspect
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from reflex.event import EventHandler

from broker import routes, services
from broker.settings import Settings
from broker.staff.path_rights import right_for
from broker.staff.roles import NOT_ALLOWED, Right, Role, may
from tests.integration.staff_roles import ACCOUNTS, add_accounts, our_states, paths, stored
from tests.integration.staff_socket import Socket, StaffSite, staff_site
from tests.unit.enquiries.enquiring import sent, thanked
from tests.unit.server.staff_web import staff_web
from tests.unit.staff.staff_testbed import PASSWORD

pytestmark = pytest.mark.soak

SECRET = "Zebedee Quillfeather"
"""The visitor of the planted case."""

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH")
SPELLINGS = ("{}", "{}?lender=1&number=1&adviser=ada&who=ada", "{}?x=%00", "{}?done=x&link=x")


@pytest.fixture
def settings(db_settings: Settings) -> Settings:
    return db_settings


@pytest.fixture
def site(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[StaffSite]:
    with staff_site(settings.database_url, monkeypatch, settings=settings) as site:
        site.do(add_accounts, site.room)
        yield site


async def plant() -> str:
    """Send an enquiry, and return its reference."""
    return thanked(await services.current().enquiries.submit(sent(name=SECRET))).reference


def forged(handler: EventHandler, reference: str) -> Iterator[dict[str, Any]]:
    """Yield arguments of a handler: none, of wrong types, and such as a page would send."""
    names = [name for name in inspect.signature(inspect.unwrap(handler.fn)).parameters if name not in ("self", "state")]
    stamp = f"{reference}:1"
    form = {"reference": reference, "note": "x", "text": "x", "account": "ada", "to": "ada", "stamp": stamp}
    texts = {name: stamp if name == "stamp" else reference for name in names}
    yield from ({}, texts, {**texts, "unknown": 1})
    for value in (None, 1, "closed", [reference], form):
        yield dict.fromkeys(names, value)
    yield {name: form if "form" in name or name in ("typed", "given", "values") else texts[name] for name in names}


def calls(reference: str) -> Iterator[tuple[str, Right, dict[str, Any]]]:
    for state in our_states():
        for name, handler in state.event_handlers.items():
            for payload in forged(handler, reference):
                yield f"{state.get_full_name()}.{name}", state.right, payload


def page_of(socket: Socket, reference: str) -> None:
    """Have a socket say that its page is that of the planted case."""
    socket.page = f"{routes.STAFF_ENQUIRY}?reference={reference}"


@pytest.mark.parametrize("role", [None, *Role], ids=str)
def test_no_handler_does_or_tells_more_than_the_role_may(site: StaffSite, role: Role | None) -> None:
    reference = site.do(plant)
    token = site.do(site.room.token, ACCOUNTS[role]) if role else ""
    before, count = site.do(stored, site.room.database), 0
    with site.socket(token=token) as socket:
        page_of(socket, reference)
        for handler, right, payload in calls(reference):
            if role and may(role, right):
                continue
            told = socket.call(handler, **payload).everything()
            # Reflex itself refuses arguments of another type
            is_refused = (NOT_ALLOWED if role else "_redirect") in told or bool(payload)
            assert (handler, payload, is_refused, SECRET in told) == (handler, payload, True, False)
            count += 1
    assert site.do(stored, site.room.database) == before
    assert bool(count) is (role is not Role.OWNER)


@pytest.mark.parametrize("role", [Role.CONTENT, Role.LOGOS])
def test_nothing_that_a_role_may_do_tells_of_a_case(site: StaffSite, role: Role) -> None:
    reference = site.do(plant)
    with site.socket(token=site.do(site.room.token, ACCOUNTS[role])) as socket:
        page_of(socket, reference)
        for handler, right, payload in calls(reference):
            if may(role, right):
                told = socket.call(handler, **payload).everything()
                assert (handler, SECRET in told) == (handler, False)


@pytest.mark.parametrize("role", [None, *Role], ids=str)
def test_no_path_does_or_tells_more_than_the_role_may(tmp_path: Any, role: Role | None) -> None:
    with staff_web(tmp_path) as browser:
        browser.do(add_accounts, browser.testbed)
        if role:
            browser.sign_in(ACCOUNTS[role], PASSWORD)
        before = browser.do(stored, browser.testbed.database)
        found = sorted(paths(*browser.area.handlers, *browser.area.posts))
        for path, method, spelling in itertools.product(found, METHODS, SPELLINGS):
            if role and may(role, right_for(path)):
                continue
            answer = browser.client.request(method, spelling.format(path), headers={"origin": browser.url})
            assert (path, method, answer.status_code in (303, 403)) == (path, method, True)
        assert browser.do(stored, browser.testbed.database) == before
