"""A guide published after the build: for a part of the page that is drawn in the browser, and for the edge.

The edge fills a page that was exported for a guide with no text of its own, `unfilled`: what stands in it, and
`unfilled_words` names, is exchanged for the `guide_words` of the guide that was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from broker import routes
from broker.content.models.guides import Guide
from broker.content.models.pages import Heading
from broker.content.models.safe_html import SafeHtml
from broker.domain.guides import GuideCategory
from broker.presenters.guides import by_line, guide_card, main_category

CONTENTS = 2
"""The level of the headings that the list of contents names."""

HEADING = Heading(level=CONTENTS, text="__heading__", anchor="__anchor__")
HTML, DISCLAIMER = SafeHtml("<p>__html__</p>"), SafeHtml("<p>__disclaimer__</p>")
"""The one heading of an unfilled page, its text, and what stands at its foot."""

PROBLEM = "__problem__"
"""Stands for the reason on the page that says that a guide could not be read."""

PICTURES = {
    GuideCategory.PROPERTY: "card-home-mover-guide",
    GuideCategory.FIRST_TIME_BUYER: "card-first-time-buyer-guide",
    GuideCategory.REMORTGAGING: "card-remortgaging-guide",
    GuideCategory.MORTGAGING: "card-what-is-ltv",
}
"""The drawing of a guide that has none of its own yet: they are drawn when the site is built."""

_CREATED, _UPDATED, _WORDS = date(1970, 1, 1), date(1970, 2, 2), 7_654_321
_META_TITLE = f"__meta_title{'_' * 44}"
"""So long that nothing is put behind it, and no longer than a title may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideView:
    """A guide as the browser draws it; `listed` is the list of its category's guides, `theme` names its colours.

    `picture` is the drawing in the banner.
    """

    title: str = ""
    summary: str = ""
    by: str = ""
    tag: str = ""
    listed: str = ""
    theme: str = ""
    picture: str = ""
    html: str = ""
    disclaimer: str = ""
    headings: tuple[Heading, ...] = ()


def guide_view(guide: Guide) -> GuideView:
    """Return a guide as the browser draws it."""
    card = guide_card(guide)
    return GuideView(
        title=guide.title,
        summary=guide.summary,
        by=by_line(guide),
        tag=f"{card.tag} guides",
        listed=routes.with_query(routes.GUIDES, {"category": main_category(guide).value}),
        theme=card.theme,
        picture=PICTURES[main_category(guide)],
        html=guide.html,
        disclaimer=guide.disclaimer,
        headings=contents(guide),
    )


def contents(guide: Guide) -> tuple[Heading, ...]:
    """Return the headings that the list of contents names."""
    return tuple(heading for heading in guide.headings if heading.level == CONTENTS)


def unfilled(category: GuideCategory, *, related: Sequence[str] = ()) -> Guide:
    """Return the guide that an unfilled page is exported for; its category, and what to read next, are as they stay."""
    return Guide(
        url=routes.unfilled(category.value),
        title="__title__",
        meta_title=_META_TITLE,
        description="__description__",
        summary="__summary__",
        categories=(category,),
        created=_CREATED,
        updated=_UPDATED,
        author="__author__",
        html=HTML,
        headings=(HEADING,),
        related=tuple(related),
        words=_WORDS,
        disclaimer=DISCLAIMER,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideWords:
    """What the page of a guide has of it: `texts` by what each is, `html` and `disclaimer` as written, the contents.

    `category` is the main one, `picture` the drawing in the banner.
    """

    category: GuideCategory
    picture: str
    texts: Mapping[str, str]
    html: str
    disclaimer: str
    headings: tuple[Heading, ...]


def guide_words(guide: Guide) -> GuideWords:
    """Return what fills a page; a guide that is newer than the build has the drawing of its category."""
    category = main_category(guide)
    return GuideWords(
        category=category,
        picture=PICTURES[category],
        texts=_texts(guide),
        html=guide.html,
        disclaimer=guide.disclaimer,
        headings=contents(guide),
    )


def unfilled_words(category: GuideCategory) -> GuideWords:
    """Return what stands in an unfilled page in the places of `guide_words`."""
    guide = unfilled(category)
    return GuideWords(
        category=category,
        picture=guide_card(guide).picture,
        texts=_texts(guide),
        html=guide.html,
        disclaimer=guide.disclaimer,
        headings=guide.headings,
    )


def _texts(guide: Guide) -> Mapping[str, str]:
    return {
        "by": by_line(guide),
        "author": guide.author,
        "title": guide.title,
        "meta title": guide.meta_title,
        "description": guide.description,
        "summary": guide.summary,
        "created": guide.created.isoformat(),
        "updated": guide.updated.isoformat(),
        "words": str(guide.words),
        "url": guide.url,
    }
