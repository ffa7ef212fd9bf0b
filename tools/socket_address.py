"""Let the exported site call the server it came from, whatever its address.

Reflex writes the full address of the backend into one script of the export. Here it becomes an expression that
reads the page's own address, so that one build works on every port, behind a proxy, and in the tests.
"""

import gzip
import re
from pathlib import Path

from tools.project import ToolError

SCRIPT = "reflex-env-*.js"
_LITERAL = re.compile(r"""(["'`])(?P<kind>ws|http)s?://[^/"'`]+(?P<path>/[^"'`]*)\1""")


def follow_the_page(client: Path) -> None:
    """Rewrite the backend's addresses in an export; raises ToolError when they are not where Reflex puts them."""
    scripts = list(client.rglob(SCRIPT))
    if not scripts:
        raise ToolError(f"The export has no {SCRIPT}: Reflex puts the backend's address elsewhere now.")
    for script in scripts:
        text, changes = _LITERAL.subn(_expression, script.read_text())
        if not changes:
            raise ToolError(f"{script.name} holds no address to rewrite: Reflex writes it another way now.")
        script.write_text(text)
        _refresh_copies(script)


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
