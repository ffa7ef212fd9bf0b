"""State shared by the steps of an import: addresses, pictures, the fallback store, and the issues so far."""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from datetime import date
from urllib.parse import parse_qs, unquote, urlsplit, urlunsplit

from broker import routes
from broker.calculators import registry
from broker.content.models.pictures import NO_HTML, Picture, SafeHtml
from broker.content.snapshot.snapshot import ImportIssue, Severity, Snapshot
from broker.content.store import NO_HISTORY, ContentStore, PageIdentity
from broker.content.text.markdown import Text
from broker.content.text.sanitise import format_html, sanitise
from broker.content.wordpress.client import Json
from broker.content.wordpress.fields import (
    CALCULATORS,
    GUIDE,
    PROMOTION,
    TYPE_GUIDE,
    DateError,
    choices,
    day,
    image_address,
    image_alt,
    plain_letters,
)


class ImportContext:
    """Context of one import: `fallback` has what WordPress lacks, `pictures` are the copies by original address."""

    def __init__(
        self,
        api_url: str,
        fallback: ContentStore,
        *,
        pictures: Mapping[str, Picture],
        today: date,
        last: Snapshot | None = None,
        unread: Set[str] = frozenset(),
    ) -> None:
        """`last` is the last snapshot, and `history` the addresses of its pages; `pages` are those of this import.

        `unread` are the parts that could not be read, and are those of the last download. `protected` are the paths of
        pages with a password, which are left out. `posts` are the paths by WordPress's ids, `aliases` those of pages
        whose address in WordPress has other letters than ours, by that address.
        """
        self.fallback, self.pictures, self.today, self.unread = fallback, pictures, today, unread
        self.history = last.history if last else NO_HISTORY
        self.last_paths = last.paths() if last else {}
        self.issues: list[ImportIssue] = []
        self.pages: dict[str, PageIdentity] = {}
        self.protected: set[str] = set()
        self.posts: dict[int, str] = {}
        self.aliases: dict[str, str] = {}
        self.team = f"the {fallback.site().name} advice team"
        self._api = urlsplit(api_url.rstrip("/"))
        self.root = self._api.path + "/"
        self._type_guides = {f"/{service.slug}{TYPE_GUIDE}/" for service in fallback.services()}

    def note(self, item: str, words: str) -> None:
        """Record that something was left out or filled in."""
        self.issues.append(ImportIssue(item=item, words=words))

    def fault(self, item: str, words: str, *, post_id: int = 0) -> None:
        """Record a fault that an editor has to correct."""
        self.issues.append(ImportIssue(item=item, words=words, severity=Severity.FAULT, post_id=post_id))

    def refuse(self, item: str, words: str) -> None:
        self.issues.append(ImportIssue(item=item, words=words, severity=Severity.FATAL))

    def html(self, *parts: str, taken: Iterable[str] = ()) -> Text:
        """Sanitise and format texts as one; `taken` are ids that its page has already."""
        return self.format([self.sanitise(part) for part in parts], taken=taken)

    def sanitise(self, html: str) -> SafeHtml:
        return sanitise(html, link=self.link) if html.strip() else NO_HTML

    def format(self, parts: Iterable[SafeHtml], *, taken: Iterable[str] = ()) -> Text:
        """Return sanitised texts as one, in the form of our own texts."""
        whole = SafeHtml("\n".join(part for part in parts if part))
        return format_html(whole, picture=self.pictures.get, taken=taken)

    def picture(self, image: Json, *, large: bool = False) -> Picture | None:
        """Return the copy of an image with its alternative text; None without a copy."""
        copy = self.pictures.get(image_address(image, large=large))
        return replace(copy, alt=image_alt(image)) if copy else None

    def day(self, item: str, value: Json) -> date | None:
        """Return a date; None, with a note, for an unreadable one."""
        try:
            return day(value)
        except DateError as error:
            self.note(item, str(error))
            return None

    def read_calculators(self, item: str, value: Json) -> tuple[str, ...]:
        """Return calculators by our slugs; unknown ones are noted and left out."""
        ours = {calculator.slug for calculator in registry.CALCULATORS}
        named = [CALCULATORS.get(name, name) for name in choices(value)]
        if unknown := sorted(set(named) - ours):
            self.note(item, f"unknown calculator {', '.join(unknown)}; known are {', '.join(sorted(ours))}")
        return tuple(dict.fromkeys(name for name in named if name in ours))

    def link(self, address: str) -> str:
        """Return an address of WordPress as a path of our site; external addresses, files and fragments stay.

        Addresses with other schemes and malformed ones become empty.
        """
        try:
            parts = urlsplit(address.strip())
        except ValueError:
            return ""
        if parts.scheme in ("mailto", "tel") or not (parts.scheme or parts.netloc or parts.path):
            return address.strip()
        if parts.netloc and parts.netloc != self._api.netloc:
            return urlunsplit(parts._replace(scheme=parts.scheme or "https")) if _web(parts.scheme) else ""
        if not _web(parts.scheme):
            return ""
        parts = parts._replace(path=parts.path.removesuffix("index.php"))
        if "." in parts.path.rpartition("/")[2] or "/wp-" in parts.path:
            return urlunsplit(parts._replace(scheme=self._api.scheme, netloc=self._api.netloc))
        path = self._site_path(parts.path)
        if path == routes.HOME and (post_id := _post_id(parts.query)):
            return urlunsplit(("", "", path, "", parts.fragment)) if (path := self.posts.get(post_id, "")) else ""
        return urlunsplit(("", "", path, parts.query, parts.fragment))

    def place_page(self, post_id: int, slug: str, *, address: str) -> str:
        """Return the path of a page, and map links to its id or its address in WordPress to it.

        A path of ours has the letters a to z: accents are removed, and a page of another script is named by its id.
        """
        path = self.link(address).partition("?")[0] or self.link(f"/{slug}/")
        plain = plain_letters(path)
        ours = plain if plain.isascii() else f"/page-{post_id}/"
        if ours != path:
            self.aliases[path] = ours
        self.posts.setdefault(post_id, ours)
        return ours

    def place_guide(self, post_id: int, url: str) -> None:
        """Map links to the id of a listed guide to its url."""
        self.posts[post_id] = routes.guide(routes.RENAMED_GUIDES.get(url, url))

    def _site_path(self, path: str) -> str:
        bare = "/" + "/".join(part for part in unquote(path).split("/") if part)
        prefixes = [prefix for prefix in (self._api.path, PROMOTION) if prefix]
        while prefix := next((one for one in prefixes if f"{bare}/".startswith(f"{one}/")), ""):
            bare = bare[len(prefix) :]
        slashed = bare if bare.endswith("/") else bare + "/"
        if slashed in self._type_guides:
            return GUIDE.rstrip("/") + slashed
        slashed = self.aliases.get(slashed, slashed)
        return routes.REDIRECTS.get(slashed, slashed)


def _post_id(query: str) -> int:
    """Return the id in an address such as `/?p=12` or `/?page_id=12`; 0 for none."""
    given = parse_qs(query)
    found = next((given[name][0] for name in ("p", "page_id", "attachment_id") if name in given), "")
    return int(found) if re.fullmatch(r"\d{1,12}", found, re.ASCII) else 0


def shorten(text: str, most: int) -> str:
    """Return a text of at most `most` characters, cut between words and marked with an ellipsis."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    return (head.rpartition(" ")[0] or head).rstrip(" ,;:.-–") + "…"


def first(values: Iterable[str]) -> str:
    """Return the first non-empty text, or an empty one."""
    return next((value for value in values if value), "")


def _web(scheme: str) -> bool:
    return scheme in ("", "http", "https")
