"""Back up and restore the database: `python -m broker.backup write|restore FILE`, and `downgrade REVISION`.

A backup is made while the server runs, and has everything that is stored: enquiries, unsent answers, accounts of staff,
the audit record, lenders' logos. The secret keys are not in it: keep them apart. Stop the server to restore.
"""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from broker.keys import count_lines
from broker.settings import Settings, SettingsError, read_settings
from broker.storage.backup import note_backup, restore_backup, write_backup
from broker.storage.database import Database, database_for
from broker.storage.encryption import SecretKeys, count_by_key, secret_keys_for
from broker.storage.errors import StorageError
from broker.storage.migrations import NEWEST, downgrade, migrate

_KEYS_APART = "No key is in it: keep the keys that are named here in another place. Without them it cannot be read."

OTHER_KEYS = (
    "No key here opens anything in this backup: put the key that was kept apart into BROKER_SECRET_KEY, then run "
    "`python -m broker.keys list`"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0, or 1 with a sentence on standard error."""
    parser = ArgumentParser(prog="python -m broker.backup", description="Backs up and restores the database.")
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="write a backup into a new file; the server may run")
    restoring = commands.add_parser("restore", help="make the database what a backup holds; stop the server first")
    lowering = commands.add_parser(
        "downgrade", help="take the tables back to those of an earlier release, without what was added since"
    )
    lowering.add_argument("revision", help="number of its newest migration, 0009 for example; stop the server first")
    for command in (writing, restoring):
        command.add_argument("file", type=Path)
    restoring.add_argument("--replace", action="store_true", help="replace a database that has rows")
    options = parser.parse_args(arguments)
    try:
        lines = asyncio.run(_run(options, read_settings()))
    except (SettingsError, StorageError) as error:
        sys.stderr.write(f"{str(error).rstrip('.')}.\n")
        return 1
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


async def _run(options: Namespace, settings: Settings) -> list[str]:
    keys, database = secret_keys_for(settings), database_for(settings)
    try:
        if options.command == "restore":
            return await _restore(database, keys, options)
        if options.command == "downgrade":
            await downgrade(database, options.revision)
            return [f"The tables are those of {options.revision}."]
        lines = await _write(database, keys, options)
        with suppress(OSError):  # the backup is there all the same
            note_backup(settings)
        return lines
    finally:
        await database.close()


async def _write(database: Database, keys: SecretKeys, options: Namespace) -> list[str]:
    revision = await write_backup(database, options.file)
    lines = [f"Written: {options.file}, {options.file.stat().st_size:,} bytes. {_KEYS_APART}"]
    if revision != NEWEST:
        return [*lines, "Its tables are of an earlier release, whose `python -m broker.keys list` names the keys."]
    return [*lines, *count_lines(await count_by_key(database, keys), keys)]


async def _restore(database: Database, keys: SecretKeys, options: Namespace) -> list[str]:
    await restore_backup(database, options.file, replace=options.replace)
    await migrate(database)
    counts = await count_by_key(database, keys)
    opened = {number for count in counts.values() for number in count}
    if opened == {None}:
        sys.stderr.write(f"{OTHER_KEYS}.\n")
    return [f"Restored: {options.file}.", *count_lines(counts, keys)]


if __name__ == "__main__":
    sys.exit(main())
