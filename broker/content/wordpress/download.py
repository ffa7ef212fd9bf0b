"""Download of all content of WordPress, with every list to its last page."""

import asyncio
import json
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from urllib.parse import urlencode

from broker.content.errors import ContentApiError
from broker.content.models.pictures import Picture
from broker.content.wordpress.client import Json, WordPressClient
from broker.content.wordpress.fields import TYPE_GUIDE, at, choice, raw, rows

_ROWS_PER_PAGE = 100
"""Rows of a page; WordPress silently returns 100 for a larger number, and 10 by default."""

_IMAGE = "{ node { sourceUrl altText mediaDetails { width height } } }"
_MENU = (
    "key: id parentId databaseId label title path url target cssClasses "
    "connectedNode { node { __typename ... on UniformResourceIdentifiable { uri } } }"
)
_FOOTER = (
    f"logos {{ mainLogo {_IMAGE} trustpilotLogo {_IMAGE} partnerLogo {_IMAGE} }} trustpilotReviewCount email "
    "copyrightText address companyDescription contactPhone whatsapp facebook instagram freeText1 freeText2 freeText3"
)
_REVIEW = (
    "ratingUrl ratings reviewDate reviewDescription reviewTitle reviewerImageUrl reviewerName "
    f"reviewScreenshot {_IMAGE} reviewSite"
)
_BRANCH = f"id databaseId title slug branchPage {{ bannerImage {_IMAGE} }}"
_GUIDE = "databaseId title seoGuides { url guideCategory guideDescription showOnHomepage createdDate }"
_COUNTS = " ".join(
    f"{site}Logo {_IMAGE} {site}Stars {_IMAGE} {site}Count"
    for site in ("google", "trustpilot", "reviewsio", "facebook")
)
_POST = (
    "post(id: 188, idType: DATABASE_ID) { databaseId title reviewSettings "
    f"{{ linkTitle reviewToShowInSlider totalReviews authorPhoto {_IMAGE} {_COUNTS} }} }}"
)

SECTIONS = tuple(f"section{number}" for number in range(1, 11))
"""The ten sections of an extra SEO entry."""

