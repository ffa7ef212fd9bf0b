"""Names of uploaded files, made safe to display."""

import unicodedata

MAX_NAME = 80
"""Characters of a displayed name; a longer one is cut in the middle, so that its ending stays."""

UNNAMED_FILE = "a file without a name"

_READ = 1_000
"""Characters of a name that are examined."""

_ENDING = 12


def shown_name(name: str) -> str:
    """Return a file's name as one visible line, without folders, control characters or direction marks.

    At most `MAX_NAME` characters; `UNNAMED_FILE` if nothing is left.
    """
    last = name[-_READ:].replace("\\", "/").rpartition("/")[2]
    # category C: control characters, direction marks, surrogates
    seen = "".join(sign for sign in last if unicodedata.category(sign)[0] != "C" or sign.isspace())
    line = " ".join(seen.split())
    if len(line) > MAX_NAME:
        line = f"{line[: MAX_NAME - _ENDING - 1]}…{line[-_ENDING:]}"
    return line or UNNAMED_FILE
