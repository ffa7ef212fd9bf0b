from datetime import date, timedelta

import pandas as pd
import pytest

from broker.analytics.counted import Counted
from broker.enquiries.working_time import OFFICE_WEEK
from broker.figures.figures import (
    ADVISER,
    ALL,
    APPLICATIONS,
    APPOINTMENTS,
    BOOKED,
    BROKEN,
    CALLS,
    CASES,
    COMPLETIONS,
    COUNT,
    ENQUIRIES,
    HELD,
    KEPT,
    KIND,
    LOANS,
    MEDIAN,
    MISSED,
    NINE_OF_TEN,
    OFFERED,
    PAGE,
    SERVICE,
    SHARE,
    SOURCE,
    WATCHES,
    WEEK,
    Period,
    counted,
    deal_ends,
    enquiries,
    first_calls,
    funnel,
    measured,
    of_adviser,
    outcomes,
    shown_total,
    slots,
    stages,
    working_minutes,
)
from tests.unit.figures.frames import NOW, at, frames

PERIOD = Period(weeks=3, now=NOW)
THIS, LAST, FIRST = date(2026, 11, 23), date(2026, 11, 16), date(2026, 11, 9)


def test_a_period_begins_on_a_monday_and_ends_now() -> None:
    assert PERIOD.mondays == [FIRST, LAST, THIS]
    assert PERIOD.start == at("2026-11-09 00:00")


def test_enquiries_are_counted_by_week_and_value_the_most_frequent_first() -> None:
    found = frames(
        cases=[
            *({"created": at("2026-11-08 23:59"), "source": "towns"},),
            *({"created": at("2026-11-09 00:00"), "source": "plans"},),
            *({"created": at("2026-11-22 23:59"), "source": "rates"},),
            *({"created": at("2026-11-23 00:00"), "source": "rates"},),
            *({"created": at("2026-11-26 06:01"), "source": "rates"},),
        ]
    )
    table = counted(enquiries(found, PERIOD), WEEK, SOURCE, PERIOD)
    assert list(table.columns) == ["rates", "plans", ALL]
    assert table.to_dict("index") == {
        FIRST: {"rates": 0, "plans": 1, ALL: 1},
        LAST: {"rates": 1, "plans": 0, ALL: 1},
        THIS: {"rates": 1, "plans": 0, ALL: 1},
        ALL: {"rates": 2, "plans": 1, ALL: 3},
    }


def test_weeks_follow_uk_time_over_a_clock_change() -> None:
    # 25 October 2026 is the Sunday on which the clocks go back
    sunday, monday = pd.Timestamp("2026-10-25 23:59:59Z"), pd.Timestamp("2026-10-26 00:00Z")
    summer = pd.Timestamp("2026-10-18 23:00Z")
    found = frames(cases=[{"created": each} for each in (summer, sunday, monday)])
    period = Period(weeks=2, now=at("2026-10-27 09:00"))
    table = counted(enquiries(found, period), WEEK, SOURCE, period)
    assert table[ALL].to_dict() == {date(2026, 10, 19): 2, date(2026, 10, 26): 1, ALL: 3}


def test_a_merged_enquiry_is_not_counted_twice() -> None:
    found = frames(cases=[{}, {"merged_into": 1}])
    assert counted(enquiries(found, PERIOD), WEEK, SOURCE, PERIOD).loc[ALL, ALL] == 1


WORKING = {
    "within an hour": ("2026-11-26 09:10", "2026-11-26 09:41", 31),
    "over night": ("2026-11-25 17:30", "2026-11-26 09:30", 60),
    "from the night": ("2026-11-25 22:00", "2026-11-26 09:20", 20),
    "over a weekend": ("2026-11-20 17:00", "2026-11-23 10:00", 120),
    "over Christmas": ("2026-12-24 17:00", "2026-12-29 09:15", 75),
    "over a clock change": ("2026-10-23 17:00", "2026-10-26 09:01", 61),
    "called at night": ("2026-11-25 20:00", "2026-11-25 21:00", 0),
}


