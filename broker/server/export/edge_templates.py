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
    first, *conditional = html.split(f" {CONDITIONAL}")
    return _rewritten("".join((first, *map(_conditional, conditional))))


def _conditional(html: str) -> str:
    """Return HTML that begins with an attribute of `attribute_if`, after its prefix, with the condition around it.

    Jinja2 inside a tag is no attribute: only a text can hold it.
    """
    attribute, _, rest = html.partition(f'="{OPEN}{{{{ ')
    name, _, rest = rest.partition(f' }}}}{CLOSE}"')
    value = "page" if attribute == "aria-current" else "true"
    return f'{code(f"{{% if {name} %}}")} {attribute}="{value}"{code("{% endif %}")}{rest}'


def _rewritten(html: str) -> str:
    """Return HTML with its code as Jinja2's and every other delimiter of Jinja2 as a text."""
    written, end = [], 0
    for found in _CODE.finditer(html):
        written += [_escaped(html[end : found.start()]), found[1]]
        end = found.end()
    return "".join((*written, _escaped(html[end:])))


def _escaped(text: str) -> str:
    return _DELIMITER.sub("{{ '{' }}", text.replace(OPEN, "").replace(CLOSE, ""))
