"""The forms and the page of a watch over the exported templates: what they answer, and what they store."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias
from urllib.parse import urlencode

import pytest
import sqlmodel
from lxml.html import HtmlElement, document_fromstring
from starlette.datastructures import FormData, Headers
from starlette.types import Message

from broker import routes, services
from broker.lenders.directory import LenderDirectory, market_lenders
from broker.markup import is_indexed, parse_page
from broker.rates.market.rate_source import MarketRateSource
from broker.server.forms.posts import MessagePost, Post, Sender, answer_post
from broker.server.forms.watch_forms import my_watch_handler, my_watch_post, stop_handlers, watch_post
from broker.server.releases import LiveExport
from broker.server.response import Answer
from broker.services import Services
from broker.settings import Settings
from broker.storage.errors import StorageError
from broker.storage.tables import WatchRow
from broker.watches.watch import StoredWatch, WatchState
from tests.integration.outline import words_of
from tests.services import closed_services
from tests.unit.enquiries.enquiring import ADDRESS, Calendar, running
from tests.unit.rates.market.searching import catalogue
from tests.unit.watches.watching import FORM

LinkReader: TypeAlias = Callable[[], Awaitable[list[tuple[str, str]]]]

HOSTILE = '"><script>alert(1)</script>{{ 7 * 7 }}'
PRIVATE = {"cache-control": "no-store", "x-robots-tag": "noindex", "referrer-policy": "same-origin"}


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
async def opened(db_settings: Settings, calendar: Calendar) -> AsyncIterator[Services]:
    market = catalogue()
    closed = closed_services(MarketRateSource(catalogue=market), LenderDirectory(market_lenders(market)))
    async with running(db_settings, calendar, services=closed) as opened:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(services, "_installed", [opened])
            yield opened


@pytest.fixture
def links(opened: Services) -> LinkReader:
    """Return what reads the link and the one-click token of every watch, the oldest first."""
    store = opened.watches._store

    async def read() -> list[tuple[str, str]]:
        wanted = sqlmodel.select(WatchRow.contact).order_by(sqlmodel.col(WatchRow.id))
        rows = await store._database.read(lambda one: one.execute(wanted))
        contacts = [store._cipher.contact(row.contact) for row in rows]
        return [(each["link"], each["stop"]) for each in contacts]

    return read


class Visitor:
    """A browser without scripts that sends the forms of a watch."""

    def __init__(self, opened: Services, live: LiveExport, *, is_sample: bool = True, sends_mail: bool = True) -> None:
        self._start = watch_post(opened, live, is_sample=is_sample, sends_mail=sends_mail)
        self._watch = my_watch_post(opened, live, is_sample=is_sample)
        self._page = my_watch_handler(opened, live, is_sample=is_sample)
        self.ask_to_stop, self.stop = stop_handlers(opened, live)

    async def start(self, **fields: Any) -> Answer:
        return await _send(self._start, {**FORM, "step": "start", **fields})

    async def begin(self, **fields: Any) -> Answer:
        return await _send(self._start, {**fields, "step": "begin"})

    async def press(self, step: str, link: str, **fields: Any) -> Answer:
        return await _send(self._watch, {**fields, "step": step, "link": link})

    async def open(self, address: str) -> Answer:
        path, _, query = address.partition("?")
        answer = await self._page(_scope(path, query))
        assert answer
        return answer


def _scope(path: str, query: str = "") -> dict[str, Any]:
    headers = [(b"accept-encoding", b"identity")]
    return {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": headers}


async def _send(post: Post, fields: dict[str, Any]) -> Answer:
    texts = [(name, text) for name, text in fields.items() if text is not None]
    return await post.answer(FormData(texts), Sender(address=ADDRESS, headers=Headers({"accept-encoding": "identity"})))


async def posted_by_mailbox(post: MessagePost, address: str, *headers: tuple[bytes, bytes]) -> Answer:
    """Post what RFC 8058 says, with no origin, no cookie and no referrer, through the edge's own checks."""
    path, _, query = address.partition("?")
    body = b"List-Unsubscribe=One-Click"

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    kind = (b"content-type", b"application/x-www-form-urlencoded")
    scope = {**_scope(path, query), "method": "POST", "headers": [kind, (b"accept-encoding", b"identity"), *headers]}
    return await answer_post(scope, receive, post=post, origins=("https://broker.example",), proxies=0)


def page_of(answer: Answer) -> HtmlElement:
    return document_fromstring(answer.body.decode()).get_element_by_id("main")


