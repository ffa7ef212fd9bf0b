"""The view of the sitemap page."""

from dataclasses import dataclass

from broker.domain.immutable import Immutable
from broker.presenters.page_head import HeadView
from broker.presenters.site_search import EntryLink


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGroup(Immutable):
    """The links to the pages of a section."""

    heading: str
    links: tuple[EntryLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteMapPage(Immutable):
    """Every page of the site, by section."""

    head: HeadView
    groups: tuple[PageGroup, ...]
