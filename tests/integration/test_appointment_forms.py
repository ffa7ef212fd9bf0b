"""Appointments through the built site over real HTTP, as a browser without scripts books, moves and cancels them."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from broker import routes
from broker.appointments.service import NO_LINK, SLOT_TAKEN
from broker.markup import parse_page
from tests.integration.adviser_hours import add_adviser, times_in
from tests.integration.enquiry_site import EnquirySite, enquiry_site, post
from tests.unit.questionnaire.flows import SHIPPED
from tests.unit.questionnaire.journeys import JOURNEYS
from tests.unit.state.asking import form
from tools.project import Project


@pytest.fixture(scope="module")
def running(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EnquirySite]:
    del site
    with enquiry_site(project, tmp_path_factory.mktemp("appointments")) as running:
        with running.client() as client:
            assert times_in(client.get(routes.CONTACT).text) == []
        add_adviser(running.state_dir, "grace")
        yield running


def book(client: httpx.Client, name: str, at: int, **fields: str) -> tuple[str, str]:
    """Book the time at a place of the list, and return the address of the appointment and the thank-you page."""
    answer = post(client, name=name, when=times_in(client.get(routes.CONTACT).text)[at], **fields)
    assert (answer.status_code, answer.headers["location"]) == (303, routes.THANK_YOU)
    thanks = client.get(routes.THANK_YOU).text
    (address,) = {each for each in links(thanks) if each.startswith(f"{routes.YOUR_APPOINTMENT}?")}
    return address, thanks


def links(html: str) -> list[str]:
    return [str(each) for each in parse_page(html).xpath("//a/@href")]


def fields_of(html: str, step: str) -> dict[str, str]:
    """Return the hidden fields of the form of a step."""
    (found,) = parse_page(html).xpath("//form[input[@name='step'][@value=$step]]", step=step)
    return {
        str(each.get("name")): str(each.get("value")) for each in found.iter("input") if each.get("type") == "hidden"
    }


def words(html: str) -> str:
    return " ".join(parse_page(html).find("body").text_content().split())


def test_contact_page_has_times_and_one_field_more_than_without_them(running: EnquirySite) -> None:
    with running.client() as client:
        page = client.get(routes.CONTACT)
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
    times = times_in(page.text)
    assert len(times) > 20
    assert len(set(times)) == len(times)
    days = parse_page(page.text).xpath("//details[@name='day']")
    assert (len(days), [("open" in each.attrib) for each in days].count(True)) == (10, 1)
    checked = parse_page(page.text).xpath("//form//input[@type='radio'][@checked]/@value")
    assert checked == ["callback", "any"]


def test_links_lead_to_other_lengths_media_and_days(running: EnquirySite) -> None:
    with running.client() as client:
        page = client.get(routes.CONTACT).text
        others = [unescape(each) for each in links(page) if "minutes=" in each]
        assert len(others) == 5
        found = [times_in(client.get(address).text) for address in others]
    kinds = [{value.partition("-")[2] for value in times} for times in found]
    assert kinds == [{"20-telephone"}, {"40-telephone"}, {"20-telephone"}, {"20-video"}, {"20-telephone"}]
    assert found[-1][0][:8] > times_in(page)[-1][:8]


def test_time_is_booked_and_shown_on_the_page_of_thanks(running: EnquirySite) -> None:
    with running.client() as client:
        address, thanks = book(client, "Ada Booked", 0)
        assert "Thank you. Your time is booked." in thanks
        assert "Your 20-minute telephone call is at" in thanks
        assert ("UK time" in thanks, "Within one working day" in thanks) == (True, False)
        (calendar,) = [each for each in links(thanks) if ".ics" in each]
        file = client.get(calendar)
        assert (file.status_code, file.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
        assert "METHOD:PUBLISH" in file.text
        assert "Ada" not in file.text
        again = client.get(address)
    assert again.headers["cache-control"] == "no-store"
    assert running.stored("Ada Booked").enquiry.contact.name == "Ada Booked"


def test_time_taken_meanwhile_loses_nothing_and_shows_the_next_free_ones_first(running: EnquirySite) -> None:
    with running.client() as first, running.client() as second:
        wanted = times_in(first.get(routes.CONTACT).text)[1]
        assert post(first, name="Ada First", when=wanted).status_code == 303
        late = post(second, name="Ada Second", when=wanted, kind="contact", marketing="text")
    assert late.status_code == 422
    page = parse_page(late.text)
    (problem,) = page.xpath("//*[@id='enquiry-slot']")
    assert SLOT_TAKEN in problem.text_content()
    near = problem.xpath(".//input/@value")
    assert near
    assert wanted not in near
    assert page.xpath("//a[@href='#enquiry-slot']")
    typed = {name: page.xpath("//input[@name=$name]/@value", name=name)[0] for name in ("name", "telephone", "email")}
    assert typed == {"name": "Ada Second", "telephone": "07700 900123", "email": "ada@example.com"}
    assert set(page.xpath("//input[@checked]/@value")) == {"contact", "text", "yes"}
    assert [each for each in running.kept() if each.enquiry.contact.name == "Ada Second"] == []


def test_chosen_time_stays_chosen_where_something_else_is_wrong(running: EnquirySite) -> None:
    with running.client() as client:
        wanted = times_in(client.get(f"{routes.CONTACT}?minutes=40&by=video").text)[-1]
        answer = post(client, name="Ada Video", when=wanted, email="")
    page = parse_page(answer.text)
    assert answer.status_code == 422
    assert "where we send the link to the video call" in words(answer.text)
    assert page.xpath("//details[@open]//input[@checked]/@value") == [wanted]
    assert page.xpath("//a[@aria-current='true']/text()")[-2:] == ["40 minutes", "Video"]


@pytest.mark.parametrize("wanted", ["20200101T0900Z-20-telephone", "20991231T0900Z-20-telephone"])
def test_time_that_nobody_offers_is_not_given(running: EnquirySite, wanted: str) -> None:
    with running.client() as client:
        assert post(client, name="Ada Never", when=wanted).status_code == 422


def test_questionnaire_ends_with_the_same_times(running: EnquirySite) -> None:
    journey = JOURNEYS["entry q97, remortgage"]
    with running.client() as client:
        for step, answer in journey.replies:
            assert client.post(routes.GIVE_ANSWER, data=form(step, answer, flow=SHIPPED)).status_code == 303
        wanted = times_in(client.get(routes.CHECK_ANSWERS).text)[3]
        sent = {"name": "", "telephone": "07700 900123", "when": wanted, "privacy": "yes", "text_version": "2026-11-21"}
        wrong = client.post(routes.SEND_ANSWERS, data=sent)
        assert parse_page(wrong.text).xpath("//details//input[@checked]/@value") == [wanted]
        done = client.post(routes.SEND_ANSWERS, data={**sent, "name": "Ada Questions"})
        assert (wrong.status_code, done.status_code) == (422, 303)
        assert "Your time is booked" in client.get(routes.THANK_YOU).text


def test_appointment_is_moved_and_cancelled_by_its_link_alone(running: EnquirySite) -> None:
    with running.client() as client:
        address, _ = book(client, "Ada Moves", 4)
    with running.client() as client:  # no cookie of the one who booked
        shown = client.get(address)
        before = words(shown.text)
        assert (shown.status_code, shown.headers["referrer-policy"]) == (200, "strict-origin")
        wanted = times_in(shown.text, "slot")[-1]
        move = {**fields_of(shown.text, "move"), "slot": wanted}
        moved = client.post(routes.YOUR_APPOINTMENT, data=move)
        page = client.get(moved.headers["location"])
        assert (moved.status_code, "We have moved your appointment" in page.text) == (303, True)
        assert words(page.text) != before
        again = client.post(routes.YOUR_APPOINTMENT, data=move)
        assert (again.status_code, client.get(address).text.count("<form")) == (303, page.text.count("<form"))
        ask = client.post(routes.YOUR_APPOINTMENT, data=fields_of(page.text, "ask"))
        assert "Cancel this time?" in ask.text
        cancel = fields_of(ask.text, "cancel")
        done = [client.post(routes.YOUR_APPOINTMENT, data=cancel) for _ in range(2)]
        assert [each.status_code for each in done] == [303, 303]
        over = client.get(done[0].headers["location"])
        assert "Your appointment is cancelled" in over.text
        assert parse_page(over.text).xpath("//input[@name='step']") == []
        late = client.post(routes.YOUR_APPOINTMENT, data=move | {"sequence": "9"})
        assert late.status_code == 422


def test_links_of_other_kinds_open_no_appointment(running: EnquirySite) -> None:
    with running.client() as client:
        address, thanks = book(client, "Ada Links", 2)
        receipt = client.cookies["thanks"]
        token = address.partition("link=")[2]
        bad = [receipt, token[:-9], f"{token[:40]}AAAA{token[44:]}", "x", "<script>alert(1)</script>"]
        for link in bad:
            answer = client.get(routes.YOUR_APPOINTMENT, params={"link": link})
            assert (link, answer.status_code, NO_LINK in unescape(answer.text)) == (link, 404, True)
            assert "<script>alert" not in answer.text
            file = client.get(routes.YOUR_APPOINTMENT_FILE, params={"link": link})
            assert file.status_code == 404
        enquiry = client.get(f"{routes.YOUR_ENQUIRY}?link={token}")
    assert enquiry.status_code == 404
    assert re.search(r"HG-\w{4}-\w{4}", thanks)


def test_nothing_of_it_is_listed_or_logged(running: EnquirySite) -> None:
    with running.client() as client:
        address, _ = book(client, "Ada Private", 2)
        client.get(address)
        assert routes.YOUR_APPOINTMENT not in client.get("/sitemap.xml").text
        exported = client.get(routes.YOUR_APPOINTMENT)
    assert (exported.status_code, exported.headers["x-robots-tag"]) == (200, "noindex")
    log = (running.folder / "server.log").read_text("utf-8")
    assert [each for each in (address.partition("link=")[2][:60], "Ada", "07700") if each in log] == []