@pytest.mark.parametrize(("start", "end", "minutes"), WORKING.values(), ids=WORKING)
def test_only_open_hours_count(start: str, end: str, minutes: int) -> None:
    times = [pd.to_datetime(pd.Series([at(each)]), utc=True) for each in (start, end)]
    assert working_minutes(times[0], times[1], OFFICE_WEEK).tolist() == [minutes]


def _promised(created: str, called: str | None, call_by: str, **more: object) -> dict[str, object]:
    return {"created": at(created), "first_call_at": at(called) if called else None, "call_by": at(call_by), **more}


CALLED = frames(
    cases=[
        _promised("2026-11-24 09:00", "2026-11-24 09:20", "2026-11-25 09:00"),
        _promised("2026-11-24 09:00", "2026-11-24 09:40", "2026-11-25 09:00"),
        _promised("2026-11-17 09:00", "2026-11-18 09:30", "2026-11-18 09:00", adviser="ben"),
        # never called, and the promise is past; not called, and the promise is still to come; nobody promised
        _promised("2026-11-17 09:00", None, "2026-11-18 09:00", adviser="ben"),
        _promised("2026-11-25 09:00", None, "2026-11-26 09:00", adviser="ben"),
        {"first_call_at": NOW},
    ]
)


def test_first_calls_are_measured_against_their_promise() -> None:
    table = measured(first_calls(CALLED, PERIOD, OFFICE_WEEK), ADVISER, PERIOD)
    assert table.index.tolist() == ["ada", "ben", ALL]
    ada, ben, everybody = (table.loc[name] for name in table.index)
    assert (ada[CALLS], ada[MEDIAN], ada[NINE_OF_TEN], ada[KEPT], ada[BROKEN]) == (2, 30, 40, 1, 0)
    assert (ben[CALLS], ben[MEDIAN], ben[KEPT], ben[BROKEN]) == (1, 9 * 60 + 30, 0, 2)
    assert (everybody[CALLS], everybody[MEDIAN], everybody[KEPT], everybody[BROKEN]) == (3, 40, 0.5, 2)


def test_first_calls_belong_to_the_week_of_their_enquiry() -> None:
    table = measured(first_calls(CALLED, PERIOD, OFFICE_WEEK), WEEK, PERIOD)
    assert table.index.tolist() == [FIRST, LAST, THIS, ALL]
    assert table[CALLS].fillna(0).tolist() == [0, 1, 2, 3]
    assert table[MEDIAN].isna().tolist() == [True, False, False, False]


def test_without_a_promise_there_are_no_first_calls() -> None:
    found = first_calls(frames(cases=[{}]), PERIOD, OFFICE_WEEK)
    assert found.empty
    assert measured(found, ADVISER, PERIOD).index.tolist() == [ALL]


def test_a_case_counts_once_for_each_outcome_with_who_recorded_it_last() -> None:
    recorded = [
        {"number": 1, "at": at("2026-11-20 09:00"), "adviser": "ada", "outcome": "no-answer"},
        {"number": 1, "at": at("2026-11-23 09:00"), "adviser": "ben", "outcome": "no-answer"},
        {"number": 1, "at": at("2026-11-24 09:00"), "adviser": "ben", "outcome": "reached"},
        {"number": 2, "at": at("2026-11-24 09:00"), "adviser": "ada", "outcome": "reached"},
        {"number": 3, "at": at("2026-11-01 09:00"), "adviser": "ada", "outcome": "reached"},
    ]
    table = counted(outcomes(frames(outcomes=recorded), PERIOD), KIND, ADVISER, PERIOD)
    assert table.to_dict("index") == {
        "reached": {"ben": 1, "ada": 1, ALL: 2},
        "no-answer": {"ben": 1, "ada": 0, ALL: 1},
        ALL: {"ben": 2, "ada": 1, ALL: 3},
    }


