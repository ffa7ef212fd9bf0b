"""Inline scripts of pages, read from the files in `broker/server/js`."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("js")

_IMPORT = re.compile(r'^import \{.*\} from "\./(\w+)\.js";$', re.MULTILINE)
"""What a file takes from another: an inline script has the text of both."""

_NOT_NEEDED = re.compile(r"^\s*(//.*|/\*\*(?:(?!\*/)[\s\S])*\*/)?$\n|^\s+|^export ", re.MULTILINE)
"""Blank lines, comments on lines of their own, indentation, and `export`, which an inline script cannot have."""


def inline_script(name: str, function: str, **parameters: Any) -> str:
    """Return the script that calls a function of `js/{name}.js` with JSON parameters, fit for a script element."""
    values = json.dumps(parameters, separators=(",", ":")).replace("<", "\\u003c")
    return f"(()=>{{{_source(name)}{function}({values})}})()"


@cache
def _source(name: str) -> str:
    text = (FOLDER / f"{name}.js").read_text(encoding="utf-8")
    return _NOT_NEEDED.sub("", _IMPORT.sub(lambda found: _source(found[1]), text))