def words(answer: Answer) -> str:
    return words_of(page_of(answer))


def value(answer: Answer, name: str) -> str:
    (found,) = page_of(answer).xpath("//*[@name=$name]", name=name)
    return found.get("value", "")


def headers_of(answer: Answer) -> dict[str, str]:
    return {name: answer.headers.get(name, "") for name in PRIVATE}


async def test_figures_of_the_plan_are_folded_and_posted_along(opened: Services, live: LiveExport) -> None:
    plan = {name: text for name, text in FORM.items() if not str(name).startswith(("tell", "email", "saving"))}
    answer = await Visitor(opened, live).begin(**plan, legal="300", offerRate="4.2", offerFee="999")
    folded = page_of(answer).find_class("watched")[0]
    assert (answer.status, "open" in folded.attrib) == (200, False)
    assert "£187,400 of £310,000, 19 years · 1.60% to 25 December 2026" in words_of(folded)
    posted = {name: value(answer, name) for name in ("balance", "end", "legal", "offerRate", "offerFee")}
    assert posted == {"balance": "187,400", "end": "2026-12-25", "legal": "300", "offerRate": "4.2", "offerFee": "999"}
    ticked = {box.get("name") for box in page_of(answer).xpath("//input[@checked]")}
    assert ticked == {"tell-window", "tell-three-months", "tell-one-month"}


async def test_plan_without_a_date_opens_the_figures(opened: Services, live: LiveExport) -> None:
    answer = await Visitor(opened, live).begin(balance="200000", value="300000", term="20", rate="2", end="")
    assert "open" in page_of(answer).find_class("watched")[0].attrib
    assert "There is a problem" not in words(answer)


async def test_answer_promises_no_mail_where_none_is_sent(
    opened: Services, live: LiveExport, links: LinkReader
) -> None:
    answer = await Visitor(opened, live, sends_mail=False).start()
    assert (answer.status, "We cannot send you an email just now" in words(answer)) == (200, True)
    ((link, _),) = await links()
    assert isinstance(await opened.watches.find(link), StoredWatch)


async def test_form_is_stored_and_its_answer_is_the_same_whatever_the_address(
    opened: Services, live: LiveExport, links: LinkReader
) -> None:
    visitor = Visitor(opened, live)
    first, second = await visitor.start(), await visitor.start(email="someone@else.example", balance="187,401")
    assert first == second == Answer(status=303, headers={"location": routes.WATCH_SENT})
    (link, _), (_, _) = await links()
    found = await opened.watches.find(link)
    assert isinstance(found, StoredWatch)
    assert (found.state, found.consent_page) == (WatchState.UNCONFIRMED, routes.START_WATCH)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"balance": "187.400,50"}, "Loan left today: "),
        ({"rate": "1,6"}, "Write the rate with a full stop, for example 1.6"),
        ({"end": "2020-01-01"}, "Your deal ends on: "),
        ({"end": "soon"}, "Your deal ends on: "),
        ({"balance": ""}, "Loan left today: "),
        ({"term": "a while"}, "Years left: "),
        ({"email": "ada"}, "Enter an email address"),
        ({"email": ""}, "email address"),
        ({"savingOver": "much"}, "More than: "),
        ({"tell-rate": "yes", "rateBelow": "3,9"}, "for example 3.9"),
        ({"mayCall": "yes", "telephone": "123"}, "Enter a UK telephone number"),
        ({"lender": "never"}, "Choose your lender"),
    ],
)
async def test_wrong_field_is_named_and_everything_typed_is_kept(
    opened: Services, live: LiveExport, links: LinkReader, fields: dict[str, str], said: str
) -> None:
    answer = await Visitor(opened, live).start(**fields)
    summary = words_of(page_of(answer).get_element_by_id("problems"))
    assert (answer.status, said in summary) == (422, True), summary
    kept = {**FORM, **fields}
    for name in ("balance", "value", "term", "rate", "end", "savingOver", "email"):
        assert value(answer, name) == kept[name], name
    (anchor,) = page_of(answer).xpath("//div[@id='problems']//ul//a/@href")
    assert len(page_of(answer).xpath("//*[@id=$id]", id=anchor[1:])) == 1
    assert parse_page(answer.body.decode()).findtext(".//title", "").startswith("Error: ")
    assert await links() == []


