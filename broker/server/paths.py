"""Addresses of requests: parameters, redirects, and the file names of templates."""

import re
from collections.abc import Container, Mapping
from posixpath import splitext
from types import MappingProxyType
from urllib.parse import quote, unquote, urlsplit

from starlette.types import Scope

from broker import routes

MAX_PATH_LENGTH = 1_000
"""Characters of a path that may redirect."""

API_PREFIXES = ("/wp-json/", "/graphql/")
"""Paths of the content service's API, which never redirect to a page (decision 2)."""

_SPELLINGS = {
    routes.town("guilford"): ("/mortgage-broker-guildford/",),
    routes.town("east-ham"): ("/mortgage-broker-eastham/",),
    routes.town("kingston"): ("/mortgage-broker-kingston-upon-thames/",),
    routes.town("richmond"): ("/mortgage-broker-richmond-upon-thames/",),
    routes.town("barking"): ("/mortgage-broker-barking-and-dagenham/",),
    routes.town("hammersmith"): ("/mortgage-broker-hammersmith-and-fulham/",),
    "/first-time-buyer/": ("/first-time-buyers/", "/first-time-buyer-mortgages/"),
    "/remortgaging/": ("/remortgage/", "/remortgage-advice/"),
    "/home-mover/": ("/home-movers/", "/moving-home/"),
    "/buy-to-let/": ("/buy-to-let-mortgages/", "/landlords/"),
    "/protection-needs/": ("/insurance/", "/protection/"),
    "/contractor-mortgage/": ("/contractor/", "/contractors/", "/contractor-mortgages/"),
    "/self-employed/": ("/self-employed-mortgage/", "/self-employed-mortgages/"),
    "/mortgages-first-time-buyer/": ("/first-time-buyer-deals/",),
    "/remortgages/": ("/remortgage-deals/", "/remortgaging-deals/"),
    routes.deals("buy-to-let"): ("/buy-to-let-rates/",),
    routes.deals("remortgaging"): ("/remortgage/rates/", "/remortgage-rates/"),
    routes.LENDERS: ("/lender/", "/mortgage-lenders/"),
    routes.GUIDES: ("/guides/",),
    routes.FAQS: ("/faq/", "/faqs/"),
    routes.CONTACT: ("/contact-us/", "/callback/"),
    routes.ABOUT: ("/about/",),
    routes.REVIEWS: ("/reviews/", "/client-feedback/"),
    routes.PRIVACY: ("/privacy/", "/privacy-policy/"),
    routes.COOKIES: ("/cookies/",),
    routes.COMPLAINTS: ("/complaints/",),
    routes.TERMS: ("/terms/", "/terms-and-conditions/"),
    routes.SITE_MAP: ("/site-map/",),
}

OTHER_SPELLINGS = {other: path for path, others in _SPELLINGS.items() for other in others}
"""Likely misspelt paths, which redirect if the site has the target and no page of that spelling."""

_TAIL = " \t\r\n\xa0\u200b\u2060\ufeff/\\.,;:!?*_'\"`<>()[]{}|‘’“”«»…–—"
"""Characters copied or typed by mistake after an address."""

_ESCAPED_AMPERSAND = re.compile("&(?:amp(?:;|%3B))+", re.IGNORECASE)

_PATH_SAFE = "/:@!$&'()*+,;=~-._"
_QUERY_SAFE = _PATH_SAFE + "?%[]"


def parameters_of(scope: Scope) -> dict[str, str]:
    return routes.parameters_in(scope.get("query_string", b"").decode("latin-1"))


def local_address(path: str, query: str = "") -> str:
    """Return a relative URL with exactly one slash in front, which no browser takes for another host."""
    address = "/" + quote(path.lstrip("/\\"), safe=_PATH_SAFE, errors="replace")
    return f"{address}?{quote(query, safe=_QUERY_SAFE, errors='replace')}" if query else address


def with_slash(path: str) -> str:
    return path if path.endswith("/") else f"{path}/"


def redirect_of(
    path: str, pages: Container[str], *, moved: Mapping[str, str] = MappingProxyType({})
) -> tuple[int, str] | None:
    """Return status and path of a redirect, or None: 301 for a page that has moved, 308 for a missing slash.

    `moved` are the current paths of the content service's pages by their former ones. Likely misspellings, capitals and
    stray characters at the end (`/contact)`) also redirect by 301.
    """
    if len(path) > MAX_PATH_LENGTH:
        return None
    found = _redirect_of(path, pages, moved=moved)
    if found and found[1] in pages:
        return found
    meant = with_slash(path.rstrip(_TAIL).lower())
    if meant in pages:
        return (301, meant) if meant != path else None
    tidied = _redirect_of(meant, pages, moved=moved)
    return (301, tidied[1]) if tidied else found


def _redirect_of(path: str, pages: Container[str], *, moved: Mapping[str, str]) -> tuple[int, str] | None:
    if splitext(path)[1]:
        return None
    target = moved.get(with_slash(path)) or routes.permanent(path)
    if target and not target.startswith(API_PREFIXES):
        return 301, target
    if path != with_slash(path) and with_slash(path) in pages:
        return 308, with_slash(path)
    meant = (OTHER_SPELLINGS.get(with_slash(path), ""), *routes.former_lender_pages(with_slash(path)))
    return next(((301, target) for target in meant if target in pages), None)


def unescaped_query(query: str) -> str:
    """Return a query string with `&` for `&amp;`, as in an address copied from HTML source."""
    return _ESCAPED_AMPERSAND.sub("&", query)


def template_file(slug: str) -> str:
    return f"__{slug}.html"


def template_slug(name: str) -> str:
    """Return the slug of a template's file name; empty for any other file."""
    slug = name.removeprefix("__").removesuffix(".html")
    return slug if name == template_file(slug) and routes.is_edge_template(slug) else ""


def referring_page(referer: str, hosts: Container[str]) -> str:
    """Return the local URL of a Referer; the home page for another host."""
    try:
        page = urlsplit(referer)
    except ValueError:
        return routes.HOME
    if page.scheme not in {"http", "https"} or page.netloc not in hosts:
        return routes.HOME
    return local_address(unquote(page.path), page.query)