def test_what_cases_reach_is_counted_by_what_the_cases_are() -> None:
    recorded = [{"number": number, "at": NOW, "adviser": "ada", "outcome": "reached"} for number in (1, 2, 3)]
    found = frames(
        cases=[
            {"source": "towns", "page": "/mortgage-broker-ely/", "service": "moving", "adviser": "ben"},
            {"source": "towns", "page": "/mortgage-broker-ham/", "service": "moving", "adviser": ""},
            {"merged_into": 1},
        ],
        outcomes=recorded,
        stages=[{"number": 2, "at": NOW, "stage": "offer"}, {"number": 3, "at": NOW, "stage": "advice"}],
        appointments=[{"number": 2, "adviser": "cat", "created": NOW, "starts": NOW, "state": "held"}],
        slots=[{"adviser": "cat", "starts": NOW}],
    )

    def by(rows: pd.DataFrame, name: str) -> dict[str, dict[str, int]]:
        table = counted(rows, name, KIND, PERIOD, kinds=("advice", "offer")).drop(index=ALL, columns=ALL)
        return table.to_dict("index")

    assert by(outcomes(found, PERIOD), PAGE) == {
        "/mortgage-broker-ely/": {"reached": 1},
        "/mortgage-broker-ham/": {"reached": 1},
    }
    assert by(outcomes(found, PERIOD), ADVISER) == {"ada": {"reached": 2}}
    assert by(stages(found, PERIOD), SERVICE) == {"moving": {"advice": 1, "offer": 1}}
    assert by(stages(found, PERIOD), ADVISER) == {"": {"advice": 0, "offer": 1}, "ben": {"advice": 1, "offer": 0}}
    assert by(slots(found, PERIOD), SOURCE) == {"towns": {BOOKED: 1, HELD: 1}}
    assert by(slots(found, PERIOD), ADVISER) == {"cat": {BOOKED: 1, HELD: 1, OFFERED: 1}}


def test_stages_are_counted_in_the_week_in_which_cases_first_reach_them() -> None:
    entered = [
        {"number": 2, "at": at("2026-11-25 09:00"), "stage": "advice"},
        {"number": 1, "at": at("2026-11-17 09:00"), "stage": "advice"},
        {"number": 1, "at": at("2026-11-18 09:00"), "stage": "advice"},
        {"number": 1, "at": at("2026-11-24 09:00"), "stage": "application"},
        {"number": 2, "at": at("2026-11-24 09:00"), "stage": "advice"},
    ]
    table = counted(stages(frames(stages=entered), PERIOD), WEEK, KIND, PERIOD)
    assert table["advice"].tolist() == [0, 1, 1, 2]
    assert table["application"].tolist() == [0, 0, 1, 1]


def test_slots_are_counted_with_what_was_booked_in_them() -> None:
    found = frames(
        slots=[{"adviser": "ada", "starts": at(f"2026-11-{day} 09:00")} for day in ("17", "24", "27")],
        appointments=[
            {"adviser": "ada", "created": NOW, "starts": at(f"2026-11-{day} 09:00"), "state": state}
            for day, state in (("17", "held"), ("18", "missed"), ("27", "booked"), ("27", "cancelled"))
        ],
    )
    table = counted(slots(found, PERIOD), WEEK, KIND, PERIOD).drop(columns=ALL)
    assert table.loc[LAST].to_dict() == {OFFERED: 1, BOOKED: 2, HELD: 1, MISSED: 1}
    assert table.loc[THIS].to_dict() == {OFFERED: 2, BOOKED: 1, HELD: 0, MISSED: 0}


SEARCH = Counted.SEARCH


def _counts(*totals: int, until: date = LAST) -> pd.DataFrame:
    rows = [(until - timedelta(weeks=ago), SEARCH.value, total) for ago, total in enumerate(reversed(totals))]
    return pd.DataFrame(rows, columns=["day", "kind", "count"])


def test_visitors_are_summed_over_whole_weeks() -> None:
    assert shown_total(_counts(6, 7), SEARCH, PERIOD) == 13
    assert shown_total(_counts(6, 7, 8, until=THIS), SEARCH, PERIOD) == 13, "the present week is not whole"
    assert shown_total(_counts(100, 6, 7), SEARCH, PERIOD) == 13, "an earlier week is outside the period"
    assert shown_total(_counts(), SEARCH, PERIOD) == 0


