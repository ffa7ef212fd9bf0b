from broker.calculators.tax_rates import rate_tables
from broker.lending.property_tax_rates import SOURCES

ENGLAND, SCOTLAND, WALES = rate_tables()


def test_table_has_a_row_for_each_day_of_a_change() -> None:
    assert [row.since for row in ENGLAND.rows] == [
        *("1 April 2025", "31 October 2024", "23 September 2022"),
        *("1 October 2021", "1 July 2021", "1 January 2021"),
    ]
    assert [row.since for row in SCOTLAND.rows][:2] == ["5 December 2024", "16 December 2022"]
    assert WALES.rows[0].since == "11 December 2024"
    assert {table.source for table in rate_tables()} == set(SOURCES.values())


def test_rates_are_slices_with_what_comes_on_top() -> None:
    first, moving, additional = ENGLAND.rows[0].rates
    assert first == "0% to £300,000, 5% to £500,000; no relief for a dearer home"
    assert moving == "0% to £125,000, 2% to £250,000, 5% to £925,000, 10% to £1,500,000, 12% above"
    assert additional == "As for moving home, and 5% of the price"
    assert WALES.rows[0].rates[2].startswith("5% to £180,000, 8.5% to £250,000")
