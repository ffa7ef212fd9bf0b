"""Download of all content of WordPress, with every list to its last page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from broker.content.errors import ContentApiError
from broker.content.wordpress.client import WordPressClient
from broker.content.wordpress.fields import at, choice, raw, rows
from broker.content.wordpress.name_mapping import TYPE_GUIDE
from broker.content.wordpress.queries import CONNECTIONS, EXTRA_SEO, PAGE, SITE_DATA, Connection, more_of
from broker.content.wordpress.responses import Json

MAX_LIST_PAGES = 50
"""Maximum pages of one list, for 5,000 rows."""

_FULL = {"_embed": "", "acf_format": "standard"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Answers of WordPress: `site` by the names of call 1 with complete lists, the others as REST rows.

    `missing` has the reason for each optional call that failed.
    """

    site: Mapping[str, Json]
    pages: Sequence[Mapping[str, Json]]
    lender_pages: Sequence[Mapping[str, Json]]
    faqs: Json
    questionnaire: Json
    extra_seo: Mapping[str, Json]
    missing: Mapping[str, str]


async def download_site(client: WordPressClient, *, types: Sequence[str]) -> Answers:
    """Download everything; `types` are our service types besides WordPress's own.

    Raises ContentApiError if the site data or the pages cannot be read.
    """
    site = await lists_of(client, SITE_DATA, connections=CONNECTIONS)
    slugs = tuple(dict.fromkeys([*(choice(row.get("slug")) for row in rows(site.get("services"))), *types]))
    missing: dict[str, str] = {}
    guides = [page for slug in slugs if slug for page in await pages_by_slug(client, f"{slug}{TYPE_GUIDE}")]
    pages = await listed(client, "pages", path="wp/v2/pages")
    return Answers(
        site=site,
        pages=_once([*guides, *pages]),
        lender_pages=await _optional(client, "lender_pages", missing) or (),
        faqs=await _optional(client, "faqs", missing),
        questionnaire=await _optional(client, "query", missing),
        extra_seo={slug: await extra_seo(client, slug) for slug in slugs if slug},
        missing=missing,
    )


async def lists_of(client: WordPressClient, query: str, *, connections: Sequence[Connection]) -> dict[str, Json]:
    """Return the data of a query with its lists, the `connections`, complete; raises ContentApiError."""
    data = await client.query(query)
    for connection in connections:
        data[connection.alias] = await _whole(client, connection, data.get(connection.alias))
    return data


async def extra_seo(client: WordPressClient, slug: str) -> Json:
    """Return the extra SEO entry of a slug, or None; raises ContentApiError."""
    return (await client.query(EXTRA_SEO, {"slug": slug})).get("extraSeoSection")


async def pages_by_slug(client: WordPressClient, slug: str) -> list[dict[str, Json]]:
    """Return the pages of a slug (call 7), none or several of different parents; raises ContentApiError.

    Pages of another slug are dropped: WordPress ignores a filter that it does not know.
    """
    tree, _ = await client.read("guide page", f"wp/v2/pages?{urlencode(_FULL | {'slug': slug})}")
    return [page for page in rows(tree) if page.get("slug") == slug]


async def listed(client: WordPressClient, call: str, *, path: str) -> list[dict[str, Json]]:
    """Return all rows of a REST list, page by page; raises ContentApiError."""
    found: list[dict[str, Json]] = []
    for place in range(1, MAX_LIST_PAGES + 1):
        wanted = urlencode(_FULL | {"per_page": PAGE, "page": place})
        tree, headers = await client.read(call, f"{path}?{wanted}")
        before = len(found)
        found = _once([*found, *rows(tree)])
        total = headers.get("x-wp-totalpages", "")
        last = place >= int(total) if total.isdigit() else len(rows(tree)) < PAGE
        if last or len(found) == before:
            return found
    raise ContentApiError(call, f"a list of more than {MAX_LIST_PAGES} pages")


async def _whole(client: WordPressClient, connection: Connection, begun: Json) -> list[dict[str, Json]]:
    found, page, seen = rows(begun), at(begun, "pageInfo"), set[str]()
    while at(page, "hasNextPage") is True:
        cursor = at(page, "endCursor")
        if not isinstance(cursor, str) or cursor in seen or len(seen) >= MAX_LIST_PAGES:
            raise ContentApiError("graphql", f"{connection.alias} does not end")
        seen.add(cursor)
        more = (await client.query(more_of(connection), {"after": cursor})).get(connection.alias)
        found, page = [*found, *rows(more)], at(more, "pageInfo")
    return found


_OPTIONAL = {"faqs": "faqs/v1/get", "query": "query/v2/get"}


async def _optional(client: WordPressClient, call: str, missing: dict[str, str]) -> Json:
    """Return the answer of an optional call (specification 8); a failure is recorded in `missing`."""
    try:
        if call == "lender_pages":
            return await listed(client, call, path="wp/v2/lender_pages")
        return (await client.read(call, _OPTIONAL[call]))[0]
    except ContentApiError as error:
        missing[call] = error.fault
        return None


def _once(pages: Sequence[dict[str, Json]]) -> list[dict[str, Json]]:
    """Return pages without repetitions of the same id and slug."""
    by_id = {(page.get("id", id(page)), raw(page.get("slug"))): page for page in reversed(pages)}
    return list(reversed(by_id.values()))
