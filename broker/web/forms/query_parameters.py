"""The parameters of an address that the edge answers."""

from urllib.parse import parse_qsl

from starlette.types import Scope

MAX_QUERY_LENGTH, MAX_FIELDS = 2_000, 50
"""Characters and parameters that are read of an address; more are ignored."""


def query_parameters(scope: Scope) -> dict[str, str]:
    """Return the first value of each parameter, as the browser's `URLSearchParams.get` does."""
    query = scope.get("query_string", b"")[:MAX_QUERY_LENGTH].decode("latin-1")
    pairs = parse_qsl("&".join(query.split("&")[:MAX_FIELDS]), keep_blank_values=True, errors="replace")
    return dict(reversed(pairs))
