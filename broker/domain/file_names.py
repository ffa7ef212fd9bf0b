"""Names of files that people send, as they may be shown back to them."""

from __future__ import annotations

import unicodedata

MAX_NAME = 80
"""Characters of a name that are shown: what is longer loses its middle, so that its ending stays."""

UNNAMED_FILE = "a file without a name"

_READ = 1_000
"""Characters of a name that are looked at."""

_ENDING = 12


def shown_name(name: str) -> str:
    """Return a file's name as one visible line: without folders, control characters and marks that turn writing round.

    At most `MAX_NAME` characters; NAMELESS where nothing is left.
    """
    last = name[-_READ:].replace("\\", "/").rpartition("/")[2]
    # "C" is what is not seen: controls, right-to-left marks, halves of characters
    seen = "".join(sign for sign in last if unicodedata.category(sign)[0] != "C" or sign.isspace())
    line = " ".join(seen.split())
    if len(line) > MAX_NAME:
        line = f"{line[: MAX_NAME - _ENDING - 1]}…{line[-_ENDING:]}"
    return line or UNNAMED_FILE
