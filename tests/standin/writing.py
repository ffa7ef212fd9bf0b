"""Turn the good answer of a call into the shape or the failure that a setting names."""

import json
import re
from dataclasses import replace
from typing import Any

from tests.standin.soap import Prefixes, Rows, Soap, mapped
from tests.standin.wire import HTML, XML, Answer, Sending

FAULT = "Invalid LTV"

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_PAGE = b"<!DOCTYPE html><html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>"
_WARNING = (
    b'<br />\n<b>Warning</b>:  Undefined array key "api_key" in <b>/var/www/routes.php</b> on line <b>9</b><br />\n'
)
_CRITICAL = {
    "code": "internal_server_error",
    "message": "<p>There has been a critical error on this website.</p>",
    "data": {"status": 500},
}
_BODIES = {
    "null": b"null",
    "false": b"false",
    "empty-text": b'""',
    "empty-list": b"[]",
    "empty-object": b"{}",
    "empty-body": b"",
}
_WRITTEN = {"gaps-object": Rows.GAPS, "none-object": Rows.NONE_OBJECT, "none-list": Rows.NONE_LIST}
_PREFIXES = {"prefix-kept": Prefixes.KEPT, "prefix-glued": Prefixes.GLUED}
_ERRORS = [{"message": "Internal server error", "locations": [{"line": 1, "column": 3}], "path": ["post"]}]
_GRAPHQL = {"gql-errors": {"errors": _ERRORS}, "gql-partial": {"errors": _ERRORS, "data": {"post": None}}}
_ACF: dict[str, Any] = {"acf-false": False, "acf-list": []}


def unasked(name: str) -> Answer | None:
    """Return the answer of a switch that needs nothing from the market, None for every other switch."""
    if name in _BODIES:
        return Answer(body=_BODIES[name])
    if name in set(Sending):
        return Answer(body=b" " * 400 + b"null", sending=Sending(name))
    return {
        "html-502": Answer(body=_PAGE, status=502, media_type=HTML),
        "html-200": Answer(body=_PAGE, media_type=HTML),
        "status-500": Answer(body=_json(_CRITICAL), status=500),
        "php-warning-500": Answer(body=_WARNING + _json(_CRITICAL), status=500),
        "redirect": Answer(status=302, location="/elsewhere"),
    }.get(name)


def written(name: str, tree: Any) -> Answer:
    if name == "xml-body" and isinstance(tree, Soap):
        return Answer(body=tree.xml(), media_type=XML)
    plain = _shaped(name, tree)
    if name == "no-body-key":
        plain = {"Header": {}}
    elif name == "gql-errors-empty" and isinstance(plain, dict) and "data" in plain:
        plain = {"errors": [], **plain}
    elif name in _GRAPHQL and isinstance(plain, dict) and "data" in plain:
        plain = _GRAPHQL[name]
    elif name.startswith("acf-") and isinstance(plain, list):
        plain = [_with_acf(page, name) for page in plain if isinstance(page, dict)]
    body = _json(plain)
    if name == "double-encoded":
        body = _json(body.decode("utf-8"))
    return Answer(body=_WARNING + body if name == "php-warning" else body)


def refused(words: str, *, like: Soap) -> Answer:
    return Answer(body=_json(like.fault(words)))


def _shaped(name: str, tree: Any) -> Any:
    """Write the SOAP answers of a tree; one leaf at a time, whatever holds them."""
    if name == "fault" and not _soapy(tree):
        return _CRITICAL
    plain = mapped(tree, lambda leaf: _soap(name, leaf) if isinstance(leaf, Soap) else leaf)
    if name == "empties-as-list":
        return mapped(plain, lambda leaf: [] if leaf == {} else leaf)
    if name == "numbers-typed":
        return mapped(plain, _typed)
    return plain


def _soap(name: str, answer: Soap) -> dict[str, Any]:
    if name in ("fault", "fault-empty"):
        return answer.fault(FAULT if name == "fault" else {})
    if name == "status-not-ok":
        return replace(answer, result={"ReturnStatus": "Failed"}, rows=()).tree()
    if name == "one":
        answer = replace(answer, rows=answer.rows[:1])
    return replace(answer, prefixes=_PREFIXES.get(name, answer.prefixes)).tree(_WRITTEN.get(name, Rows.LIST))


def _soapy(tree: Any) -> bool:
    if isinstance(tree, dict):
        return any(_soapy(value) for value in tree.values())
    return isinstance(tree, Soap)


def _typed(leaf: Any) -> Any:
    return json.loads(leaf) if isinstance(leaf, str) and _NUMBER.fullmatch(leaf) else leaf


def _with_acf(page: dict[str, Any], name: str) -> dict[str, Any]:
    rest = {key: value for key, value in page.items() if key != "acf"}
    return rest | {"acf": _ACF[name]} if name in _ACF else rest


def _json(tree: Any) -> bytes:
    return json.dumps(tree, separators=(",", ":")).encode("ascii")
