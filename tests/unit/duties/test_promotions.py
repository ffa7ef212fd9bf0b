from datetime import timedelta

import pytest

from broker.duties.complaint import NotDone
from broker.duties.promotion import DUE_DAYS, LIVE, Promotion, PromotionState, PublicPage
from broker.duties.promotion_store import PromotionStore
from broker.duties.promotion_view import promotion_line, promotion_view, to_do
from broker.duties.promotions import CHANGED, UNKNOWN, PromotionService
from broker.server.promotion_pages import text_of_page
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database
from tests.unit.enquiries.enquiring import Calendar

HTML = """<html><body><header>from 9%</header><main><h1>Remortgaging</h1><p>A rate of <b>4.09%</b> today.</p>
<div class="live-rates"><p>Alder, 3.99%</p><table><tr><td>5%</td></tr></table></div>
<table><tr><th>Lender</th><td>4.2%</td></tr></table><script>var a = "1%"</script></main></body></html>"""


class Release:
    """Public pages that a test changes."""

    def __init__(self) -> None:
        self.pages = [PublicPage(path="/a/", text="A rate of 4.09% today.\nWe charge no fee.")]
        self.pages.append(PublicPage(path="/about/", text="We are brokers"))

    async def __call__(self) -> list[PublicPage]:
        return self.pages

    def write(self, text: str) -> None:
        self.pages[0] = PublicPage(path="/a/", text=text)


@pytest.fixture
def release() -> Release:
    return Release()


@pytest.fixture
def service(database: Database, release: Release, calendar: Calendar) -> PromotionService:
    return PromotionService(PromotionStore(database), release, clock=calendar)


async def listed(service: PromotionService) -> list[Promotion]:
    found = await service.register()
    assert isinstance(found, tuple), found
    return list(found)


async def approve(service: PromotionService) -> Promotion | NotDone:
    return await service.approve("/a/", (await listed(service))[0].digest, who="olga")


async def test_page_is_approved_changes_and_is_approved_again(
    service: PromotionService, release: Release, database: Database
) -> None:
    (first,) = await listed(service)
    assert first.state is PromotionState.NEVER
    assert isinstance(await approve(service), Promotion)
    (second,) = await listed(service)
    assert second.approval
    assert (second.state, second.approval.who) == (PromotionState.APPROVED, "olga")
    release.write("A rate of 3.99% today.\nWe charge £495.")
    (third,) = await listed(service)
    assert (third.state, third.added) == (PromotionState.CHANGED, ("We charge £495.",))
    line = promotion_line(third, service.today)
    assert (line.state, line.due, line.rates) == ("Changed since: 2 sentences", "at once", "3.99%, £495")
    assert isinstance(await approve(service), Promotion)
    assert to_do(await listed(service)) == "1 public page shows a rate or a payment; 0 need somebody, and come first"
    entry = (await AuditStore(database).latest(1))[0]
    assert (entry.who, entry.sentence) == ("olga", "approved what /a/ shows")


async def test_family_is_approved_as_one(service: PromotionService, release: Release, database: Database) -> None:
    release.pages = [PublicPage(path=f"/lenders/{name}/", text="A rate of 4%.") for name in "abc"]
    (found,) = await listed(service)
    assert (promotion_line(found, service.today).state, found.path) == ("Never approved, 3 of 3 pages", "/lenders/*")
    assert isinstance(await service.approve("/lenders/*", found.digest, who="olga"), Promotion)
    (approved,) = await listed(service)
    assert (approved.state, approved.waiting) == (PromotionState.APPROVED, ())
    assert [entry.about for entry in await AuditStore(database).latest(5)] == ["/lenders/*"]
    release.pages[1] = PublicPage(path="/lenders/b/", text="A rate of 4%. A fee.")
    (changed,) = await listed(service)
    view = promotion_view(changed, service.today)
    assert (view.state, view.added) == ("Changed since: 1 sentence, 1 of 3 pages", ("A fee.",))
    assert (view.pages[0], len(view.pages), view.lines) == ("/lenders/b/", 3, ("A rate of 4%. A fee.",))


async def test_only_what_was_seen_is_approved(service: PromotionService, release: Release) -> None:
    (shown,) = await listed(service)
    seen = shown.digest
    release.write("A rate of 5% today.")
    assert await service.approve("/a/", seen, who="olga") == NotDone(words=CHANGED)
    for path in ("/about/", "/nowhere/", None):
        assert await service.approve(path, seen, who="olga") == NotDone(words=UNKNOWN)


async def test_approval_is_due_again_after_ninety_days(service: PromotionService, calendar: Calendar) -> None:
    await approve(service)
    calendar.forward(days=DUE_DAYS)
    (due,) = await listed(service)
    assert promotion_line(due, service.today).state == "due in 0 days"
    calendar.forward(days=1)
    (overdue,) = await listed(service)
    assert promotion_line(overdue, service.today).state == "1 day overdue"


async def test_setting_says_when_an_approval_is_due_again(
    database: Database, release: Release, calendar: Calendar
) -> None:
    service = PromotionService(PromotionStore(database), release, due_days=31, clock=calendar)
    await approve(service)
    calendar.forward(days=30)
    (due,) = await listed(service)
    assert promotion_line(due, service.today).state == "due in 1 day"


async def test_text_is_kept_for_a_year_after_its_last_use(
    service: PromotionService, release: Release, calendar: Calendar, database: Database
) -> None:
    await approve(service)
    release.pages[0] = PublicPage(path="/b/", text="A rate of 4%")
    assert [each.path for each in await listed(service)] == ["/b/"]
    store = PromotionStore(database)
    assert await store.delete_ended(calendar()) == 0
    assert await store.delete_ended(calendar() + timedelta(seconds=1)) == 1


def test_text_of_a_page_is_its_main_part_with_live_lists_marked() -> None:
    lines = text_of_page(HTML).splitlines()
    assert lines == ["Remortgaging", "A rate of 4.09% today.", f"{LIVE}Alder, 3.99% 5%", f"{LIVE}Lender 4.2%"]
    assert text_of_page("<html><body><p>5%</p></body></html>") == ""
