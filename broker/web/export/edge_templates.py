"""Make Jinja2 templates of the exported pages that the edge renders.

Code that components wrote (`presenters.jinja`) becomes Jinja2's; anything else that looks like Jinja2, in a text from
WordPress for example, is escaped and stays a text.
"""

import re

from broker import routes
from broker.presenters.jinja import CLOSE, CONDITIONAL, OPEN, code

_NAME = r"[a-z][a-z0-9_]*(?:\.[a-z0-9][a-z0-9_]*)*"
_STATEMENT = rf"(?:if {_NAME}|for [a-z]+ in {_NAME}|else|endif|endfor)"
_CODE = re.compile(rf"{OPEN}(\{{\{{ {_NAME}(?:\|safe)? +\}}\}}|\{{% {_STATEMENT} %\}}){CLOSE}")
_ATTRIBUTE = re.compile(rf' {CONDITIONAL}([a-z-]+)="{OPEN}\{{\{{ ({_NAME}) \}}\}}{CLOSE}"')
_DELIMITER = re.compile(r"\{(?=[{%#]|\Z)")
_COMMENT = "<!-- -->"
"""What React writes between two texts, and looks for when it hydrates a page."""


def without_separators(html: str) -> str:
    """Return a page without the comments between texts, where nothing looks for them."""
    return html.replace(_COMMENT, "")


def as_template(html: str, path: str) -> str:
    """Return the template that an exported page becomes; `path` is the page's own."""
    if not routes.template_keeps_scripts(path):
        html = without_separators(html)
    # React Router takes an address that is a place for a relative one
    html = html.replace(f'"/{path.strip("/")}/{OPEN}', f'"{OPEN}')
    return _rewritten(_ATTRIBUTE.sub(_conditional, html))


def _conditional(found: re.Match[str]) -> str:
    attribute, name = found.groups()
    value = "page" if attribute == "aria-current" else "true"
    return f'{code(f"{{% if {name} %}}")} {attribute}="{value}"{code("{% endif %}")}'


def _rewritten(html: str) -> str:
    """Return HTML with its code as Jinja2's and every other delimiter of Jinja2 as a text."""
    written, end = [], 0
    for found in _CODE.finditer(html):
        written += [_escaped(html[end : found.start()]), found[1]]
        end = found.end()
    return "".join((*written, _escaped(html[end:])))


def _escaped(text: str) -> str:
    return _DELIMITER.sub("{{ '{' }}", text.replace(OPEN, "").replace(CLOSE, ""))
