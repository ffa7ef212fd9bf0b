"""A small site with a staff area, as a browser sees it: exported pages, the edge, and `StaffAccess` around it."""

import asyncio
import atexit
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

from starlette.applications import Starlette
from starlette.testclient import TestClient

from broker.appointments.calendar_file import Host
from broker.appointments.store import AppointmentStore
from broker.cases.lists import CaseLists
from broker.cases.saved_filters import SavedFilterStore
from broker.cases.search_store import CaseSearch
from broker.cases.store import EnquiryListStore
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.lenders.directory import LenderDirectory
from broker.lenders.lender import KnownLender
from broker.lenders.window_admin import WindowAdmin
from broker.lenders.window_store import WindowStore
from broker.lenders.windows import parse_windows
from broker.mail.admin import MailAdmin
from broker.mail.outbox_store import OutboxStore
from broker.server.edge import api_transformer
from broker.server.middleware import AmbiguousRequests
from broker.server.releases import LiveExport
from broker.server.staff.area import StaffArea
from broker.services import Services
from broker.settings import Settings
from broker.staff.audit_log import AuditStore
from broker.staff.authentication import StaffAuthentication
from broker.staff.credentials import code_at, step_at
from broker.staff.diary_admin import DiaryAdmin
from broker.storage.encryption import SecretKeys
from broker.watches.service import WatchService
from tests.databases.fixtures import KEY, migrated
from tests.our_content import letterhead_of_site
from tests.unit.lenders.test_windows import ENTRY, text_of
from tests.unit.server.site import html, put_release
from tests.unit.staff.staff_testbed import ADA, PASSWORD, SITE, StaffTestbed, staff_testbed
from tests.unit.watches.watching import watching

FIRM = "Hearthgate Mortgages"
LENDERS = [KnownLender(lender_id=place, name=name, slug="", kind="") for place, name in ((1, "Alder"), (2, "Birch"))]
SCRIPT = "/assets/_updateLenders_._index-0a1b2c3d.js"
STAFF_SCRIPT = "/assets/_staff_._enquiries_._index-0a1b2c3d.js"
STAFF_PAGE = "/staff/enquiries/"
SHARED_SCRIPT = "/assets/staff-0a1b2c3d.js"
FILES = {
    SHARED_SCRIPT[1:]: "export const frame = 1;",
    SCRIPT[1:]: "export const lenders = 1;",
    STAFF_SCRIPT[1:]: "export const enquiries = 1;",
    "staff/enquiries/index.html": html("Enquiries", robots="noindex"),
}


class Browser:
    """A browser at the site, which sends what browsers send, and the services behind the site."""

    def __init__(self, client: TestClient, testbed: StaffTestbed, windows: WindowAdmin, area: StaffArea) -> None:
        self.client, self.testbed, self.windows, self.area = client, testbed, windows, area
        self.url = str(client.base_url)

    def do(self, action: Any, *given: Any) -> Any:
        assert self.client.portal
        return self.client.portal.call(action, *given)

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(path, headers=headers)

    def post(self, path: str, *, origin: str = "", **fields: str) -> Any:
        return self.client.post(path, data=fields, headers={"origin": origin or self.url})

    def sign_in(self, name: str = ADA, password: str = PASSWORD, **fields: str) -> Any:
        return self.post("/staff/sign-in", name=name, password=password, **fields)

    def set_up_codes(self) -> tuple[bytes, str]:
        """Set up one-time codes for the account that is signed in; return their secret and the page that confirms."""
        self.post("/staff/codes", act="begin", password=PASSWORD)
        session = self.do(self.testbed.admin.sessions.for_own_account, f"staff={self.cookies['staff']}")
        secret = self.do(self.testbed.admin.account.codes, session).pending
        return secret, self.post("/staff/codes", act="confirm", code=self.code(secret)).text

    def code(self, secret: bytes) -> str:
        return code_at(secret, step_at(self.testbed.calendar()))

    @property
    def cookies(self) -> dict[str, str]:
        return dict(self.client.cookies)


def attributes(cookie: str) -> set[str]:
    return {part.strip() for part in cookie.split(";")[1:]}


def heading(page: str) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page)
    return found[1] if found else ""


@contextmanager
def staff_web(
    folder: Path, *, site_url: str = SITE, codes_required: bool = False, smtp_url: str = "smtp://localhost"
) -> Iterator[Browser]:
    shutil.copytree(_prepared(), folder, dirs_exist_ok=True, symlinks=True)
    url = f"sqlite:///{folder / 'enquiries.db'}"
    provider = _Provider()

    @asynccontextmanager
    async def opened(_: Starlette) -> AsyncIterator[None]:
        async with staff_testbed(url, site=site_url, codes_required=codes_required) as testbed:
            provider.testbed = testbed
            directory = LenderDirectory(LENDERS, windows=parse_windows(text_of(ENTRY)))
            outbox = OutboxStore(testbed.database, SecretKeys((KEY,)), "staff")
            provider.mail = MailAdmin(outbox, testbed.audit, clock=testbed.calendar)
            keys = SecretKeys((KEY,))
            store = AppointmentStore(testbed.database, keys)
            host = Host(name=FIRM, email="", telephone="", site_url=site_url)
            provider.diary = DiaryAdmin(store, EnquiryCipher(keys), host=lambda: host, clock=testbed.calendar)
            provider.case_lists = CaseLists(
                EnquiryListStore(testbed.database, keys),
                CaseSearch(testbed.database, keys),
                SavedFilterStore(testbed.database),
                testbed.audit,
                clock=testbed.calendar,
            )
            provider.windows = WindowAdmin(WindowStore(testbed.database), directory, clock=testbed.calendar)
            provider.lenders, provider.watches = directory, watching(testbed.database, testbed.calendar).service
            yield

    settings = Settings(site_url=site_url, staff_codes_required=codes_required, smtp_url=smtp_url)
    area = StaffArea(cast(Services, provider), settings=settings, firm=FIRM, letterhead=letterhead_of_site)
    edge = api_transformer(settings, LiveExport(folder, site_url), handlers=area.handlers, posts=area.posts)
    own = Starlette(lifespan=opened)
    with TestClient(
        AmbiguousRequests(area.protect(edge(own)), {}), base_url=site_url, follow_redirects=False
    ) as client:
        client.headers["accept-encoding"] = "identity"
        yield Browser(client, provider.testbed, provider.windows, area)


@cache
def _prepared() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="staff-web-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    put_release(folder, **FILES)
    asyncio.run(migrated(f"sqlite:///{folder / 'enquiries.db'}"))
    return folder


class _Provider:
    """Gives the services of staff accounts once the site runs; these tests have no enquiries."""

    testbed: StaffTestbed
    mail: MailAdmin
    windows: WindowAdmin
    diary: DiaryAdmin
    watches: WatchService
    lenders: LenderDirectory
    case_lists: CaseLists

    @property
    def audit(self) -> AuditStore:
        return self.testbed.audit

    @property
    def staff(self) -> StaffAuthentication:
        return self.testbed.admin
