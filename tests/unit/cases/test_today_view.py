from datetime import timedelta
from typing import Any

from broker.appointments.appointment import Appointment, AppointmentState, Medium, Slot
from broker.cases.case import EnquirySummary, Service, Stage
from broker.cases.today import DayAppointment, Today
from broker.cases.today_view import SERVICES, DayGroup, KnownCase, day_view, known_cases, next_after, with_held_rows
from broker.enquiries.enquiry import EnquiryState
from tests.unit.cases.cases import NOW, head


def row(number: int, **fields: Any) -> EnquirySummary:
    return head(reference=f"HG-2222-333{number}", service=Service.REMORTGAGE, amount=148_000, **fields)


def booked(number: int, **fields: Any) -> Appointment:
    usual: dict[str, Any] = {"minutes": 20, "medium": Medium.TELEPHONE, "start": NOW + timedelta(minutes=22)}
    slot = Slot(**{**usual, **{key: fields.pop(key) for key in tuple(fields) if key in usual}})
    held: dict[str, Any] = {"id": number, "uid": "u", "sequence": 0, "adviser": "ada", "created": NOW}
    state = fields.get("state", AppointmentState.BOOKED)
    return Appointment(**held, slot=slot, reference=f"HG-2222-333{number}", state=state)


WORKED = {"state": EnquiryState.CALLED, "assigned": "ben", "stage": Stage.VALUATION}
TODAY = Today(
    appointments=(
        DayAppointment(case=row(1), booked=booked(1, start=NOW - timedelta(hours=2))),
        DayAppointment(case=row(2), booked=booked(2, medium=Medium.VIDEO, minutes=40)),
        DayAppointment(case=row(3), booked=booked(3, start=NOW - timedelta(minutes=5))),
    ),
    calls=(row(4, assigned="ada", call_by=NOW - timedelta(minutes=18)), row(5, call_by=NOW + timedelta(hours=2))),
    new=(row(6, call_by=NOW + timedelta(minutes=44)),),
    due=(
        row(7, next_due=NOW - timedelta(days=2), next_action="Payslips from client", **WORKED),
        row(8, next_due=NOW + timedelta(hours=3), next_action="Valuation booked?", has_needs=True, **WORKED),
    ),
)


def groups(today: Today = TODAY, *, everyone: bool = False) -> dict[str, DayGroup]:
    return {group.key: group for group in day_view(today, now=NOW, everyone=everyone).groups}


def test_rows_stand_in_their_groups_with_their_times_and_what_is_late() -> None:
    found = groups()
    shown = {key: [(one.time, one.what, one.badge, one.tone) for one in group.rows] for key, group in found.items()}
    assert shown == {
        "appointments": [
            ("10:00", "Remortgage, 20 min", "", "gray"),
            ("12:22", "Remortgage, video, 40 min", "in 22 min", "orange"),
            ("11:55", "Remortgage, 20 min", "now", "orange"),
        ],
        "calls": [("11:42", "Remortgage £148,000", "18 min late", "red"), ("14:00", "Remortgage £148,000", "", "gray")],
        "new": [("11:00", "Remortgage £148,000", "by 12:44", "orange")],
        "due": [
            ("Sun 1", "Payslips from client", "2 days late", "red"),
            ("15:00", "Valuation booked?", "Valuation", "gray"),
        ],
        "watches": [],
    }
    assert [one.action for one in found["appointments"].rows] == ["done", "call", "call"]
    assert [(one.action, one.action_href) for one in found["new"].rows] == [("take", "")]
    assert [one.has_needs for one in found["due"].rows] == [False, True]


def test_appointments_of_one_case_have_rows_of_their_own() -> None:
    both = tuple(DayAppointment(case=row(1), booked=booked(number)) for number in (1, 2))
    rows = groups(Today(appointments=both))["appointments"].rows
    assert [one.reference for one in rows] == [row(1).reference] * 2
    assert len({one.key for one in rows}) == 2


def test_chips_count_what_is_left_and_what_is_late() -> None:
    view = day_view(TODAY, now=NOW, everyone=False)
    assert [(group.count, group.chip, group.late) for group in view.groups] == [
        ("2", "Booked", ""),
        ("2", "Calls", ", 1 late"),
        ("1", "New", ""),
        ("2", "Next", ", 1 late"),
        ("0", "Watches", ""),
    ]
    assert (view.total, view.empty, view.day) == (7, "", "Tuesday 3 March")
    assert groups()["new"].remark == "promise by 12:44"


def test_rows_of_all_accounts_say_whose_they_are() -> None:
    assert [(one.initials, one.who_tone) for one in groups(everyone=True)["due"].rows] == [("BE", "a2")] * 2
    assert {one.initials for group in groups().values() for one in group.rows} == {""}


def test_empty_day_says_what_comes_next() -> None:
    view = day_view(Today(), now=NOW, everyone=False)
    assert (view.total, view.empty) == (0, "Nothing is due today")
    assert view.empty_words


def test_next_goes_on_and_begins_again_after_the_last() -> None:
    view = day_view(TODAY, now=NOW, everyone=False)
    order = [one.reference for group in view.groups for one in group.rows if not one.is_done]
    for this, after in zip(order, [*order[1:], order[0]], strict=True):
        href, place = next_after(view, this)
        assert (href, place) == (f"/staff/?reference={after}", f"{order.index(this) + 1} of 7")
    assert next_after(view, "") == (f"/staff/?reference={order[0]}", "")
    assert next_after(day_view(Today(), now=NOW, everyone=False), "HG-2222-3333") == ("", "")


def test_case_that_has_left_the_list_is_followed_by_what_was_planned_after_it() -> None:
    view = day_view(TODAY, now=NOW, everyone=False)
    first, *_, last = [one.href for group in view.groups for one in group.rows if one.reference and not one.is_done]
    assert next_after(view, "HG-9999-9999", planned=last) == (last, "")
    assert next_after(view, "HG-9999-9999", planned="/staff/?reference=HG-9999-9999") == (first, "")
    assert next_after(view, "", planned=last) == (first, "")


def test_rows_that_came_meanwhile_are_marked() -> None:
    view = day_view(TODAY, now=NOW, everyone=False)
    known = frozenset(one.key for group in view.groups for one in group.rows) - {"new-HG-2222-3336"}
    held = with_held_rows(view, known)
    assert [one.reference for group in held.groups for one in group.rows if one.is_new] == ["HG-2222-3336"]


def test_caller_who_is_known_is_named() -> None:
    assert known_cases(()) == ((), "")
    known = known_cases((row(1, assigned="ben"), row(2)))
    assert known == (
        (
            KnownCase(words="\u2068Zoë\u2069 (HG-2222-3331, ben)", href="/staff/?reference=HG-2222-3331", after=", "),
            KnownCase(words="\u2068Zoë\u2069 (HG-2222-3332, nobody)", href="/staff/?reference=HG-2222-3332"),
        ),
        "",
    )
    cases, more = known_cases([row(number) for number in range(5)])
    assert (len(cases), more) == (3, " and 2 more")


def test_form_of_a_caller_says_no_kind_of_mortgage_until_somebody_does() -> None:
    assert [words for _, words in SERVICES] == ["Not said", "First home", "Moving", "Remortgage", "Buy to let"]