def test_a_week_below_five_is_in_no_total_so_that_no_difference_tells_it() -> None:
    counts = _counts(9, 4, 8)
    longer, shorter = (shown_total(counts, SEARCH, Period(weeks=weeks, now=NOW)) for weeks in (4, 3))
    assert (longer, shorter) == (17, 8)
    assert shown_total(_counts(4, 4), SEARCH, PERIOD) is None


def test_days_of_a_week_are_summed_before_they_are_hidden() -> None:
    rows = [(LAST + timedelta(days=day), SEARCH.value, 2) for day in range(7)]
    assert shown_total(pd.DataFrame(rows, columns=["day", "kind", "count"]), SEARCH, PERIOD) == 14


def test_the_funnel_has_no_share_that_gives_a_hidden_count_away() -> None:
    weeks = [(LAST, SEARCH.value, 50), (LAST, Counted.PLAN_ANSWERED.value, 4)]
    weeks += [(LAST, Counted.QUESTIONNAIRE_STARTED.value, 20), (LAST, Counted.QUESTIONNAIRE_FINISHED.value, 5)]
    last_week = at("2026-11-18 09:00")
    found = frames(
        cases=[{"created": last_week}, {"created": last_week}, {"created": at("2026-11-24 09:00")}],
        appointments=[
            {"number": 1, "adviser": "ada", "created": last_week, "starts": NOW, "state": state}
            for state in ("cancelled", "booked")
        ],
        outcomes=[{"number": 1, "at": last_week, "adviser": "ada", "outcome": "application"}],
        counts=weeks,
    )
    table = funnel(found, PERIOD)
    assert table[COUNT].fillna(-1).to_dict() == {
        Counted.SEARCH.value: 50,
        Counted.PLAN_ANSWERED.value: -1,
        Counted.QUESTIONNAIRE_STARTED.value: 20,
        Counted.QUESTIONNAIRE_FINISHED.value: 5,
        ENQUIRIES: 2,
        APPOINTMENTS: 1,
        APPLICATIONS: 1,
        COMPLETIONS: 0,
    }
    assert table[SHARE].fillna(-1).tolist() == [-1, -1, -1, 0.25, -1, 0.5, 0.5, 0]


def test_deal_ends_are_counted_for_twelve_months_with_the_loans_of_cases() -> None:
    found = frames(
        cases=[
            {"deal_ends": date(2026, 11, 30), "amount": 180_000},
            {"deal_ends": date(2027, 10, 1), "amount": 90_000},
            {"deal_ends": date(2027, 10, 31)},
            {"deal_ends": date(2027, 11, 1), "amount": 1},
            {"deal_ends": date(2026, 11, 30), "amount": 1, "merged_into": 1},
        ],
        watches=[*[date(2027, 10, 1)] * 5, *[date(2027, 9, 1)] * 4, date(2026, 10, 1)],
    )
    table = deal_ends(found, PERIOD)
    assert len(table) == 12
    assert table.loc["2026-11"].to_dict() == {CASES: 1, WATCHES: 0, LOANS: 180_000}
    assert table.loc["2027-10"].to_dict() == {CASES: 2, WATCHES: 5, LOANS: 90_000}
    assert table.isna().sum().to_dict() == {CASES: 0, WATCHES: 1, LOANS: 0}, "four watches may tell of one visitor"


def test_an_advisers_figures_hold_nothing_of_others() -> None:
    found = frames(
        cases=[{"adviser": "ada"}, {"adviser": "ben"}, {"adviser": ""}],
        stages=[{"number": number, "at": NOW, "stage": "advice"} for number in (1, 2)],
        outcomes=[
            {"number": number, "at": NOW, "adviser": who, "outcome": "reached"}
            for number, who in ((1, "ben"), (2, "ada"))
        ],
        appointments=[{"adviser": who, "created": NOW, "starts": NOW, "state": "booked"} for who in ("ada", "ben")],
        slots=[{"adviser": who, "starts": NOW} for who in ("ada", "ben", "ben")],
        counts=[(LAST, SEARCH.value, 50)],
        watches=[date(2026, 12, 1)],
    )
    own = of_adviser(found, "ada")
    assert len(enquiries(own, PERIOD)) == 1
    assert outcomes(own, PERIOD)["adviser"].tolist() == ["ada"]
    assert stages(own, PERIOD)["number"].tolist() == [1]
    assert slots(own, PERIOD)[[KIND, "adviser"]].to_numpy().tolist() == [[OFFERED, "ada"], [BOOKED, "ada"]]
    assert funnel(own, PERIOD).index.tolist() == [ENQUIRIES, APPOINTMENTS, APPLICATIONS, COMPLETIONS]
    assert deal_ends(own, PERIOD)[WATCHES].sum() == 0


