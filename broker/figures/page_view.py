"""The page of the figures: what its address chooses, and its cards with the addresses of their files."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker import routes
from broker.clock import UK
from broker.figures.figures_file import CSV, EXCEL
from broker.figures.figures_view import DEFAULT_WEEKS, PERIODS, Chart, FigureTable, Stat
from broker.figures.service import FigureReport
from broker.staff.accounts import staff_name

WEEKS, ADVISER, BY = "weeks", "adviser", "by"
"""Parameters of the page."""

TABLE, FORM = "table", "form"
"""Parameters of a file, beside those of the page."""

ENQUIRIES_BY = {"source": "Source", "service": "Service", "adviser": "Adviser"}
"""What enquiries are counted by, each a table of its own; the page shows one of them."""

_ENQUIRIES = "enquiries-by-"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureChoice:
    """What an address chooses: weeks, an adviser or empty for all, and what enquiries are counted by."""

    weeks: int = DEFAULT_WEEKS
    adviser: str = ""
    by: str = "source"

    @property
    def address(self) -> str:
        return routes.with_query(routes.STAFF_FIGURES, self._parameters(with_by=True))

    def file(self, *, table: str, form: str) -> str:
        """Return the address of a file; without a table it is of all."""
        named = {TABLE: table} if table else {}
        return routes.with_query(routes.STAFF_FIGURES_FILE, {**named, FORM: form, **self._parameters(with_by=False)})

    def _parameters(self, *, with_by: bool) -> dict[str, str]:
        given = {WEEKS: str(self.weeks), ADVISER: self.adviser, **({BY: self.by} if with_by else {})}
        usual = {WEEKS: str(DEFAULT_WEEKS), ADVISER: "", BY: "source"}
        return {name: value for name, value in given.items() if value != usual[name]}


@dataclass(frozen=True, slots=True, kw_only=True)
class ByLink:
    """A link to another way to count enquiries."""

    words: str
    href: str
    is_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureCard:
    """A table of words with its chart and files; `foot` is the row of totals, empty without one."""

    name: str
    title: str
    note: str
    chart: Chart
    has_columns: bool
    has_bars: bool
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    foot: tuple[str, ...]
    csv: str
    excel: str
    is_wide: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresPage:
    """The page in words; `board` is what the printed page says of itself."""

    counted: str = ""
    board: str = ""
    stats: tuple[Stat, ...] = ()
    cards: tuple[FigureCard, ...] = ()
    by: tuple[ByLink, ...] = ()
    all_files: str = ""


def parse_choice(given: Mapping[str, str], *, own: str = "") -> FigureChoice:
    """Return the choice of an address; an adviser who sees their `own` figures alone gets those whatever it says."""
    weeks = next((each for each in PERIODS if str(each) == given.get(WEEKS)), DEFAULT_WEEKS)
    by = given.get(BY, "")
    return FigureChoice(
        weeks=weeks, adviser=own or staff_name(given.get(ADVISER)), by=by if by in ENQUIRIES_BY else "source"
    )


def figures_page(report: FigureReport, choice: FigureChoice) -> FiguresPage:
    """Return the page of a report, with one of the tables of enquiries."""
    at = report.counted_at.astimezone(UK)
    whose = report.adviser or "all advisers"
    shown = [table for table in report.tables if table.name in (f"{_ENQUIRIES}{choice.by}",) or not _is_by(table)]
    return FiguresPage(
        counted=f"{at:%A %-d %B %H:%M}",
        board=f"{PERIODS[report.weeks]} to {at:%-d %B %Y}, {whose}",
        stats=report.stats,
        cards=tuple(_card(table, choice) for table in shown),
        by=tuple(
            ByLink(
                words=words,
                href=FigureChoice(weeks=choice.weeks, adviser=choice.adviser, by=by).address,
                is_here=by == choice.by,
            )
            for by, words in ENQUIRIES_BY.items()
        ),
        all_files=choice.file(table="", form=EXCEL),
    )


def _is_by(table: FigureTable) -> bool:
    return table.name.startswith(_ENQUIRIES)


def _card(table: FigureTable, choice: FigureChoice) -> FigureCard:
    rows = table.rows
    return FigureCard(
        name=table.name,
        title=table.title,
        note=table.note,
        chart=table.chart,
        has_columns=bool(table.chart.columns),
        has_bars=bool(table.chart.bars),
        heads=tuple(table.frame.columns),
        rows=rows[:-1] if table.has_total else rows,
        foot=rows[-1] if table.has_total else (),
        csv=choice.file(table=table.name, form=CSV),
        excel=choice.file(table=table.name, form=EXCEL),
        is_wide=_is_by(table),
    )
