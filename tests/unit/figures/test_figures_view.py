from datetime import date, timedelta

from broker.analytics.counted import Counted
from broker.enquiries.working_time import OFFICE_WEEK
from broker.figures.figures import Frames, Period
from broker.figures.figures_file import table_csv
from broker.figures.figures_view import FEW, MAX_TONES, FigureTable, figure_tables, stats
from tests.unit.figures.frames import NOW, at, frames

PERIOD = Period(weeks=3, now=NOW)


def table(found: Frames, name: str) -> FigureTable:
    return next(each for each in figure_tables(found, PERIOD, OFFICE_WEEK) if each.name == name)


def test_a_table_has_the_present_week_first_and_a_total_last() -> None:
    found = table(frames(cases=[{}, {"created": at("2026-11-10 09:00"), "source": "towns"}]), "enquiries-by-source")
    assert tuple(found.frame.columns) == ("Week of", "Rates", "Towns", "All")
    assert found.rows == (
        ("23 Nov", "1", "0", "1"),
        ("16 Nov", "0", "0", "0"),
        ("9 Nov", "0", "1", "1"),
        ("3 weeks", "1", "1", "2"),
    )


def test_the_parts_of_a_column_add_up_to_its_height() -> None:
    sources = ["rates"] * 3 + ["plans"] * 2 + ["guides", "towns", "telephone", "contact", "other"]
    chart = table(frames(cases=[{"source": each} for each in sources]), "enquiries-by-source").chart
    *_, present = chart.columns
    heights = [int(part.height.removesuffix("px")) for part in present.parts]
    assert (present.figure, sum(heights)) == ("10", 150)
    assert [part.tone for part in present.parts] == ["c5", "c4", "c3", "c2", "c1"]
    assert [key.words for key in chart.legend][-1] == "The others"
    assert len(chart.legend) == MAX_TONES


def test_accounts_keep_their_names_and_nobody_is_named() -> None:
    found = table(frames(cases=[{"adviser": "ada"}] * 2 + [{"adviser": ""}]), "enquiries-by-adviser")
    assert tuple(found.frame.columns) == ("Week of", "ada", "Nobody", "All")


def test_weeks_and_pages_are_rows_and_other_values_stand_beside_each_other() -> None:
    step = {"number": 1, "at": NOW}
    found = frames(
        cases=[{}], outcomes=[{**step, "adviser": "ada", "outcome": "reached"}], stages=[{**step, "stage": "offer"}]
    )
    assert table(found, "outcomes-by-service").rows == (("Reached", "1", "1"),)
    assert tuple(table(found, "outcomes-by-service").frame.columns) == ("Kind", "Remortgage", "All")
    assert table(found, "stages-by-page").rows == (("/rates/", "1", "1"), ("All", "1", "1"))
    assert table(found, "stages-by-week").rows[0] == ("23 Nov", "1", "1")
    assert table(found, "first-calls-by-week").rows[0][0] == "23 Nov"


def test_the_page_folds_the_rarest_values_and_the_files_do_not() -> None:
    found = table(
        frames(cases=[{"page": f"/{number}/"} for number in range(9) for _ in range(9 - number)]), "enquiries-by-page"
    )
    assert tuple(found.shown.columns) == ("Week of", "/0/", "/1/", "/2/", "/3/", "/4/", "The others", "All")
    assert found.rows[0] == ("23 Nov", "9", "8", "7", "6", "5", "10", "45")
    assert len(found.frame.columns) == 11


def test_slots_are_drawn_as_booked_and_free_and_have_no_sum_of_both() -> None:
    booked = {"number": 1, "adviser": "ada", "created": NOW, "starts": NOW, "state": "held"}
    found = table(frames(slots=[{"adviser": "ada", "starts": NOW}] * 4, appointments=[booked]), "slots-by-week")
    assert tuple(found.frame.columns) == ("Week of", "Offered", "Booked", "Held", "Share booked")
    assert (found.rows[0], found.rows[-1]) == (("23 Nov", "4", "1", "1", "25%"), ("3 weeks", "4", "1", "1", "25%"))
    assert [key.words for key in found.chart.legend] == ["Booked", "Free"]
    assert [part.height for part in found.chart.columns[-1].parts] == ["112px", "38px"]


def test_every_measure_has_a_chart() -> None:
    step = {"number": 1, "at": NOW, "adviser": "ada"}
    found = frames(
        cases=[{"first_call_at": NOW, "call_by": NOW}],
        outcomes=[{**step, "outcome": "reached"}],
        stages=[{**step, "stage": "offer"}],
        slots=[{"adviser": "ada", "starts": NOW}],
        appointments=[{**step, "created": NOW, "starts": NOW, "state": "booked"}],
    )
    for each in figure_tables(found, PERIOD, OFFICE_WEEK):
        assert each.chart.columns or each.chart.bars, each.name


