"""No role calls a handler, posts a form or loads a page or a file that it may not: each by its name."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from broker import routes
from broker.staff.path_rights import HOMES, PATH_RIGHTS, right_for
from broker.staff.roles import NOT_ALLOWED, Right, Role, may
from tests.databases.fixtures import migrated
from tests.integration.staff_roles import ACCOUNTS, add_accounts, handlers, paths, stored
from tests.integration.staff_socket import StaffSite, staff_site
from tests.unit.server.staff_web import Browser, staff_web
from tests.unit.staff.staff_testbed import PASSWORD


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StaffSite]:
    url = f"sqlite:///{tmp_path / 'enquiries.db'}"
    asyncio.run(migrated(url))
    with staff_site(url, monkeypatch) as site:
        site.do(add_accounts, site.room)
        yield site


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with staff_web(tmp_path) as browser:
        browser.do(add_accounts, browser.testbed)
        yield browser


@pytest.mark.parametrize("role", Role)
def test_every_handler_refuses_the_roles_that_may_not(site: StaffSite, role: Role) -> None:
    refused = [handler for handler, right in handlers() if not may(role, right)]
    assert bool(refused) is (role is not Role.OWNER)
    token = site.do(site.room.token, ACCOUNTS[role])
    before = site.do(stored, site.room.database)
    with site.socket(token=token) as socket:
        for handler in refused:
            told = socket.call(handler).everything()
            assert (handler, NOT_ALLOWED in told) == (handler, True)
            socket.call(handler, form={}, number=1, stamp="x").everything()
    assert site.do(stored, site.room.database) == before


def test_every_right_has_a_handler_that_some_role_is_refused() -> None:
    needed = {right for _, right in handlers()}
    assert {Right.CASES, Right.LOGOS, Right.ACCOUNTS} <= needed


@pytest.mark.parametrize("role", Role)
def test_every_path_refuses_the_roles_that_may_not(browser: Browser, role: Role) -> None:
    browser.sign_in(ACCOUNTS[role], PASSWORD)
    before = browser.do(stored, browser.testbed.database)
    all_paths = sorted(paths(*browser.area.handlers, *browser.area.posts))
    for path in (each for each in all_paths if not may(role, right_for(each))):
        looked, sent = browser.get(path), browser.post(path)
        assert (path, sent.status_code, NOT_ALLOWED in sent.text) == (path, 403, True)
        if path == routes.STAFF:
            assert looked.headers["location"] == HOMES[role]
        else:
            assert (path, looked.status_code, NOT_ALLOWED in looked.text) == (path, 403, True)
    assert browser.do(stored, browser.testbed.database) == before
    for path in (each for each in all_paths if may(role, right_for(each))):
        assert (path, NOT_ALLOWED in browser.get(path).text) == (path, False)


def test_nobody_loads_or_posts_anything(browser: Browser) -> None:
    before = browser.do(stored, browser.testbed.database)
    for path in sorted(paths(*browser.area.handlers, *browser.area.posts)):
        assert (path, browser.post(path).status_code) == (path, 403)
        assert (path, browser.get(path).status_code) == (path, 303)
    assert browser.do(stored, browser.testbed.database) == before


def test_every_path_of_the_area_names_its_right(browser: Browser) -> None:
    found = paths(*browser.area.handlers, *browser.area.posts)
    assert len(found) > 30
    assert {path for path in found if f"{path.rstrip('/')}/" not in PATH_RIGHTS} == set()