_EXTRA_SEO = (
    "query ExtraSeo($slug: ID!) { extraSeoSection(id: $slug, idType: SLUG) "
    f"{{ title slug extraSeoFields {{ {' '.join(SECTIONS)} faqSlugs }} }} }}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Connection:
    """A list of the site data: `alias` is its name in the answer, `field` and `where` select it.

    `edges` says that rows come as edges (specification 3, guide pages).
    """

    alias: str
    field: str
    rows: str
    where: str = ""
    edges: bool = False

    def text(self, after: bool = False) -> str:
        """Return the connection as part of a query; with `after` it continues at `$after`."""
        given = (
            f"first: {_ROWS_PER_PAGE}"
            + (", after: $after" if after else "")
            + (f", where: {self.where}" if self.where else "")
        )
        rows = f"edges {{ node {{ {self.rows} }} }}" if self.edges else f"nodes {{ {self.rows} }}"
        return f"{self.alias}: {self.field}({given}) {{ {rows} pageInfo {{ hasNextPage endCursor }} }}"


def _menu(alias: str, location: str) -> _Connection:
    return _Connection(alias=alias, field="menuItems", rows=_MENU, where=f"{{ location: {location} }}")


CONNECTIONS = (
    _Connection(alias="footers", field="footers", rows=f"title footerFields {{ {_FOOTER} }}"),
    _menu("mainMenu", "MAIN_MENU"),
    _menu("footerMenu", "FOOTER_MENU"),
    _menu("footerLegal", "FOOTER_LEGAL"),
    _menu("servicesMenu", "SERVICES_MENU"),
    _menu("sitemapMenu", "SITEMAP_MENU"),
    _Connection(alias="reviews", field="reviews", rows=f"databaseId title date reviewFields {{ {_REVIEW} }}"),
    _Connection(
        alias="services",
        field="services",
        rows=f"slug title serviceSettings {{ themeColor themeOpacity serviceIcon {_IMAGE} }}",
    ),
    _Connection(alias="seoGuidePages", field="pages", rows=_GUIDE, where='{ categoryName: "seo-guides" }', edges=True),
    _Connection(alias="localPages", field="pages", rows=_BRANCH, where="{ categoryId: 17 }"),
    _Connection(alias="additionalBranchPages", field="pages", rows=_BRANCH, where="{ categoryId: 19 }"),
)
"""Everything that is listed in the site data of call 1."""

SITE_DATA = f"query SiteData {{ {' '.join(connection.text() for connection in CONNECTIONS)} {_POST} }}"


def _more_of(connection: _Connection) -> str:
    """Return the query for the rows of a connection after `$after`."""
    return f"query More($after: String) {{ {connection.text(after=True)} }}"


_MAX_LIST_PAGES = 50
"""Maximum pages of one list, for 5,000 rows."""

_FULL = {"_embed": "", "acf_format": "standard"}

_REVIEW_SETTINGS = "post"
"""The name of the review settings in the site data: one object, beside the lists."""


_EMPTY = "answered nothing, where there was something before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the content: its last complete answer, when that was read, and why it could not be read this time.

    `read_at` is in ISO 8601, empty for a part that was never read; `fault` is empty for one that was read now.
    """

    answer: Json = None
    read_at: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """The source of a snapshot: parts by name, and pictures by their address at the content service."""

    parts: Mapping[str, Part] = field(default_factory=dict)
    pictures: Mapping[str, Picture] = field(default_factory=dict)


class PartReader:
    """Reader of parts that keeps the last answer of a failed one; `parts` are those read so far."""

    def __init__(self, last: Mapping[str, Part], *, now: str, accept_removals: bool = False) -> None:
        """`last` are the parts of the last download; with `accept_removals` an empty list may replace a full one."""
        self.parts: dict[str, Part] = {}
        self._last, self._now, self._accept_removals = last, now, accept_removals

    def begin(self, *names: str) -> None:
        """Add parts before they are read, so that parts read at once are in the order of their calls."""
        self.parts |= dict.fromkeys(names, Part())

    async def read(self, name: str, call: Awaitable[Json]) -> Json:
        """Return the answer of a call, or that of the last download if it fails; None without either."""
        self.begin(name)
        try:
            return self.take(name, await call)
        except ContentApiError as error:
            return self.keep(name, error.fault)

    def take(self, name: str, answer: Json) -> Json:
        """Return an answer; an empty one after a full one is a failure, unless removals are accepted.

        A call that fails deletes nothing: content is gone only when the service says so (decision 16, specification 8).
        """
        is_empty_list = isinstance(answer, list | dict) and not answer
        if not answer and self._had(name) and not (is_empty_list and self._accept_removals):
            return self.keep(name, _EMPTY)
        self.parts[name] = Part(answer=answer, read_at=self._now)
        return answer

    def keep(self, name: str, fault: str) -> Json:
        """Return the last answer of a part that cannot be read now."""
        self.parts[name] = replace(self._last.get(name, Part()), fault=fault)
        return self.parts[name].answer

    def _had(self, name: str) -> bool:
        return name in self._last and bool(self._last[name].answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Answers of WordPress: `site` by the names of call 1 with complete lists, the others as REST rows; all `parts`."""

    site: Mapping[str, Json]
    pages: Sequence[Mapping[str, Json]]
    lender_pages: Sequence[Mapping[str, Json]]
    faqs: Json
    extra_seo: Mapping[str, Json]
    parts: Mapping[str, Part]


async def download_site(client: WordPressClient, parts: PartReader, *, types: Sequence[str]) -> Answers:
    """Download everything; `types` are our service types besides WordPress's own.

    A part that cannot be read is that of the last download. Raises ContentApiError if neither the site data nor the
    pages can be read, and if either was never read.
    """
    (site, fault), pages, lender_pages, faqs = await asyncio.gather(
        _site_data(client, parts),
        parts.read("pages", listed(client, "pages", path="wp/v2/pages")),
        parts.read("lender_pages", listed(client, "lender_pages", path="wp/v2/lender_pages")),
        parts.read("faqs", _tree(client, "faqs", "faqs/v1/get")),
    )
    if fault and (pages is None or parts.parts["pages"].fault or site.get("mainMenu") is None):
        raise fault
    if pages is None:
        raise ContentApiError("pages", parts.parts["pages"].fault)
    slugs = _slugs(site, types)
    guides, extra_seo = await asyncio.gather(
        asyncio.gather(*(_guide_pages(client, parts, f"{slug}{TYPE_GUIDE}") for slug in slugs)),
        asyncio.gather(*(_extra_seo(client, parts, slug) for slug in slugs)),
    )
    return Answers(
        site=site,
        pages=_once([*chain.from_iterable(guides), *pages]),
        lender_pages=lender_pages or (),
        faqs=faqs,
        extra_seo=dict(zip(slugs, extra_seo, strict=True)),
        parts=parts.parts,
    )


def _slugs(site: Mapping[str, Json], types: Sequence[str]) -> tuple[str, ...]:
    """Return the slugs of WordPress's services, then those of ours that it lacks."""
    named = (*(choice(row.get("slug")) for row in rows(site.get("services"))), *types)
    return tuple(slug for slug in dict.fromkeys(named) if slug)


async def _site_data(client: WordPressClient, parts: PartReader) -> tuple[dict[str, Json], ContentApiError | None]:
    """Return the site data, each list a part of its own, and the error if it cannot be read."""
    names = (*(connection.alias for connection in CONNECTIONS), _REVIEW_SETTINGS)
    parts.begin(*names)
    try:
        site = await lists_of(client, SITE_DATA, connections=CONNECTIONS)
    except ContentApiError as error:
        return {name: parts.keep(name, error.fault) for name in names}, error
    return {name: parts.take(name, site.get(name)) for name in names}, None


async def _tree(client: WordPressClient, call: str, path: str) -> Json:
    """Return the object or list of a REST route; raises ContentApiError for anything else, such as null or false."""
    tree, _ = await client.read(call, path)
    if not isinstance(tree, dict | list):
        raise ContentApiError(call, f"answered {json.dumps(tree)[:20]}, which is no list")
    return tree


async def _extra_seo(client: WordPressClient, parts: PartReader, slug: str) -> Json:
    """Return the extra SEO entry of a slug, or None, which the service states itself."""
    return at(await parts.read(f"extra_seo {slug}", client.query(_EXTRA_SEO, {"slug": slug})), "extraSeoSection")


async def _guide_pages(client: WordPressClient, parts: PartReader, slug: str) -> list[dict[str, Json]]:
    """Return the pages of a guide's slug; an empty answer counts only if the list of pages was read too."""
    name = f"guide {slug}"
    found = await parts.read(name, _as_object(pages_by_slug(client, slug)))
    if not at(found, "pages") and parts.parts["pages"].fault:
        found = parts.keep(name, _EMPTY)
    return rows(at(found, "pages"))


async def _as_object(pages: Awaitable[list[dict[str, Json]]]) -> dict[str, Json]:
    return {"pages": await pages}


async def lists_of(client: WordPressClient, query: str, *, connections: Sequence[_Connection]) -> dict[str, Json]:
    """Return the data of a query with its lists, the `connections`, complete; raises ContentApiError."""
    data = await client.query(query)
    for connection in connections:
        data[connection.alias] = await _whole(client, connection, data.get(connection.alias))
    return data


async def pages_by_slug(client: WordPressClient, slug: str) -> list[dict[str, Json]]:
    """Return the pages of a slug (call 7), none or several of different parents; raises ContentApiError.

    Pages of another slug are dropped: WordPress ignores a filter that it does not know.
    """
    tree, _ = await client.read("guide page", f"wp/v2/pages?{urlencode(_FULL | {'slug': slug})}")
    _check_list("guide page", tree)
    return [page for page in rows(tree) if page.get("slug") == slug]


async def listed(client: WordPressClient, call: str, *, path: str) -> list[dict[str, Json]]:
    """Return all rows of a REST list, page by page; raises ContentApiError."""
    found: list[dict[str, Json]] = []
    for place in range(1, _MAX_LIST_PAGES + 1):
        wanted = urlencode(_FULL | {"per_page": _ROWS_PER_PAGE, "page": place})
        tree, headers = await client.read(call, f"{path}?{wanted}")
        _check_list(call, tree)
        before = len(found)
        found = _once([*found, *rows(tree)])
        total = headers.get("x-wp-totalpages", "")
        last = place >= int(total) if total.isdigit() else len(rows(tree)) < _ROWS_PER_PAGE
        if last or len(found) == before:
            return found
    raise ContentApiError(call, f"a list of more than {_MAX_LIST_PAGES} pages")


def _check_list(call: str, tree: Json) -> None:
    """Raise ContentApiError for null, false, or an object without numeric keys."""
    if not isinstance(tree, list) and not (isinstance(tree, dict) and tree and all(key.isdigit() for key in tree)):
        raise ContentApiError(call, "answered no list")


async def _whole(client: WordPressClient, connection: _Connection, begun: Json) -> list[dict[str, Json]]:
    found, page, seen = rows(begun), at(begun, "pageInfo"), set[str]()
    while at(page, "hasNextPage") is True:
        cursor = at(page, "endCursor")
        if not isinstance(cursor, str) or cursor in seen or len(seen) >= _MAX_LIST_PAGES:
            raise ContentApiError("graphql", f"{connection.alias} does not end")
        seen.add(cursor)
        more = (await client.query(_more_of(connection), {"after": cursor})).get(connection.alias)
        found, page = [*found, *rows(more)], at(more, "pageInfo")
    return found


def _once(pages: Sequence[dict[str, Json]]) -> list[dict[str, Json]]:
    """Return pages without repetitions of the same id and slug."""
    by_id = {(page.get("id", id(page)), raw(page.get("slug"))): page for page in reversed(pages)}
    return list(reversed(by_id.values()))
