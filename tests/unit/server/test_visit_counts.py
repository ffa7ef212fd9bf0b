from collections import Counter
from typing import Any

import pytest

from broker import broker, routes
from broker.analytics.counted import Counted
from broker.server.socket_events import OF_REFLEX, ROOT, SOCKET_OPENED
from broker.server.visit_counts import VisitCounts

(PAGE_OPENED,) = (name for name in OF_REFLEX if name.endswith("on_load_internal"))
PDF = routes.RATES + routes.RESULT_PDF
SEARCH = "?price=250000&amount=200000"


class Visits:
    """Visits to the site as it is built, and what is counted of them."""

    def __init__(self) -> None:
        self.counted = Counter[Counted]()
        self.counts = VisitCounts(lambda kind: self.counted.update([kind]), broker.counted_paths.current)

    def ask(self, address: str, status: int = 200, *, method: str = "GET", agent: str = "Mozilla/5.0") -> None:
        path, _, query = address.partition("?")
        scope = {"method": method, "path": path, "query_string": query.encode("latin-1")}
        self.counts.count_request({**scope, "headers": [(b"user-agent", agent.encode())]}, status)

    def tab(self, *addresses: str, name: str = PAGE_OPENED, tab: str = "one") -> None:
        for address in addresses:
            self.counts.count_event(tab, {"name": name, "router_data": {"asPath": address}})


@pytest.fixture
def visits() -> Visits:
    return Visits()


def test_every_path_that_answers_visitors_with_a_page_or_a_pdf_has_its_kind() -> None:
    counted = broker.counted_paths.current()
    assert set(counted.values()) == {kind for kind in Counted if kind.startswith("page: ")} | {Counted.PDF}
    assert {path for path, kind in counted.items() if kind is Counted.PDF} == {
        path for path in broker.handlers if path.endswith(".pdf") and path != routes.STAFF_RESULT
    }
    staff = (routes.STAFF, routes.UPDATE_LENDERS)
    pages = {path for path in (*broker.handlers, *broker.pages_of_data.paths()) if path.endswith("/")}
    assert {path for path in pages - counted.keys() if not path.startswith(staff)} == {
        *(routes.GIVE_ANSWER, routes.SEND_ANSWERS, routes.JOURNEY_COOKIE, routes.FORM_TOKEN, routes.CALL_TIMES)
    }


KINDS = {
    routes.HOME: Counted.HOME,
    "/first-time-buyer/": Counted.SERVICE,
    "/remortgages/": Counted.DEALS,
    "/remortgaging/rates/": Counted.RATES,
    routes.LENDERS: Counted.LENDER,
    routes.lender_product("halifax", "2-years-fixed"): Counted.LENDER,
    routes.guide("what-is-ltv"): Counted.GUIDE,
    routes.guides("first-time-buyer"): Counted.GUIDE,
    routes.town("ealing"): Counted.TOWN,
    routes.calculator("repayment"): Counted.CALCULATOR,
    routes.BUYING_PLAN: Counted.PLAN,
    routes.RATE_HISTORY: Counted.RATE_HISTORY,
    routes.QUESTIONNAIRE: Counted.QUESTION,
    routes.CONTACT: Counted.CONTACT,
    routes.PRIVACY: Counted.OTHER,
    PDF: Counted.PDF,
}


@pytest.mark.parametrize(("path", "kind"), KINDS.items())
def test_page_is_counted_as_its_kind(visits: Visits, path: str, kind: Counted) -> None:
    visits.ask(path)
    visits.ask(f"{path}?utm_source=A&gclid=B", 304)
    assert visits.counted == {kind: 2}


