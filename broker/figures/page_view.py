"""The page of the figures: what its address chooses, and its cards with the addresses of their files."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from broker import routes
from broker.clock import UK
from broker.figures.figures import ADVISER, ENQUIRIES
from broker.figures.figures_file import CSV, EXCEL
from broker.figures.figures_view import DEFAULT_WEEKS, PERIODS, WAYS, Chart, FigureTable, Stat
from broker.figures.service import FigureReport
from broker.staff.accounts import staff_name

WEEKS = "weeks"
"""A parameter of the page, beside that of the adviser and those of `WAYS`."""

TABLE, FORM = "table", "form"
"""Parameters of a file, beside those of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureChoice:
    """What an address chooses: weeks, an adviser or empty for all, and what measures are counted by if not as usual."""

    weeks: int = DEFAULT_WEEKS
    adviser: str = ""
    by: Mapping[str, str] = field(default_factory=dict)

    def shows(self, table: FigureTable) -> bool:
        """Return whether a table is on the page: one for each measure, and those that are no way to count one."""
        return not table.measure or table.by == self.by.get(table.measure, WAYS[table.measure][0])

    def file(self, *, table: str, form: str) -> str:
        """Return the address of a file; without a table it is of all."""
        named = {TABLE: table} if table else {}
        weeks = {} if self.weeks == DEFAULT_WEEKS else {WEEKS: str(self.weeks)}
        adviser = {ADVISER: self.adviser} if self.adviser else {}
        return routes.with_query(routes.STAFF_FIGURES_FILE, {**named, FORM: form, **weeks, **adviser})


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureCard:
    """A table of words with its chart and files; `foot` is the row of totals, empty without one.

    `name` is that of the measure, which is counted `by` one of its `ways`, or of a table of its own without any.
    """

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
    by: str
    ways: tuple[str, ...]
    is_wide: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresPage:
    """The page in words; `board` is what the printed page says of itself."""

    counted: str = ""
    board: str = ""
    stats: tuple[Stat, ...] = ()
    cards: tuple[FigureCard, ...] = ()
    all_files: str = ""


def parse_choice(given: Mapping[str, str], *, own: str = "") -> FigureChoice:
    """Return the choice of an address; an adviser who sees their `own` figures alone gets those whatever it says."""
    weeks = next((each for each in PERIODS if str(each) == given.get(WEEKS)), DEFAULT_WEEKS)
    by = {measure: given[measure] for measure, ways in WAYS.items() if given.get(measure) in ways}
    return FigureChoice(weeks=weeks, adviser=own or staff_name(given.get(ADVISER)), by=by)


def figures_page(report: FigureReport, choice: FigureChoice) -> FiguresPage:
    """Return the page of a report, with each measure counted one way."""
    at = report.counted_at.astimezone(UK)
    whose = report.adviser or "all advisers"
    return FiguresPage(
        counted=f"{at:%A %-d %B %H:%M}",
        board=f"{PERIODS[report.weeks]} to {at:%-d %B %Y}, {whose}",
        stats=report.stats,
        cards=tuple(_card(table, choice) for table in report.tables if choice.shows(table)),
        all_files=choice.file(table="", form=EXCEL),
    )


def _card(table: FigureTable, choice: FigureChoice) -> FigureCard:
    rows = table.rows
    return FigureCard(
        name=table.measure or table.name,
        title=table.title,
        note=table.note,
        chart=table.chart,
        has_columns=bool(table.chart.columns),
        has_bars=bool(table.chart.bars),
        heads=tuple(table.shown.columns),
        rows=rows[:-1] if table.has_total else rows,
        foot=rows[-1] if table.has_total else (),
        csv=choice.file(table=table.name, form=CSV),
        excel=choice.file(table=table.name, form=EXCEL),
        by=table.by,
        ways=WAYS.get(table.measure, ()),
        is_wide=table.measure == ENQUIRIES,
    )
