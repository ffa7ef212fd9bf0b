from pathlib import Path

import pytest
from starlette.datastructures import FormData

from broker import routes
from broker.appointments.appointment import AppointmentRefused, AppointmentState
from broker.appointments.service import AWAY
from broker.server.forms.appointment_pages import NO_TIME, AppointmentPages
from broker.server.forms.call_times import CallTimes
from broker.server.releases import LiveExport
from broker.server.response import Answer
from tests.unit.server.enquiry_pages import sender, text
from tests.unit.server.forms.appointment_service import (
    LINK,
    NO_LINK,
    NOW,
    TAKEN,
    FakeAppointments,
    appointment,
    export_with_times,
    slot,
)

PLAIN = (b"accept-encoding", b"identity")
SHOWN = "Saturday 28 November 2026, 10:40am to 11am. Telephone call, 20 minutes"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> LiveExport:
    return export_with_times(Path(tmp_path_factory.mktemp("appointment")))


def pages(fake: FakeAppointments, live: LiveExport) -> AppointmentPages:
    services = fake.services()
    return AppointmentPages(services, live, CallTimes(services, live, clock=lambda: NOW), clock=lambda: NOW)


async def opened(
    fake: FakeAppointments, live: LiveExport, query: str, *, path: str = routes.YOUR_APPOINTMENT
) -> Answer | None:
    scope = {"type": "http", "path": path, "query_string": query.encode(), "headers": [PLAIN]}
    return await pages(fake, live).handlers()[path](scope)


async def sent(fake: FakeAppointments, live: LiveExport, step: str, **fields: str) -> Answer:
    given = {"link": LINK, "sequence": "0", "step": step, **fields}
    return await pages(fake, live).posts()[routes.YOUR_APPOINTMENT].answer(FormData([*given.items()]), sender())


async def test_link_shows_the_appointment_with_times_to_move_it_to_and_changes_nothing(live: LiveExport) -> None:
    fake = FakeAppointments(free=[slot(27, 11), slot(30, 9)])
    for _ in range(3):
        answer = await opened(fake, live, f"link={LINK}")
        assert answer
        assert (SHOWN in text(answer), "<u>coming</u>" in text(answer)) == (True, True)
        assert 'name="slot" value="20261130T0900Z-20-telephone"' in text(answer)
    assert fake.changes == []


async def test_page_is_private(live: LiveExport) -> None:
    answer = await opened(FakeAppointments(), live, f"link={LINK}")
    assert answer
    headers = {name: answer.headers.get(name) for name in ("cache-control", "x-robots-tag", "referrer-policy")}
    assert headers == {"cache-control": "no-store", "x-robots-tag": "noindex", "referrer-policy": "strict-origin"}


async def test_page_without_a_link_is_the_exported_one(live: LiveExport) -> None:
    assert await opened(FakeAppointments(), live, "") is None
    assert await opened(FakeAppointments(), live, "link=") is None


async def test_link_that_opens_nothing_says_so(live: LiveExport) -> None:
    fake = FakeAppointments()
    answers = [await opened(fake, live, "link=forged"), await sent(fake, live, "cancel", link="forged")]
    for answer in answers:
        assert answer
        assert (answer.status, NO_LINK in text(answer), "Saturday" in text(answer)) == (404, True, False)
    assert fake.changes == []


async def test_appointment_is_cancelled_after_one_more_question(live: LiveExport) -> None:
    fake = FakeAppointments()
    asked = await sent(fake, live, "ask")
    assert ("<u>asked</u>" in text(asked), fake.changes) == (True, [])
    kept = await sent(fake, live, "show")
    assert (kept.status, kept.headers["location"]) == (303, f"/your-appointment/?link={LINK}")
    done = await sent(fake, live, "cancel")
    assert (done.status, done.headers["location"]) == (303, f"/your-appointment/?link={LINK}")
    page = await opened(fake, live, f"link={LINK}")
    assert page
    assert "Your appointment is cancelled" in text(page)
    assert "<u>coming</u>" not in text(page)