def test_a_merged_case_reaches_each_step_once() -> None:
    last_week = at("2026-11-18 09:00")
    step = {"at": last_week, "adviser": "ada"}
    found = frames(
        cases=[{"created": last_week}, {"created": last_week, "merged_into": 1}],
        outcomes=[{**step, "number": number, "outcome": "application"} for number in (1, 2)],
        stages=[{"at": last_week, "number": number, "stage": "application"} for number in (1, 2)],
        appointments=[
            {"number": number, "adviser": "ada", "created": last_week, "starts": NOW, "state": "booked"}
            for number in (1, 2)
        ],
    )
    assert funnel(found, PERIOD)[COUNT].to_dict() == {ENQUIRIES: 1, APPOINTMENTS: 1, APPLICATIONS: 1, COMPLETIONS: 0}
    assert outcomes(found, PERIOD)[KIND].tolist() == ["application"]
    assert stages(found, PERIOD)[KIND].tolist() == ["application"]


def test_whoever_telephones_was_promised_no_call() -> None:
    found = frames(
        cases=[
            _promised("2026-11-24 09:00", None, "2026-11-24 09:00"),
            _promised("2026-11-24 09:00", "2026-11-24 11:00", "2026-11-24 09:00"),
            _promised("2026-11-24 09:00", "2026-11-24 17:00", "2026-11-25 09:00"),
            # the same person, on the telephone meanwhile
            _promised("2026-11-24 16:00", "2026-11-24 17:00", "2026-11-24 16:00", merged_into=3),
        ]
    )
    assert first_calls(found, PERIOD, OFFICE_WEEK)["is_kept"].tolist() == [True]


def test_a_merged_case_came_in_and_was_called_when_the_first_of_its_parts_was() -> None:
    found = frames(
        cases=[
            _promised("2026-11-24 09:00", "2026-11-25 09:30", "2026-11-25 09:00"),
            _promised("2026-11-17 09:00", "2026-11-17 09:30", "2026-11-18 09:00", merged_into=1),
        ]
    )
    (call,) = first_calls(found, PERIOD, OFFICE_WEEK).to_dict("records")
    assert (call[WEEK], call["minutes"], call["is_kept"]) == (LAST, 30, True)


def test_advisers_are_all_accounts_and_whoever_has_done_something() -> None:
    found = frames(
        cases=[{"adviser": ""}, {"adviser": "ben"}],
        outcomes=[{"number": 1, "at": NOW, "adviser": "cat", "outcome": "reached"}],
        accounts=["ada"],
    )
    assert found.advisers == ("ada", "ben", "cat")


def test_nothing_at_all_makes_tables_without_a_count() -> None:
    nothing = frames()
    assert counted(enquiries(nothing, PERIOD), WEEK, SOURCE, PERIOD)[ALL].tolist() == [0, 0, 0, 0]
    assert counted(outcomes(nothing, PERIOD), KIND, ADVISER, PERIOD).index.tolist() == [ALL]
    assert counted(stages(nothing, PERIOD), WEEK, KIND, PERIOD)[ALL].tolist() == [0, 0, 0, 0]
    assert measured(first_calls(nothing, PERIOD, OFFICE_WEEK), WEEK, PERIOD)[CALLS].isna().all()
    assert funnel(nothing, PERIOD)[COUNT].tolist() == [0, 0, 0, 0]
    assert deal_ends(nothing, PERIOD).to_numpy().sum() == 0
