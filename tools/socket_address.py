"""Let the exported site call the server it came from, whatever its address.

Reflex writes the full address of the backend into one script of the export. Here it becomes an expression that
reads the page's own address, so that one build works on every port, behind a proxy, and in the tests. At
`https://localhost:8443` Reflex drops the port, as for every host of a list in another script, which is emptied.
"""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

from tools.project import ToolError

SCRIPT = "reflex-env-*.js"
_LITERAL = re.compile(r"""(["'`])(?P<kind>ws|http)s?://[^/"'`]+(?P<path>/[^"'`]*)\1""")
_LOCAL_HOSTS = re.compile(r"""\[(?P<quote>["'`])localhost(?P=quote),\s*(?P=quote)0\.0\.0\.0(?P=quote)[^\]]*\]""")


def follow_the_page(client: Path) -> None:
    """Rewrite the backend's addresses in an export; raises ToolError when they are not where Reflex puts them."""
    scripts = list(client.rglob(SCRIPT))
    if not scripts:
        raise ToolError(f"The export has no {SCRIPT}: Reflex puts the backend's address elsewhere now.")
    for script in scripts:
        if not _rewrite(script, _LITERAL, _expression):
            raise ToolError(f"{script.name} holds no address to rewrite: Reflex writes it another way now.")
    if not sum(_rewrite(script, _LOCAL_HOSTS, "[]") for script in client.rglob("*.js")):
        raise ToolError("No script lists the hosts whose port is dropped: see what Reflex does with that port now.")


def _rewrite(script: Path, pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str]) -> int:
    """Replace a pattern in a script and its copies, and return how often it was there."""
    text, changes = pattern.subn(by, script.read_text(encoding="utf-8"))
    if changes:
        script.write_text(text, encoding="utf-8")
        _refresh_copies(script)
    return changes


def _expression(found: re.Match[str]) -> str:
    origin = 'location.origin.replace(/^http/,"ws")' if found["kind"] == "ws" else "location.origin"
    return f'({origin}+"{found["path"]}")'


def _refresh_copies(script: Path) -> None:
    """Compress the script again; a copy in a format that the standard library lacks is removed."""
    for copy in script.parent.glob(f"{script.name}.*"):
        if copy.suffix == ".gz":
            copy.write_bytes(gzip.compress(script.read_bytes(), mtime=0))
        else:
            copy.unlink()
