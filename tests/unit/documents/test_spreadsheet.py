"""Files for spreadsheets: what anybody typed is never run."""

import csv
import io

import pandas as pd
import pytest

from broker.documents.spreadsheet import csv_text, guarded

CELLS = {
    "a formula": ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
    "a plus": ("+447700900123", "'+447700900123"),
    "a minus": ("-1+1", "'-1+1"),
    "a macro": ("@SUM(A1)", "'@SUM(A1)"),
    "a tab": ("\t=1", "'\t=1"),
    "a carriage return": ("\r=1", "'\r=1"),
    "a line break": ("\n=1", "'\n=1"),
    "a minus alone": ("-", "'-"),
    "wide signs, as Excel takes them in some countries": ("＝1", "'＝1"),
    "a wide plus": ("＋1", "'＋1"),
    "a negative number": ("-12.50", "-12.50"),
    "words": ("Leeds & Co – 5%", "Leeds & Co – 5%"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("text", "cell"), CELLS.values(), ids=CELLS)
def test_no_text_is_a_formula(text: str, cell: str) -> None:
    assert guarded(text) == cell


@pytest.mark.parametrize("quoted", [True, False])
def test_cells_come_back_as_they_were(quoted: bool) -> None:
    rows = [["a, b", 'c "d"', "e\r\nf"], ["", ";=1", "é £"]]
    written = csv_text(pd.DataFrame(rows, columns=["x", "y", "z"]), quoted=quoted)
    assert list(csv.reader(io.StringIO(written, newline=""))) == [["x", "y", "z"], *rows]
    assert written.endswith("\r\n")
    assert csv_text(pd.DataFrame({"name": ["a;=1"]}), quoted=True) == '"name"\r\n"a;=1"\r\n'
