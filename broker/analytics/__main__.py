"""Print the daily counts: `python -m broker.analytics --days 7`, and `--csv` for a spreadsheet."""

import asyncio
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import date, timedelta

from broker.analytics.count_store import CountStore
from broker.analytics.table import FEW, shown_counts
from broker.clock import uk_date, utc_now
from broker.settings import Settings, SettingsError, read_settings
from broker.storage.database import database_for
from broker.storage.errors import StorageError
from broker.storage.migrations import migrate

_MAX_DAYS = 36_500


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code: 0, or 1 with a sentence on standard error."""
    parser = ArgumentParser(prog="python -m broker.analytics", description="Prints how often each kind was counted.")
    parser.add_argument("--days", type=int, default=7, help="UK days up to and with today; 7 without it")
    parser.add_argument("--csv", action="store_true", help="print CSV for a spreadsheet")
    options = parser.parse_args(arguments)
    if not 1 <= options.days <= _MAX_DAYS:
        parser.error(f"--days takes 1 to {_MAX_DAYS:,}")
    first = uk_date(utc_now()) - timedelta(days=options.days - 1)
    try:
        table = shown_counts(asyncio.run(_read(read_settings(), first)))
    except (SettingsError, StorageError) as error:
        sys.stderr.write(f"{str(error).rstrip('.')}.\n")
        return 1
    printed = table.astype({"count": "string"}).fillna({"count": FEW})
    if options.csv:
        sys.stdout.write(printed.to_csv(index=False))
    elif printed.empty:
        sys.stdout.write(f"Nothing was counted since {first:%-d %B %Y}.\n")
    else:
        sys.stdout.write(f"{printed.to_string(index=False)}\n")
    return 0


async def _read(settings: Settings, first: date) -> list[tuple[date, str, int]]:
    database = database_for(settings)
    try:
        await migrate(database)
        return await CountStore(database).since(first)
    finally:
        await database.close()


if __name__ == "__main__":
    sys.exit(main())
