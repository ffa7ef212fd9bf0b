"""Suspense boundaries that React streamed at the end of a page, moved into their place.

The renderer writes a placeholder for a boundary that waits, and sends its content at the end with a script that moves
it. In an export everything is there from the start, so it is written in place, as React writes a boundary that did not
wait.
"""

import re

from markupsafe import Markup

_SCRIPT = r"<script>(?:(?!</script>).)*"
_CLOCK = re.compile(r'<script id="_R_">(?:(?!</script>).)*</script>')
"""Script that notes the time of the first frame, for the scripts that move content."""

_SENT = re.compile(
    r'<div hidden id="S:(\d+)">((?:(?!<div).)*?)</div>(?:' + _SCRIPT + r'\$RC\("B:\1","S:\1"\)</script>)', re.DOTALL
)
"""Content of a boundary, by its number, and the script that moves it."""

_GAP = Markup('<!--$?--><template id="B:{}"></template><!--/$-->')


def resolve_suspense(html: str) -> str:
    """Return a page with every boundary in place; unchanged where one has another form than these."""
    page, sent = _SENT.subn("", html)
    for number, content in _SENT.findall(html):
        gap = _GAP.format(number)
        sent -= page.count(gap)
        page = page.replace(gap, f"<!--$-->{content}<!--/$-->")
    return html if sent or "<!--$?-->" in page else _CLOCK.sub("", page)