async def test_hostile_input_is_shown_as_text(opened: Services, live: LiveExport) -> None:
    answer = await Visitor(opened, live).start(balance=HOSTILE, email=HOSTILE, telephone=HOSTILE, lender=HOSTILE)
    assert (answer.status, b"<script>alert" in answer.body, b"gt;49" in answer.body) == (422, False, False)
    assert value(answer, "balance") == HOSTILE[:200]


async def test_too_many_starts_of_a_network_are_refused_and_keep_what_was_typed(
    opened: Services, live: LiveExport
) -> None:
    visitor = Visitor(opened, live)
    for number in range(10):
        assert (await visitor.start(email=f"a{number}@quill.example")).status == 303
    answer = await visitor.start(email="last@quill.example")
    assert (answer.status, answer.headers["retry-after"], value(answer, "email")) == (429, "3600", "last@quill.example")


async def test_program_that_fills_the_hidden_field_stores_nothing(
    opened: Services, live: LiveExport, links: LinkReader
) -> None:
    assert (await Visitor(opened, live).start(company_website="x")).status == 422
    assert await links() == []


async def test_opening_a_link_changes_nothing_and_a_press_begins_the_watch(
    opened: Services, live: LiveExport, links: LinkReader
) -> None:
    visitor = Visitor(opened, live)
    await visitor.start()
    ((link, _),) = await links()
    shown, again = [await visitor.open(routes.watch_link(link)) for _ in range(2)]
    assert shown == again
    assert (shown.status, headers_of(shown), is_indexed(parse_page(shown.body.decode()))) == (200, PRIVATE, False)
    assert "Confirm your watch" in words(shown)
    assert "Your plan today" not in words(shown)
    found = await opened.watches.find(link)
    assert isinstance(found, StoredWatch)
    assert found.state is WatchState.UNCONFIRMED
    begun, twice = await visitor.press("confirm", link), await visitor.press("confirm", link)
    assert begun == twice == Answer(status=303, headers={"location": f"/my-watch/?link={link}&done=confirm"})
    page = await visitor.open(begun.headers["location"])
    for said in ("Your watch is on", "Thank you, we have begun", "Your plan today", "Representative example"):
        assert said in words(page), said
    for held in ("£187,400", "25 December 2026", "Zebedee@quill.example", "Switching now saves more than £500"):
        assert held in words(page), held
    (plan,) = [a.get("href") for a in page_of(page).iter("a") if words_of(a) == "See the whole plan"]
    assert plan.startswith(f"{routes.REMORTGAGE_PLAN}?balance=187400&")


async def test_watch_is_paused_resumed_changed_downloaded_and_stopped(
    opened: Services, live: LiveExport, links: LinkReader
) -> None:
    visitor = Visitor(opened, live)
    await visitor.start()
    ((link, _),) = await links()
    await visitor.press("confirm", link)
    paused = await visitor.press("pause", link)
    assert "Your watch is paused" in words(await visitor.open(paused.headers["location"]))
    resumed = await visitor.press("resume", link)
    assert "Your watch is on" in words(await visitor.open(resumed.headers["location"]))

    form = await visitor.press("change", link)
    assert (form.status, value(form, "balance"), headers_of(form)) == (200, "187,400", PRIVATE)
    assert page_of(form).xpath("//input[@name='email']") == []
    fields = {name: text for name, text in FORM.items() if name != "email"}
    wrong = await visitor.press("save", link, **{**fields, "balance": "lots"})
    assert (wrong.status, value(wrong, "balance"), value(wrong, "rate")) == (422, "lots", "1.6")
    changed = {**fields, "balance": "180000", "mayCall": "yes", "telephone": "0770 0900123"}
    saved = await visitor.press("save", link, **changed)
    shown = words(await visitor.open(saved.headers["location"]))
    assert ("Your changes are saved" in shown, "£180,000" in shown, "07700 900123" in shown) == (True, True, True)

    file = await visitor.press("export", link)
    assert file.headers["content-disposition"] == 'attachment; filename="my-watch.json"'
    assert json.loads(file.body)["watch"]["balance"] == 180_000

    asked = await visitor.press("ask", link)
    assert "Stop it, and delete all of it?" in words(asked)
    assert len(await links()) == 1
    stopped, again = await visitor.press("stop", link), await visitor.press("stop", link)
    assert stopped == again
    assert "Your watch has stopped" in words(await visitor.open(stopped.headers["location"]))
    assert await links() == []


