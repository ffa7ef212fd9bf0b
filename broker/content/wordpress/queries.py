"""The GraphQL queries, and every name of a custom field: a site that calls one otherwise changes it here alone."""

from dataclasses import dataclass

PAGE = 100
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

EXTRA_SEO = (
    "query ExtraSeo($slug: ID!) { extraSeoSection(id: $slug, idType: SLUG) "
    f"{{ title slug extraSeoFields {{ {' '.join(SECTIONS)} faqSlugs }} }} }}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
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
            f"first: {PAGE}" + (", after: $after" if after else "") + (f", where: {self.where}" if self.where else "")
        )
        rows = f"edges {{ node {{ {self.rows} }} }}" if self.edges else f"nodes {{ {self.rows} }}"
        return f"{self.alias}: {self.field}({given}) {{ {rows} pageInfo {{ hasNextPage endCursor }} }}"


def _menu(alias: str, location: str) -> Connection:
    return Connection(alias=alias, field="menuItems", rows=_MENU, where=f"{{ location: {location} }}")


CONNECTIONS = (
    Connection(alias="footers", field="footers", rows=f"title footerFields {{ {_FOOTER} }}"),
    _menu("mainMenu", "MAIN_MENU"),
    _menu("footerMenu", "FOOTER_MENU"),
    _menu("footerLegal", "FOOTER_LEGAL"),
    _menu("servicesMenu", "SERVICES_MENU"),
    _menu("sitemapMenu", "SITEMAP_MENU"),
    Connection(alias="reviews", field="reviews", rows=f"databaseId title date reviewFields {{ {_REVIEW} }}"),
    Connection(
        alias="services",
        field="services",
        rows=f"slug title serviceSettings {{ themeColor themeOpacity serviceIcon {_IMAGE} }}",
    ),
    Connection(alias="seoGuidePages", field="pages", rows=_GUIDE, where='{ categoryName: "seo-guides" }', edges=True),
    Connection(alias="localPages", field="pages", rows=_BRANCH, where="{ categoryId: 17 }"),
    Connection(alias="additionalBranchPages", field="pages", rows=_BRANCH, where="{ categoryId: 19 }"),
)
"""Everything that is listed in the site data of call 1."""

SITE_DATA = f"query SiteData {{ {' '.join(connection.text() for connection in CONNECTIONS)} {_POST} }}"

GUIDE_LISTS = tuple(connection for connection in CONNECTIONS if connection.alias in ("services", "seoGuidePages"))
GUIDES = f"query Guides {{ {' '.join(connection.text() for connection in GUIDE_LISTS)} }}"
"""Which guides there are: those of the list, and a `{type}-guide` for each service type (call 7)."""


def more_of(connection: Connection) -> str:
    """Return the query that goes on with one connection from `$after`."""
    return f"query More($after: String) {{ {connection.text(after=True)} }}"