def test_the_promise_is_drawn_where_it_is_near_to_what_was_reached() -> None:
    def called(minutes: int) -> Frames:
        received = at("2026-11-24 09:00")
        case = {"created": received, "first_call_at": received + timedelta(minutes=minutes)}
        return frames(cases=[{**case, "call_by": at("2026-11-24 18:00")}])

    near, far = (table(called(minutes), "first-calls-by-adviser").chart for minutes in (480, 30))
    assert near.line_words == "1 day, promised"
    assert [chart.columns[-1].figure for chart in (near, far)] == ["8:00", "0:30"]
    assert not far.line
    note = table(called(30), "first-calls-by-adviser").note
    assert "one working day, 9 h; where an appointment is booked, its time, which may be later" in note


def test_times_are_words_on_the_page_and_minutes_in_the_file() -> None:
    received = at("2026-11-24 09:00")
    cases = [{"created": received, "first_call_at": received + timedelta(minutes=each)} for each in (70, 70, 600)]
    found = table(frames(cases=[{**each, "call_by": at("2026-11-24 18:00")} for each in cases]), "first-calls-by-week")
    assert found.rows[0][:4] == ("23 Nov", "3", "1 h 10 min", "1 day")
    head, row = table_csv(found).splitlines()[:2]
    assert head == "Week of,First calls,Median (minutes),9 of 10 in (minutes),Kept,Broken"
    assert row.startswith("23 Nov,3,70.0,540.0,")


def test_a_hidden_count_is_no_number_anywhere() -> None:
    counts = [(date(2026, 11, 16), Counted.SEARCH.value, 50), (date(2026, 11, 16), Counted.PLAN_ANSWERED.value, 3)]
    found = table(frames(counts=counts), "funnel")
    assert found.rows[:2] == (("Searches of rates", "50", ""), ("Plans made", FEW, ""))
    assert found.chart.bars[1].figure == FEW
    assert found.chart.bars[1].width == "0.0%"


def test_hidden_watches_are_in_no_sum() -> None:
    found = table(frames(cases=[{"deal_ends": date(2026, 12, 31)}], watches=[date(2026, 12, 1)] * 4), "deal-ends")
    assert found.rows[1] == ("Dec 2026", "1", FEW, FEW, "£0")
    assert found.rows[-1] == ("12 months", "1", FEW, FEW, "£0")
    assert [column.figure for column in found.chart.columns][:2] == ["0", "1"]


def test_the_funnel_says_how_many_of_its_weeks_were_merged() -> None:
    parts = [{"merged_into": 1, "created": at(day)} for day in ("2026-11-18 09:00", "2026-10-01 09:00")]
    found = frames(cases=[{}, *parts])
    assert table(found, "funnel").note.endswith("of enquiries; 1 merged into others")


def test_this_week_is_compared_with_the_last_one_up_to_the_same_time() -> None:
    last_thursday = NOW - timedelta(weeks=1)
    cases = [{}, {}, {"created": last_thursday - timedelta(hours=1)}, {"created": last_thursday + timedelta(hours=1)}]
    first, *_ = stats(frames(cases=cases), PERIOD, OFFICE_WEEK)
    assert (first.figure, first.change, first.tone) == ("2", "1 more", "up")


def test_completions_have_the_loans_of_their_cases() -> None:
    found = frames(
        cases=[{"amount": 900_000}, {"amount": 250_000}, {"amount": 100_000}],
        outcomes=[
            {"number": number, "at": at(day), "adviser": "ada", "outcome": "completed"}
            for number, day in (
                (1, "2025-05-01 09:00"),
                (1, "2026-11-02 09:00"),
                (2, "2026-11-20 09:00"),
                (3, "2026-10-31 23:59"),
            )
        ],
    )
    *_, completions = stats(found, PERIOD, OFFICE_WEEK)
    assert (completions.label, completions.figure, completions.words) == (
        "Completions, November",
        "2",
        "£1.1m; 1 in October",
    )


def test_nothing_at_all_can_be_shown() -> None:
    nothing = frames()
    assert [each.figure for each in stats(nothing, PERIOD, OFFICE_WEEK)] == ["0", "–", "–", "0", "0", "0"]
    assert all(each.rows is not None for each in figure_tables(nothing, PERIOD, OFFICE_WEEK))


def test_values_are_said_in_the_words_of_cases() -> None:
    found = frames(
        cases=[{"source": "contact", "service": "landlord"}, {"source": "other", "service": "other"}],
        stages=[{"number": number, "at": NOW, "stage": "principle"} for number in (1, 2)],
    )
    assert tuple(table(found, "stages-by-source").frame.columns) == ("Kind", "Contact page", "Other pages", "All")
    assert tuple(table(found, "stages-by-service").frame.columns) == ("Kind", "Buy to let", "Not said", "All")
    assert table(found, "stages-by-service").rows == (("In principle", "1", "1", "2"),)
