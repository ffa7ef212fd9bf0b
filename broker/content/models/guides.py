"""Guides and town pages (specification 3, "Guide", "Local page")."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from broker.content.models.pages import Faq, Heading, PageMeta
from broker.content.models.safe_html import NO_HTML, SafeHtml
from broker.domain.guide_subjects import GuideSubject
from broker.domain.guides import GuideCategory


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide(PageMeta):
    """A guide: `url` is the last part of its address, `description` what lists and search engines show.

    `categories` has the main one first and is empty for a guide that suits everybody; `categories_complete` is whether
    it names all of them (decision 43). `order` is the place in the reading order, 0 for none. `related` are the urls of
    guides to read next; `disclaimer` ends its page; `subject` is what its picture
    shows, None for the usual one of its category.
    """

    url: str
    categories: tuple[GuideCategory, ...]
    created: date
    author: str
    html: SafeHtml
    headings: tuple[Heading, ...]
    related: tuple[str, ...]
    words: int
    order: float = 0
    categories_complete: bool = False
    show_on_homepage: bool = False
    subject: GuideSubject | None = None
    disclaimer: SafeHtml = NO_HTML

    @property
    def minutes(self) -> int:
        """Return the reading time in minutes, at 220 words a minute."""
        return max(round(self.words / 220), 1)


def in_reading_order(guides: Iterable[Guide]) -> tuple[Guide, ...]:
    """Return guides by their place in the reading order, then those without one, most recently changed first."""
    latest = sorted(guides, key=lambda guide: (guide.updated, guide.created, guide.url), reverse=True)
    return tuple(sorted(latest, key=lambda guide: (not guide.order, guide.order)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Town(PageMeta):
    """A town page: `near` are the slugs of nearby towns; `centre` is its latitude and longitude, None for a county.

    `checks` are what to check before an offer on a home there, each in a sentence.
    """

    slug: str
    name: str
    near: tuple[str, ...]
    html: SafeHtml
    headings: tuple[Heading, ...]
    faqs: tuple[Faq, ...]
    checks: tuple[str, ...] = ()
    centre: tuple[float, float] | None = None
