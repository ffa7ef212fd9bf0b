"""Addresses of requests: their parameters, redirects within this host, and file names of templates."""

from collections.abc import Container, Mapping
from posixpath import splitext
from types import MappingProxyType
from urllib.parse import quote, unquote, urlsplit

from starlette.types import Scope

from broker import routes

MAX_PATH_LENGTH = 1_000
"""Characters of a path that may redirect; a longer one is unknown."""

API_PREFIXES = ("/wp-json/", "/graphql/")
"""Paths of the content service's API, which never redirect to a page (decision 2)."""

PATH_SAFE = "/:@!$&'()*+,;=~-._"
QUERY_SAFE = PATH_SAFE + "?%[]"


def parameters_of(scope: Scope) -> dict[str, str]:
    """Return the parameters of a request's address."""
    return routes.parameters_in(scope.get("query_string", b"").decode("latin-1"))


def local_address(path: str, query: str = "") -> str:
    """Return a relative URL on this host, with one slash in front: no browser reads another host in it."""
    address = "/" + quote(path.lstrip("/\\"), safe=PATH_SAFE, errors="replace")
    return f"{address}?{quote(query, safe=QUERY_SAFE, errors='replace')}" if query else address


def with_slash(path: str) -> str:
    return path if path.endswith("/") else f"{path}/"


def redirect_of(
    path: str, pages: Container[str], *, moved: Mapping[str, str] = MappingProxyType({})
) -> tuple[int, str] | None:
    """Return status and path of a redirect, or None: 301 for a page that has moved, 308 for a missing slash.

    `moved` are the present paths of the content service's pages by their former ones.
    """
    if len(path) > MAX_PATH_LENGTH or splitext(path)[1]:
        return None
    target = moved.get(with_slash(path)) or routes.permanent(path)
    if target and not target.startswith(API_PREFIXES):
        return 301, target
    return (308, with_slash(path)) if with_slash(path) in pages else None


def template_file(slug: str) -> str:
    return f"__{slug}.html"


def template_slug(name: str) -> str:
    """Return the slug of a template's file name; empty for any other file."""
    slug = name.removeprefix("__").removesuffix(".html")
    return slug if name == template_file(slug) and routes.is_edge_template(slug) else ""


def referring_page(referer: str, hosts: Container[str]) -> str:
    """Return the local URL of the page that a form was sent from; the home page for one of another host."""
    try:
        page = urlsplit(referer)
    except ValueError:
        return routes.HOME
    if page.scheme not in {"http", "https"} or page.netloc not in hosts:
        return routes.HOME
    return local_address(unquote(page.path), page.query)