async def test_appointment_is_moved(live: LiveExport) -> None:
    fake = FakeAppointments(free=[slot(30, 9)])
    answer = await sent(fake, live, "move", slot="20261130T0900Z-20-telephone")
    assert (answer.status, answer.headers["location"]) == (303, f"/your-appointment/?link={LINK}&moved=yes")
    assert fake.changes == [("move", "20261130T0900Z-20-telephone", 0)]
    page = await opened(fake, live, f"link={LINK}&moved=yes")
    assert page
    assert "Monday 30 November 2026, 9am to 9:20am" in text(page)
    assert "<em>moved" in text(page)


async def test_time_taken_meanwhile_is_told_at_once_with_the_nearest_free_ones(live: LiveExport) -> None:
    fake = FakeAppointments(free=[slot(30, 9, 20), slot(30, 10)])
    fake.outcome = AppointmentRefused(reason=TAKEN, next_free=(slot(30, 9, 20),), appointment=fake.held)
    answer = await sent(fake, live, "move", slot="20261130T0900Z-20-telephone")
    page = text(answer)
    assert (answer.status, page.count(TAKEN), SHOWN in page) == (422, 2, True)
    assert page.count("enquiry-slot") == 2
    assert page.index("9:20am on Monday 30 November") < page.index("<details")


@pytest.mark.parametrize("chosen", ["", "soon", "20261399T0900Z-20-telephone", "20261130T0900Z-20-video"])
async def test_move_needs_a_time_for_the_same_kind_of_call(live: LiveExport, chosen: str) -> None:
    fake = FakeAppointments(free=[slot(30, 9)])
    answer = await sent(fake, live, "move", slot=chosen)
    assert (answer.status, NO_TIME in text(answer), fake.changes) == (422, True, [])


async def test_version_that_is_no_number_is_none_of_ours(live: LiveExport) -> None:
    fake = FakeAppointments()
    for sequence in ("", "x", "-1", "9" * 40):
        await sent(fake, live, "cancel", sequence=sequence)
    assert {version for _, _, version in fake.changes} == {-1}


async def test_appointment_that_changed_meanwhile_is_shown_as_it_is(live: LiveExport) -> None:
    now = appointment(slot=slot(30, 15), sequence=4)
    fake = FakeAppointments(outcome=AppointmentRefused(reason="It was moved meanwhile", appointment=now))
    answer = await sent(fake, live, "cancel")
    page = text(answer)
    assert (answer.status, "3pm to 3:20pm" in page, f"{LINK} 4" in page) == (422, True, True)
    assert "enquiry-slot" not in page


@pytest.mark.parametrize(
    "held",
    [
        appointment(slot=slot(27, 7)),
        appointment(state=AppointmentState.MISSED, slot=slot(26, 10)),
        appointment(state=AppointmentState.CANCELLED),
    ],
)
async def test_appointment_that_is_over_offers_no_change(live: LiveExport, held: object) -> None:
    fake = FakeAppointments(free=[slot(30, 9)], held=held)  # pyright: ignore[reportArgumentType]
    answer = await opened(fake, live, f"link={LINK}")
    assert answer
    assert (answer.status, "<u>coming</u>" in text(answer)) == (200, False)


async def test_claim_in_the_address_that_it_was_moved_is_not_repeated_where_nothing_changed(live: LiveExport) -> None:
    fake = FakeAppointments()
    answer = await opened(fake, live, f"link={LINK}&moved=yes")
    assert answer
    assert "<em>" not in text(answer)


async def test_database_that_is_away_is_no_fault_of_the_link(live: LiveExport) -> None:
    fake = FakeAppointments(outcome=AppointmentRefused(reason=AWAY, appointment=appointment()))
    assert (await sent(fake, live, "cancel")).status == 503


async def test_calendar_file_is_downloaded_by_the_link(live: LiveExport) -> None:
    fake = FakeAppointments()
    answer = await opened(fake, live, f"link={LINK}", path=routes.YOUR_APPOINTMENT_FILE)
    assert answer
    assert answer.body == b"BEGIN:VCALENDAR"
    assert answer.headers["content-disposition"] == 'attachment; filename="appointment.ics"'
    assert await opened(fake, live, "link=forged", path=routes.YOUR_APPOINTMENT_FILE) is None
