"""Report every fault of a content folder: `python -m broker.content.check [folder]`.

Prints one line per fault, with its file; the exit code is 1 if there is any.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from broker.content.errors import ContentError
from broker.content.files.content_folder import find_faults, read_content
from broker.settings import read_settings


def report(folder: Path) -> tuple[str, ...]:
    """Return one line for each distinct fault of a content folder."""
    faults = find_faults(read_content(folder)) if folder.is_dir() else (ContentError(folder, "no such folder"),)
    return tuple(dict.fromkeys(" ".join(str(fault).split()) for fault in faults))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report of a folder, by default the content of the settings; return the exit code."""
    parser = ArgumentParser(
        prog="python -m broker.content.check", description="Every fault of the content, a line each."
    )
    parser.add_argument("folder", nargs="?", type=Path, default=read_settings().data_dir / "content")
    folder: Path = parser.parse_args(arguments).folder
    lines = report(folder)
    sys.stdout.write("\n".join(lines or (f"{folder}: no faults",)) + "\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
