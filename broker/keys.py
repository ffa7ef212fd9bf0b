"""Manage secret keys: `python -m broker.keys list|reseal`.

To change the key, put a new one first in `BROKER_SECRET_KEY`, restart the server, and run `reseal`. When `list` says
that no row needs the old key, take it out. The server may run meanwhile.
"""

import asyncio
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping, Sequence

from broker.enquiries.store import EnquiryStore
from broker.settings import Settings, SettingsError, read_settings
from broker.storage.database import Database, database_for
from broker.storage.encryption import SecretKeys, count_by_key, reencrypt, secret_keys_for
from broker.storage.errors import StorageError
from broker.storage.migrations import migrate


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 1 for an error, and for values that no key decrypts."""
    parser = ArgumentParser(prog="python -m broker.keys", description="Looks after the keys of personal data.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="tell how many rows each key opens")
    commands.add_parser("reseal", help="encrypt all rows under the first key, then list them")
    options = parser.parse_args(arguments)
    try:
        lines, is_whole = asyncio.run(_run(options.command, read_settings()))
    except (SettingsError, StorageError) as error:
        sys.stderr.write(f"{str(error).rstrip('.')}.\n")
        return 1
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0 if is_whole else 1


async def _run(command: str, settings: Settings) -> tuple[list[str], bool]:
    keys, database = secret_keys_for(settings), database_for(settings)
    try:
        await migrate(database)
        lines = await _reseal(database, keys) if command == "reseal" else []
        counts = await count_by_key(database, keys)
    finally:
        await database.close()
    return [*lines, *count_lines(counts, keys)], not any(count[None] for count in counts.values())


def count_lines(counts: Mapping[str, Counter[int | None]], keys: SecretKeys) -> list[str]:
    """Return a line for each key, and for each column (`enquiries.contact`) with values that no key decrypts."""
    opened = [sum(count[number] for count in counts.values()) for number in range(len(keys.fingerprints))]
    lost = {name: count[None] for name, count in counts.items() if count[None]}
    return [
        *(
            f"Key {number} ({name}) opens {rows} values."
            for number, (name, rows) in enumerate(zip(keys.fingerprints, opened, strict=True), 1)
        ),
        *(f"No key opens {count} values of {name}." for name, count in lost.items()),
    ]


async def _reseal(database: Database, keys: SecretKeys) -> list[str]:
    changed = await reencrypt(database, keys)
    await EnquiryStore(database, keys).fill_in(every=True)  # their digests are keyed too
    return [f"Encrypted {count} values of {name} again." for name, count in changed.items() if count]


if __name__ == "__main__":
    sys.exit(main())
