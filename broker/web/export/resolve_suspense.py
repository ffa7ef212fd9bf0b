"""Putting in its place what React streamed into a page after the rest of it.

The renderer leaves a gap for what it waits for, and sends it at the end with a script that moves it there. In an export
all of it is there from the start: it stands in its place at once, as React writes what it has not had to wait for.
"""

from __future__ import annotations

import re

_SCRIPT = r"<script>(?:(?!</script>).)*"
_CLOCK = re.compile(r'<script id="_R_">(?:(?!</script>).)*</script>')
"""Notes when the first frame was, for the scripts that move what was sent."""

_SENT = re.compile(
    rf'<div hidden id="S:(\d+)">((?:(?!<div).)*?)</div>(?:{_SCRIPT}\$RC\("B:\1","S:\1"\)</script>)', re.DOTALL
)
"""What was sent for a gap, by its number, and the script that moves it there."""


def resolve_suspense(html: str) -> str:
    """Return a page with its gaps filled and nothing left to move; as it is where a gap has another form than these."""
    page, sent = _SENT.subn("", html)
    for number, content in _SENT.findall(html):
        gap = f'<!--$?--><template id="B:{number}"></template><!--/$-->'
        sent -= page.count(gap)
        page = page.replace(gap, f"<!--$-->{content}<!--/$-->")
    return html if sent or "<!--$?-->" in page else _CLOCK.sub("", page)
