"""Parse responses of WordPress to JSON data or an error.

Real responses may have an empty body for null, PHP warnings before the JSON, and errors with status 200.
"""

import json
import re
from typing import Any, TypeAlias

from broker.content.errors import ContentApiError
from broker.content.text.sanitise import plain_text

Json: TypeAlias = Any
"""Parsed JSON of unknown structure, which `fields` reads."""

MAX_REASON = 300

_START = re.compile(rb"^\s*[\[{]", re.MULTILINE)


def parse_json(call: str, status: int, *, body: bytes) -> Json:
    """Return the JSON of a successful response, None for an empty body; raises ContentApiError for any other."""
    success = 200 <= status < 300
    try:
        tree = _parsed(body)
    except (ValueError, RecursionError) as error:
        problem = "neither JSON nor empty" if success else f"answered {status}"
        raise ContentApiError(call, problem) from error
    stated = _own_error(tree)
    if not success or stated:
        raise ContentApiError(call, f"answered {status}" + (f" ({stated})" if stated else ""))
    return tree


def graphql_data(tree: Json) -> dict[str, Json]:
    """Return the data of a GraphQL response; raises ContentApiError for any error in it (specification 7)."""
    if not isinstance(tree, dict):
        raise ContentApiError("graphql", "an answer that is no object")
    if errors := tree.get("errors"):
        raise ContentApiError("graphql", _messages(errors))
    data = tree.get("data")
    if isinstance(data, list) and not data:
        return {}
    if not isinstance(data, dict):
        raise ContentApiError("graphql", "an answer without data")
    return data


def _parsed(body: bytes) -> Json:
    if not body.strip():
        return None
    try:
        tree = json.loads(body)
    except ValueError:
        start = _START.search(body)
        if not start or not start.start():
            raise
        tree = json.loads(body[start.start() :])
    return json.loads(tree) if isinstance(tree, str) and tree.lstrip().startswith(("{", "[")) else tree


def _own_error(tree: Json) -> str:
    """Return the error code of a WordPress error, also one with status 200; empty for data."""
    if not isinstance(tree, dict) or not isinstance(code := tree.get("code"), str) or "message" not in tree:
        return ""
    data = tree.get("data")
    return code[:60] if data is None or (isinstance(data, dict) and "status" in data) else ""


def _messages(errors: Json) -> str:
    entries = errors if isinstance(errors, list) else [errors]
    texts = [str(entry.get("message", "")) if isinstance(entry, dict) else str(entry) for entry in entries]
    return plain_text("; ".join(text for text in texts if text))[:MAX_REASON] or "errors without a message"
