from datetime import date

from broker.calculators.published_figures import Source
from broker.calculators.published_figures_view import (
    GROUPS,
    SAME,
    FigureRow,
    figure_groups,
    rate_tables,
    sources,
    summary,
)
from broker.lending.property_tax_rates import SOURCES
from tests.unit.calculators.published import PUBLISHED, published

SHOWN = {group.title: group.rows for group in figure_groups(PUBLISHED)}
ENGLAND, SCOTLAND, WALES = rate_tables()


def row(asked: str, source: str, theirs: str, *, ours: str = "", difference: str = SAME, why: str = "") -> FigureRow:
    return FigureRow(asked=asked, source=source, theirs=theirs, ours=ours or theirs, difference=difference, why=why)


def test_every_figure_is_in_one_group_and_subjects_come_before_taxes() -> None:
    assert sum(map(len, SHOWN.values())) == len(PUBLISHED)
    assert tuple(SHOWN)[: len(GROUPS)] == tuple(GROUPS)
    assert tuple(SHOWN)[len(GROUPS)] == "Stamp duty, England and Northern Ireland, rates from 1 April 2025"
    assert tuple(SHOWN)[-1] == "LTT, Wales, rates from 1 January 2021"


def test_figures_are_shown_with_the_digits_that_are_published() -> None:
    assert SHOWN["Overpayments"] == (
        row(
            "£200,000 at 3.00% over 25 years, £200 more a month: interest saved",
            "money.co.uk, read 25 November 2026",
            "£21,622",
        ),
        row(
            "£200,000 at 3.00% over 25 years, £200 more a month: time saved",
            "money.co.uk, read 25 November 2026",
            "5 years 11 months",
        ),
    )
    assert [each.theirs for each in SHOWN["APRC"][:3]] == ["5.3%", "5.4%", "10.61%"]
    assert SHOWN["Loan to value"] == (
        row("£320,000 on a home of £400,000", "John Charcol, read 25 November 2026", "80%"),
    )


def test_questions_say_what_was_asked() -> None:
    asked = {each.asked for rows in SHOWN.values() for each in rows}
    assert asked > {
        "£410,000 at 5.00% over 20 years, after 1 year",
        "£100,000, an additional home",
        "£250,000, moving home, not living in the UK",
        "£300,000, moving home, saved against the rates that followed",
        "£111,600: 360 months at 4.70%, £200 in fees, £115 to close the account, £330.52 of first interest",
        "£150,999 over 23 years, the first 60 months at 4.59%",
    }


def test_difference_says_by_how_much_and_which_way() -> None:
    differing = [each for rows in SHOWN.values() for each in rows if each.difference != SAME]
    assert differing[0] == row(
        "£100,000 at 7.50% over 25 years, after 1 year",
        "Money Advice Service, version 092cf8c, read 26 November 2026",
        "£98,585",
        ours="£98,584",
        difference="£1 less",
        why="The source accepts a pound either way.",
    )
    assert [each.difference for each in differing[1:3]] == ["£0.26 more", "£0.74 less"]
    equal = len(PUBLISHED) - len(differing)
    assert summary(PUBLISHED) == (
        f"{len(PUBLISHED)} published figures. {equal} of ours are the same to the last digit. "
        f"{len(differing)} differ, and the reason is beside each."
    )
    assert [each.asked for each in differing if not each.why] == []
    assert summary(published("payment")).endswith("are the same to the last digit.")


def test_sources_are_listed_once_by_publisher() -> None:
    listed = sources(PUBLISHED)
    assert len(listed) == len({figure.source for figure in PUBLISHED})
    assert listed[0] == Source(
        publisher="April Mortgages", title="Rate Reducer: representative example", read=date(2026, 11, 25)
    )
    assert [each.url for each in listed if each.url and not each.url.startswith("https://")] == []


def test_tax_table_has_a_row_for_each_day_of_a_change() -> None:
    assert [row.since for row in ENGLAND.rows] == [
        *("1 April 2025", "31 October 2024", "23 September 2022"),
        *("1 October 2021", "1 July 2021", "1 January 2021"),
    ]
    assert [row.since for row in SCOTLAND.rows][:2] == ["5 December 2024", "16 December 2022"]
    assert WALES.rows[0].since == "11 December 2024"
    assert {table.source for table in rate_tables()} == set(SOURCES.values())


def test_rates_of_a_day_are_its_bands_or_a_surcharge() -> None:
    first, moving, additional = ENGLAND.rows[0].rates
    assert first == "0% to £300,000, 5% to £500,000; no relief for a dearer home"
    assert moving == "0% to £125,000, 2% to £250,000, 5% to £925,000, 10% to £1,500,000, 12% above"
    assert additional == "As for moving home, and 5% of the price"
    assert WALES.rows[0].rates[2].startswith("5% to £180,000, 8.5% to £250,000")
