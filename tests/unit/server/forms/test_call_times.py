import asyncio
from pathlib import Path

import pytest
from lxml.html import HtmlElement

from broker import routes
from broker.appointments.appointment import Medium
from broker.appointments.times_view import TimesPage
from broker.markup import parse_page
from broker.server.forms import call_times
from broker.server.forms.call_times import CallTimes
from broker.server.releases import LiveExport
from broker.server.response import Answer
from tests.unit.server.enquiry_pages import HOSTILE, text
from tests.unit.server.forms.appointment_service import NOW, FakeAppointments, export_with_times, slot

PLAIN = (b"accept-encoding", b"identity")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> LiveExport:
    return export_with_times(Path(tmp_path_factory.mktemp("times")))


async def asked(live: LiveExport, fake: FakeAppointments, path: str, query: str = "") -> Answer | None:
    times = CallTimes(fake.services(), live, clock=lambda: NOW)
    scope = {"type": "http", "path": path, "query_string": query.encode(), "headers": [PLAIN]}
    handlers = {routes.CONTACT: times.page, **times.handlers()}
    return await handlers[path](scope)


def values(page: HtmlElement, name: str = "when") -> list[str]:
    return [str(each) for each in page.xpath("//input[@type='radio'][@name=$name]/@value", name=name)]


@pytest.mark.parametrize("path", [routes.CONTACT, routes.CHECK_ANSWERS])
async def test_page_has_the_free_times_in_its_form(live: LiveExport, path: str) -> None:
    fake = FakeAppointments(free=[slot(27, 10, 40), slot(28, 9)])
    answer = await asked(live, fake, path)
    assert answer
    (form,) = parse_page(text(answer)).iter("form")
    assert values(form) == ["20261127T1040Z-20-telephone", "20261128T0900Z-20-telephone"]
    assert [each.text_content() for each in form.iter("label")] == ["10:40am", "9am"]
    days = form.xpath(".//details")
    assert [("open" in day.attrib, day.get("name")) for day in days] == [(True, "day"), (False, "day")]
    assert [day.findtext("summary/span") for day in days] == [
        "Today, Friday 27 November",
        "Tomorrow, Saturday 28 November",
    ]
    assert text(answer).count("UK time") == 1


async def test_page_is_the_exported_one_where_no_adviser_has_times(live: LiveExport) -> None:
    for query in ("", "minutes=40&by=video"):
        assert await asked(live, FakeAppointments(), routes.CONTACT, query) is None


async def test_times_are_those_of_the_length_and_medium_of_the_address(live: LiveExport) -> None:
    fake = FakeAppointments(free=[slot(27, 10), slot(27, 11, minutes=40, medium=Medium.VIDEO)])
    answer = await asked(live, fake, routes.CONTACT, "minutes=40&by=video")
    assert answer
    page = parse_page(text(answer))
    assert values(page) == ["20261127T1100Z-40-video"]
    assert page.xpath("//a[@aria-current]/text()") == ["40 minutes", "Video"]
    assert answer.headers["x-robots-tag"] == "noindex"


async def test_length_without_free_times_says_so_and_offers_the_others(live: LiveExport) -> None:
    answer = await asked(live, FakeAppointments(free=[slot(27, 10)]), routes.CONTACT, "minutes=40")
    assert answer
    page = parse_page(text(answer))
    assert "no free time for a 40-minute telephone call" in page.text_content()
    assert "20 minutes" in page.xpath("//a[@data-times]/text()")


async def test_times_alone_are_those_of_a_page_with_its_parameters(live: LiveExport) -> None:
    fake = FakeAppointments(free=[slot(27, 10)])
    answer = await asked(live, fake, routes.CALL_TIMES, f"page={routes.YOUR_APPOINTMENT}&link=abc&minutes=20")
    assert answer
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    part = parse_page(text(answer))
    assert values(part, "slot") == ["20261127T1000Z-20-telephone"]
    assert {address.partition("&")[0] for address in part.xpath("//a/@href")} == {"/your-appointment/?link=abc"}


@pytest.mark.parametrize("page", ["", "/", "/staff/", "//evil.example/", "/contact"])
async def test_times_alone_are_of_no_other_page(live: LiveExport, page: str) -> None:
    assert await asked(live, FakeAppointments(free=[slot(27, 10)]), routes.CALL_TIMES, f"page={page}") is None


async def test_parameters_are_escaped(live: LiveExport) -> None:
    answer = await asked(live, FakeAppointments(free=[slot(27, 10)]), routes.CONTACT, f"other={HOSTILE}")
    assert answer
    assert "<script>alert" not in text(answer)


async def test_page_does_not_wait_for_a_slow_database(live: LiveExport, monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(*_: object) -> tuple[()]:
        await asyncio.sleep(60)
        return ()

    monkeypatch.setattr(call_times, "MAX_WAIT_SECONDS", 0.01)
    fake = FakeAppointments()
    monkeypatch.setattr(fake, "offered", wait)
    assert await asked(live, fake, routes.CONTACT) is None


async def test_button_of_a_form_shows_other_times_and_keeps_the_start_that_was_chosen(live: LiveExport) -> None:
    free = [slot(27, 10, 40), *(slot(day, 10, 40, minutes=40) for day in (27, 28))]
    times = CallTimes(FakeAppointments(free=free).services(), live, clock=lambda: NOW)
    page = TimesPage(path=routes.CONTACT)
    (address,) = [
        str(each.get("value"))
        for each in parse_page(await times.html(page)).iter("button")
        if each.text_content() == "40 minutes"
    ]
    shown = parse_page(await times.of_button(page, address, slot(27, 10, 40)))
    assert values(shown) == ["20261127T1040Z-40-telephone", "20261128T1040Z-40-telephone"]
    assert shown.xpath("//input[@checked]/@value") == ["20261127T1040Z-40-telephone"]
    assert shown.xpath("//button[@aria-current]/text()") == ["40 minutes", "Telephone"]


async def test_button_of_a_form_leads_nowhere_with_an_address_that_is_none_of_ours(live: LiveExport) -> None:
    times = CallTimes(FakeAppointments(free=[slot(27, 10, 40)]).services(), live, clock=lambda: NOW)
    for address in ("", "40", "https://[", f"?minutes=39&by={HOSTILE}", "x" * 10_000):
        shown = parse_page(await times.of_button(TimesPage(path=routes.CONTACT), address, None))
        assert values(shown) == ["20261127T1040Z-20-telephone"]
