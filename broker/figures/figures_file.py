"""Figures as files: one table as CSV or Excel, or all tables as one Excel workbook."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pandas as pd

from broker.clock import UK
from broker.documents.spreadsheet import csv_text, guarded
from broker.figures.figures_view import PERIODS, FigureTable
from broker.figures.service import FigureReport

CSV, EXCEL = "csv", "xlsx"
"""Names of the formats."""

MEDIA_TYPES = {
    CSV: "text/csv; charset=utf-8",
    EXCEL: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

_MAX_SHEET_NAME = 31
"""Characters of the name of a sheet in Excel."""

_WIDTH, _FIRST_WIDTH = 14, 28
"""Widths of columns in characters."""


def table_csv(table: FigureTable) -> str:
    """Return a table as CSV with plain numbers; shares are from 0 to 1, and a head has its unit."""
    return csv_text(_plain(table))


def workbook(report: FigureReport, tables: Sequence[FigureTable], *, firm: str) -> bytes:
    """Return tables as an Excel workbook, a sheet each, after one that says what they are of."""
    data = BytesIO()
    with pd.ExcelWriter(data, engine="openpyxl") as writer:
        _about(report, tables, firm=firm).to_excel(writer, sheet_name="About", index=False, header=False)
        for table in tables:
            name = table.name[:_MAX_SHEET_NAME]
            _plain(table).to_excel(writer, sheet_name=name, index=False)
        for sheet in writer.sheets.values():
            for column in sheet.columns:
                letter = column[0].column_letter
                sheet.column_dimensions[letter].width = _FIRST_WIDTH if letter == "A" else _WIDTH
    return data.getvalue()


def file_name(report: FigureReport, name: str, form: str) -> str:
    """Return `figures-first-calls-2026-11-26.csv`."""
    return f"figures-{name or 'all'}-{report.counted_at.astimezone(UK):%Y-%m-%d}.{form}"


def _plain(table: FigureTable) -> Any:
    frame = table.frame.copy()
    for head in frame.columns:
        held = frame[head].astype(object)
        filled = held.where(held.notna(), table.missing.get(head, None))
        plain = [guarded(value) if isinstance(value, str) else value for value in filled]
        frame[head] = pd.Series(plain, index=frame.index, dtype=object)
    return frame.rename(columns=lambda head: f"{head} ({table.units[head]})" if head in table.units else head)


def _about(report: FigureReport, tables: Sequence[FigureTable], *, firm: str) -> Any:
    counted = f"{report.counted_at.astimezone(UK):%-d %B %Y %H:%M}"
    rows = [
        ("Firm", guarded(firm)),
        ("Period", PERIODS[report.weeks]),
        ("Adviser", report.adviser or "all"),
        ("Counted (UK time)", counted),
        *((table.title, table.note) for table in tables),
    ]
    return pd.DataFrame(rows)