UNCOUNTED: dict[str, dict[str, Any]] = {
    "page that is not there": {"address": "/no-such-page/", "status": 404},
    "redirect": {"address": "/rates/", "status": 301},
    "failure": {"address": routes.HOME, "status": 500},
    "no answer": {"address": routes.HOME, "status": 0},
    "HEAD": {"address": routes.HOME, "method": "HEAD"},
    "form": {"address": routes.CONTACT, "method": "POST"},
    "view of a page as data": {"address": routes.lender("halifax") + routes.PAGE_DATA},
    "file": {"address": "/site.css"},
    "health": {"address": "/health"},
    "staff": {"address": routes.STAFF},
    "PDF for staff": {"address": routes.STAFF_RESULT},
    "bot": {"address": routes.HOME, "agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"},
    "monitor": {"address": routes.HOME, "agent": "UptimeMonitor/1"},
}


@pytest.mark.parametrize("asked", UNCOUNTED.values(), ids=UNCOUNTED)
def test_what_is_no_view_is_not_counted(visits: Visits, asked: dict[str, Any]) -> None:
    visits.ask(**asked)
    assert not visits.counted


def test_tab_is_counted_for_each_page_after_the_one_it_opened_with(visits: Visits) -> None:
    visits.tab("/", name=SOCKET_OPENED)
    visits.tab("/contact/", "/contact/#callback", "/contact?a=1", "/", "/no-such-page/", "/staff/", "/")
    visits.tab("/contact/", name=f"{ROOT}.broker___a.b")
    visits.tab("/contact/", name=SOCKET_OPENED)  # connected again
    visits.tab("/contact/", tab="two")
    assert visits.counted == {Counted.CONTACT: 3, Counted.HOME: 2}


def test_search_is_counted_once_however_its_list_is_looked_at(visits: Visits) -> None:
    rates = routes.RATES
    visits.ask(f"{rates}{SEARCH}")
    visits.tab(f"{rates}{SEARCH}", name=SOCKET_OPENED)
    opened = [f"{rates}{SEARCH}&{more}" for more in ("product=7", "compare=1,2", "page=2")]
    visits.tab(*opened, f"{rates}{SEARCH}", rates)
    assert visits.counted == {Counted.RATES: 1, Counted.SEARCH: 1}
    visits.tab(f"{rates}{SEARCH}&fees=none", f"{rates}?amount=1", "/remortgaging/rates/?amount=1")
    assert visits.counted == {Counted.RATES: 2, Counted.SEARCH: 4}
    for more in ("product=7", "page=2"):
        visits.ask(f"{rates}{SEARCH}&{more}")
    assert visits.counted[Counted.SEARCH] == 4


def test_plan_has_figures_once_each_time_it_is_opened(visits: Visits) -> None:
    plan, deals = routes.BUYING_PLAN, f"{ROOT}.broker___plan.find"
    visits.ask(f"{plan}?utm_source=A")
    visits.tab(plan, name=SOCKET_OPENED)
    visits.tab(f"{plan}?income=50000", f"{plan}?income=60000", name=deals)
    assert visits.counted == {Counted.PLAN: 1, Counted.PLAN_ANSWERED: 1}
    visits.tab("/", f"{plan}?income=60000", f"{routes.REMORTGAGE_PLAN}?balance=150000")
    visits.ask(f"{plan}?income=50000")
    assert visits.counted == {Counted.PLAN: 4, Counted.PLAN_ANSWERED: 4, Counted.HOME: 1}


HOSTILE = [
    "",
    "Ann Smith",
    "?",
    "#",
    "//",
    "/\0",
    "/contact/" + "a" * 2_000,
    "?" + "&=" * 500,
    "/?%ff%00=\ud800",
    7,
    None,
]


@pytest.mark.parametrize("address", HOSTILE)
def test_no_text_of_a_client_is_counted_or_held(visits: Visits, address: Any) -> None:
    for name in (SOCKET_OPENED, PAGE_OPENED):
        visits.counts.count_event("one", {"name": name, "router_data": {"asPath": address}})
    visits.counts.count_event("two", {"name": PAGE_OPENED, "router_data": {}})
    visits.ask(f"{routes.RATES}?amount=Ann+Smith", agent="Ann Smith")
    visits.tab(f"{routes.RATES}?amount=Ann+Smith")
    assert visits.counted.keys() <= set(Counted)
    assert "Ann" not in repr((visits.counted, dict(visits.counts._tabs)))
