"""Columns of the sample market's files have the types that searches calculate with."""

from pathlib import Path

import numpy as np

from broker.market.csv_tables import read_table, write_table

COLUMNS = ("name", "fee", "initial_rate", "cashback", "kind")


def test_columns_are_texts_whole_numbers_or_fractions_with_nan(tmp_path: Path) -> None:
    file = tmp_path / "table.csv.gz"
    write_table(file, COLUMNS, rows=[("None", -5, 4.19, "", ""), ("007", 10, 5, 250, "a,b")])
    table = read_table(file, COLUMNS)
    assert table["name"].tolist() == ["None", "007"]
    assert table["kind"].tolist() == ["", "a,b"]
    assert table["fee"].dtype == np.int64
    assert table["fee"].tolist() == [-5, 10]
    assert table["initial_rate"].dtype == np.float64
    assert table["initial_rate"].tolist() == [4.19, 5.0]
    assert np.array_equal(table["cashback"], [np.nan, 250.0], equal_nan=True)


def test_file_without_rows_has_empty_columns(tmp_path: Path) -> None:
    write_table(tmp_path / "table.csv", COLUMNS, rows=[])
    table = read_table(tmp_path / "table.csv", COLUMNS)
    assert [len(table[column]) for column in COLUMNS] == [0] * len(COLUMNS)
