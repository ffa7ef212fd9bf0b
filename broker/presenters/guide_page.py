"""The view of a guide's page: display strings, what the content says, and what to read next."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from broker import routes
from broker.content.models.guides import Guide
from broker.content.models.pages import Heading
from broker.content.models.pictures import Picture
from broker.domain.immutable import Immutable
from broker.presenters.guides import CATEGORY_STYLES, GuideCard, by_line, guide_card, main_category, suits_everybody
from broker.presenters.page_head import HeadView
from broker.presenters.page_parts import BannerView, banner_view
from broker.presenters.themes import theme_style

CONTENTS = 2  # heading level listed in the table of contents
NEXT = 3
"""Guides to read next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidePage(Immutable):
    """A guide's page; `html` and `disclaimer` are HTML, `listed` is the address of its category's guides.

    `theme` names the drawing of a guide without a picture, `colour` and `ground` are values of CSS.
    """

    head: HeadView
    title: str
    summary: str
    by: str
    tag: str
    listed: str
    theme: str
    colour: str
    ground: str
    html: str
    disclaimer: str = ""
    banner: BannerView = field(default_factory=BannerView)
    headings: tuple[Heading, ...] = ()
    related: tuple[GuideCard, ...] = ()


def guide_page(
    guide: Guide, *, head: HeadView, banner: Picture | None = None, others: Iterable[Guide] = ()
) -> GuidePage:
    """Return the page of a guide; `others` are the guides that it may lead to."""
    for_all = suits_everybody(guide)
    category = "" if for_all else main_category(guide).value
    tag, theme = CATEGORY_STYLES[main_category(guide)]
    colours = theme_style(theme)
    return GuidePage(
        head=head,
        title=guide.title,
        summary=guide.summary,
        by=by_line(guide),
        tag="All guides" if for_all else f"{tag} guides",
        listed=routes.with_query(routes.GUIDES, {"category": category} if category else {}),
        theme=theme,
        colour=colours["--theme"],
        ground=colours["--theme-bg"],
        html=guide.html,
        disclaimer=guide.disclaimer,
        banner=banner_view(banner),
        headings=tuple(heading for heading in guide.headings if heading.level == CONTENTS),
        related=tuple(map(guide_card, guides_to_read_next(guide, others))),
    )


def guides_to_read_next(guide: Guide, others: Iterable[Guide]) -> tuple[Guide, ...]:
    """Return the guides that a guide names, else the first of its category."""
    listed = tuple(others)
    named = {other.url: other for other in listed if other.url in guide.related}
    category = main_category(guide)
    alike = (other for other in listed if main_category(other) is category and other.url != guide.url)
    return tuple(named[url] for url in guide.related if url in named)[:NEXT] or tuple(islice(alike, NEXT))