@pytest.mark.parametrize("step", ["show", "confirm", "pause", "resume", "change", "save", "ask", "export", "nonsense"])
async def test_link_that_opens_no_watch_says_so_whatever_is_pressed(
    opened: Services, live: LiveExport, step: str
) -> None:
    answer = await Visitor(opened, live).press(step, "forged", **FORM)
    assert (answer.status, headers_of(answer)) == (404, PRIVATE)
    assert "There is no watch here" in words(answer)
    assert "This link is incomplete" in words(answer)


async def test_link_of_another_kind_forged_expired_or_stopped_opens_nothing(
    opened: Services, live: LiveExport, links: LinkReader, calendar: Calendar
) -> None:
    visitor = Visitor(opened, live)
    await visitor.start()
    ((link, stop),) = await links()
    for forged in (stop, link[:-1], f"{link}x", "x" * 5_000, HOSTILE):
        answer = await visitor.open(f"{routes.MY_WATCH}?{urlencode({'link': forged})}")
        assert (answer.status, "There is no watch here" in words(answer)) == (404, True), forged
    calendar.forward(days=8)
    assert (await visitor.open(routes.watch_link(link))).status == 404


async def test_page_without_a_link_is_the_exported_one(opened: Services, live: LiveExport) -> None:
    page = my_watch_handler(opened, live, is_sample=True)
    assert await page(_scope(routes.MY_WATCH)) is None
    assert await page(_scope(routes.MY_WATCH, "done=confirm")) is None


async def test_mailbox_stops_a_watch_with_one_post_and_may_repeat_it(
    opened: Services, live: LiveExport, links: LinkReader
) -> None:
    visitor = Visitor(opened, live)
    await visitor.start()
    ((_, stop),) = await links()
    address = routes.watch_stop(stop)
    path, _, query = address.partition("?")
    shown = await visitor.ask_to_stop(_scope(path, query))
    assert shown
    (form,) = page_of(shown).xpath(".//form")
    assert (form.get("method"), form.get("action")) == ("post", address)
    assert [(each.get("name"), each.get("value")) for each in form.iter("input")] == [("List-Unsubscribe", "One-Click")]
    assert len(await links()) == 1
    cross_site = (b"sec-fetch-site", b"cross-site"), (b"origin", b"https://mail.example")
    stopped = await posted_by_mailbox(visitor.stop, address, *cross_site)
    again = await posted_by_mailbox(visitor.stop, address)
    unknown = await posted_by_mailbox(visitor.stop, f"{path}?stop=x")
    assert stopped == again == unknown
    assert (stopped.status, stopped.cookies, "location" in stopped.headers) == (200, (), False)
    assert "Your watch has stopped" in words(stopped)
    assert await links() == []


async def test_database_that_is_away_is_said_and_nothing_typed_is_lost(
    opened: Services, live: LiveExport, links: LinkReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = Visitor(opened, live)
    await visitor.start()
    ((link, stop),) = await links()

    async def away(*_: Any, **__: Any) -> None:
        raise StorageError("away")

    for name in ("is_known", "add", "find", "confirm", "change", "delete"):
        monkeypatch.setattr(opened.watches._store, name, away)
    start = await visitor.start(balance="199,999")
    assert (start.status, value(start, "balance")) == (503, "199,999")
    fields = {name: text for name, text in FORM.items() if name != "email"}
    for answer in (
        await visitor.open(routes.watch_link(link)),
        await visitor.press("confirm", link),
        await visitor.press("stop", link),
    ):
        assert (answer.status, "try again in a minute" in words(answer)) == (503, True)
    saved = await visitor.press("save", link, **{**fields, "balance": "199,999"})
    assert (saved.status, value(saved, "balance")) == (503, "199,999")
    assert (await posted_by_mailbox(visitor.stop, routes.watch_stop(stop))).status == 503


async def test_page_says_that_rates_rest_on_a_sample_market_alone(opened: Services, live: LiveExport) -> None:
    sample, live_rates = Visitor(opened, live), Visitor(opened, live, is_sample=False)
    plan = {"balance": "200000", "value": "300000", "term": "20", "rate": "2", "end": "2026-12-25"}
    assert "Rates rest for now" in words(await sample.begin(**plan))
    assert "Rates rest for now" not in words(await live_rates.begin(**plan))


async def test_exported_form_says_of_rates_only_what_holds_with_a_feed_too(live: LiveExport) -> None:
    """A feed may be connected without another build of the site."""
    page = live.export.files[routes.START_WATCH].plain().decode()
    said = words_of(document_fromstring(page).get_element_by_id("main"))
    assert "Rates rest for now" not in said
    assert "While the rates on this site are samples, we tell you about dates only" in said
