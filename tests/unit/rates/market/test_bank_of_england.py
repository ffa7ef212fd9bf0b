from datetime import date
from pathlib import Path

import pytest

from broker.rates.market.bank_of_england import BankFileError, read_series

JULY, AUGUST = date(2026, 7, 31), date(2026, 8, 31)
HEADER = "DATE,IUMBV34,IUMTLMV\n"


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "rates.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


SOUND = {
    "as it is downloaded": HEADER + "31 Jul 2026,4.79,6.58\n31 Aug 2026,4.92,6.58\n",
    "with the marks of Windows": "\ufeff"
    + (HEADER + "31 Jul 2026,4.79,6.58\n31 Aug 2026,4.92,6.58\n\n").replace("\n", "\r\n"),
    "in quotation marks": 'DATE,"IUMBV34","IUMTLMV"\n"31 Jul 2026","4.79","6.58"\n"31 Aug 2026",4.920,6.58',
    "latest first, with spaces": "DATE, IUMBV34, IUMTLMV\n31 Aug 2026, 4.92, 6.58\n31 Jul 2026 ,4.79,6.58\n",
}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND)
def test_file_is_read_with_the_earliest_day_first(tmp_path: Path, text: str) -> None:
    found = read_series(written(tmp_path, text))
    assert found == {"IUMBV34": {JULY: 4.79, AUGUST: 4.92}, "IUMTLMV": {JULY: 6.58, AUGUST: 6.58}}
    assert [list(rates) for rates in found.values()] == [[JULY, AUGUST]] * 2


def test_empty_cells_and_two_dots_are_rates_that_were_not_published(tmp_path: Path) -> None:
    text = HEADER + "30 Jun 2026,,..\n31 Jul 2026,..,-0.1\n31 Aug 2026,4,\n"
    assert read_series(written(tmp_path, text)) == {"IUMBV34": {AUGUST: 4}, "IUMTLMV": {JULY: -0.1}}


HEADING = "the header must be DATE and codes of series, not "
NO_RATE, NO_DAY = "is no rate in percent, such as 4.92", "is no day such as 31 Aug 2026"
FAULTS: dict[str, tuple[str | bytes, str]] = {
    "an empty file": (b"", f"line 1, column DATE: {HEADING}''"),
    "a header alone": (HEADER, "line 2: the file has no row of rates"),
    "a blank first line": ("\n" + HEADER, f"line 1, column DATE: {HEADING}''"),
    "a page of HTML": ("<!DOCTYPE html>\n<html>", f"line 1, column DATE: {HEADING}'<!DOCTYPE html>'"),
    "a header without series": ("DATE\n31 Aug 2026\n", f"line 1, column DATE: {HEADING}'DATE'"),
    "the columns of another form": ("Date;IUMBV34\n", f"line 1, column DATE: {HEADING}'Date;IUMBV34'"),
    "a name instead of a code": ("DATE,2 years\n", "line 1, column 2: '2 years' is no code of a series"),
    "a code twice": ("DATE,IUMBV34,IUMBV34\n", "line 1, column 3: 'IUMBV34' is there twice"),
    "a cell too few": (HEADER + "31 Aug 2026,4.92\n", "line 2, column IUMTLMV: 2 cells, the header has 3"),
    "a cell too many": (HEADER + "31 Aug 2026,4.92,6.58,1\n", "line 2, column 4: 4 cells, the header has 3"),
    "a day in another form": (HEADER + "2026-08-31,4,6\n", f"line 2, column DATE: '2026-08-31' {NO_DAY}"),
    "a day that does not exist": (HEADER + "\n31 Jun 2026,4,6\n", f"line 3, column DATE: '31 Jun 2026' {NO_DAY}"),
    "a day twice": (HEADER + "31 Aug 2026,4,6\n31 Aug 2026,4,6\n", "line 3, column DATE: 31 Aug 2026 is there twice"),
    "a typing error": (HEADER + "31 Jul 2026,4,6\n31 Aug 2026,4,9x\n", f"line 3, column IUMTLMV: '9x' {NO_RATE}"),
    "a number that is none": (HEADER + "31 Aug 2026,nan,6\n", f"line 2, column IUMBV34: 'nan' {NO_RATE}"),
    "a rate beyond sense": (HEADER + "31 Aug 2026,492,6\n", f"line 2, column IUMBV34: '492' {NO_RATE}"),
    "a NUL": (HEADER + "31 Aug 2026,4\0,6\n", f"line 2, column IUMBV34: '4\\x00' {NO_RATE}"),
    "a quotation mark left open": (HEADER + '31 Aug 2026,"4,6\n', "line 2: unexpected end of data"),
    "bytes that are no text": (HEADER.encode() + b"31 Aug 2026,4.9\xff,6\n", "line 2: the bytes are not UTF-8 text"),
    "the text of UTF-16": (HEADER.encode("utf-16"), "line 1: the bytes are not UTF-8 text"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "fault"), FAULTS.values(), ids=FAULTS)
def test_fault_is_named_with_its_file_line_and_column(tmp_path: Path, content: str | bytes, fault: str) -> None:
    with pytest.raises(BankFileError) as refused:
        read_series(written(tmp_path, content))
    assert str(refused.value) == f"rates.csv, {fault}"
    place = f"line {refused.value.line}" + (f", column {refused.value.column}" if refused.value.column else "")
    assert (refused.value.file, fault.split(":", maxsplit=1)[0]) == ("rates.csv", place)


def test_long_fault_is_cut(tmp_path: Path) -> None:
    with pytest.raises(BankFileError) as refused:
        read_series(written(tmp_path, HEADER + "31 Aug 2026," + "9" * 5_000 + ",6\n"))
    assert len(str(refused.value)) < 150
