"""HTML that is safe to draw as it is.

Only the sanitiser and the Markdown renderer make it from other text; everything else joins or edits what they made.
"""

from collections.abc import Iterable
from typing import NewType

SafeHtml = NewType("SafeHtml", str)
"""HTML without scripts, styles, handlers, forms or frames."""

NO_HTML = SafeHtml("")


def join_html(parts: Iterable[SafeHtml]) -> SafeHtml:
    return SafeHtml("".join(parts))
