"""Make Jinja2 templates of the exported pages that the edge renders.

Code that components wrote (`presenters.jinja`) becomes Jinja2's; anything else that looks like Jinja2, in a text from
WordPress for example, is escaped and stays a text.
"""

import re
from collections.abc import Callable

from broker import routes
from broker.presenters.jinja import CLOSE, CONDITIONAL, OPEN, code, variable

_NAME = r"[a-z][a-z0-9_]*(?:\.[a-z0-9][a-z0-9_]*)*"
_STATEMENT = rf"(?:if {_NAME}|for [a-z]+ in {_NAME}|else|endif|endfor)"
_CODE = re.compile(rf"{OPEN}(\{{\{{ {_NAME}(?:\|safe)? +\}}\}}|\{{% {_STATEMENT} %\}}){CLOSE}")
_ATTRIBUTE = re.compile(rf' {CONDITIONAL}([a-z-]+)="{OPEN}\{{\{{ ({_NAME}) \}}\}}{CLOSE}"')
_JSON_LD = re.compile(r'(<script[^>]*type="application/ld\+json"[^>]*>.*?</script>)', re.DOTALL)
_JSON_TEXT = re.compile(rf"{OPEN}(\{{\{{ {_NAME}\|safe +\}}\}}){CLOSE}")
_JSON_CODE = re.compile(rf'(")?{OPEN}\{{\{{ ({_NAME}) +\}}\}}{CLOSE}(?(1)")')
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
    if slug := routes.guide_slug(path):
        html = html.replace(slug, variable("slug"))
    # React Router takes an address that is a place for a relative one
    html = html.replace(f'"/{path.strip("/")}/{OPEN}', f'"{OPEN}')
    html = _ATTRIBUTE.sub(_conditional, html)
    parts = enumerate(_JSON_LD.split(html))
    return "".join(_of_json_ld(part) if index % 2 else _rewrite(part, _CODE, _plain) for index, part in parts)


def _of_json_ld(script: str) -> str:
    """Return the template of a script of JSON-LD: of one text for all of it, or of one with places of values."""
    is_one_text = _JSON_TEXT.search(script)
    return _rewrite(script, _CODE, _plain) if is_one_text else _rewrite(script, _JSON_CODE, _json_expression)


def _conditional(found: re.Match[str]) -> str:
    attribute, name = found.groups()
    value = "page" if attribute == "aria-current" else "true"
    return f'{code(f"{{% if {name} %}}")} {attribute}="{value}"{code("{% endif %}")}'


def _plain(found: re.Match[str]) -> str:
    return found[1]


def _json_expression(found: re.Match[str]) -> str:
    """Return the expression of a JSON value, or of a part of a JSON string."""
    return f"{{{{ {found[2]}|{'tojson' if found[1] else 'json_text'} }}}}"


def _rewrite(html: str, pattern: re.Pattern[str], expression: Callable[[re.Match[str]], str]) -> str:
    """Return HTML with its code as Jinja2's and every other delimiter of Jinja2 as a text."""
    written, end = [], 0
    for found in pattern.finditer(html):
        written += [_escaped(html[end : found.start()]), expression(found)]
        end = found.end()
    return "".join((*written, _escaped(html[end:])))


def _escaped(text: str) -> str:
    return _DELIMITER.sub("{{ '{' }}", text.replace(OPEN, "").replace(CLOSE, ""))
