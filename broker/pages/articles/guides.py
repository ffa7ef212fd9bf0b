"""Guide pages (specification 2); `guide_lists` has the lists of them."""

from collections.abc import Callable, Hashable, Mapping
from functools import partial

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.components.elements import (
    banner_picture,
    contents_entry,
    contents_list,
    drawing,
    markup,
    more_link,
    page_markup,
)
from broker.components.jinja import Shown, foreach, when_any, when_text
from broker.content.guide_pages import GuidePage, guide_page, subject_of
from broker.content.models.pages import Guide
from broker.content.models.site import Site
from broker.content.page_head import HeadView, guide_image_path
from broker.content.structured_data import article_data
from broker.derived import Derived
from broker.pages.articles.guide_cards import guide_tile
from broker.pages.data_page import shape
from broker.pages.layout import columns
from broker.pages.registry import MODIFIED, PUBLISHED, BuildInputs, DataPage, Page, Section
from broker.pages.site.contact import contact_aside
from broker.site_search.view import guide_words

_GUIDE = "guide"
"""The template of all guides."""

ADVICE = "Questions about your own case? One adviser answers them, free of charge."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    by_title = sorted(inputs.store.guides(), key=lambda guide: guide.title)
    return tuple(page_of_guide(inputs, guide) for guide in by_title)


def data_pages(inputs: BuildInputs) -> tuple[DataPage, ...]:
    return (
        DataPage(
            name=_GUIDE,
            view=GuidePage,
            draw=partial(_draw, inputs.store.site()),
            colours=lambda guide: {"--theme": guide.colour, "--theme-bg": guide.ground},
            dates=(PUBLISHED, MODIFIED),
        ),
    )


def page_of_guide(inputs: BuildInputs, guide: Guide) -> Page:
    return Page(
        route=routes.guide(guide.url),
        counted_as=Counted.GUIDE,
        template=_GUIDE,
        title=guide.meta_title,
        label=guide.title,
        parents=(("Mortgage guides", routes.GUIDES),),
        section=Section.GUIDES,
        search=guide_words(guide),
        description=guide.description,
        published=guide.created.isoformat(),
        lastmod=guide.updated.isoformat(),
        picture=guide_image_path(subject_of(guide)),
        json_ld=(article_data(guide, site=inputs.store.site(), site_url=inputs.site_url),),
    )


def _draw(site: Site, guide: Shown[GuidePage]) -> rx.Component:
    entries = foreach(guide.headings, lambda heading: contents_entry(heading.text, heading.anchor))
    disclaimer = when_text(guide.disclaimer, markup(guide.disclaimer, "small mute"))
    return rx.fragment(
        _banner(guide),
        rx.el.div(
            columns(
                when_any(guide.headings, contents_list(entries), otherwise=rx.el.div()),
                rx.el.article(page_markup(guide.html), disclaimer, class_name="stack loose"),
                contact_aside(site, "Talk it through", ADVICE),
                look="side guide",
            ),
            class_name="white",
        ),
        _read_next(guide),
    )


def _banner(guide: Shown[GuidePage]) -> rx.Component:
    """Draw the banner of a guide with its own picture, or over the street of its category."""
    street = drawing(f"street-{guide.theme}", width=1440, height=250, class_name="skyline", lazy=False)
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.p(rx.el.a(guide.tag, href=guide.listed, class_name="tag theme")),
                rx.el.h1(guide.title, tab_index=-1),
                rx.el.p(guide.summary, class_name="lead"),
                rx.el.p(guide.by, class_name="by"),
                class_name="txt stack",
            ),
            banner_picture(guide.banner),
            class_name="wrap",
        ),
        when_text(guide.banner.src, rx.fragment(), otherwise=street),
        class_name="banner with wide",
    )


def _read_next(guide: Shown[GuidePage]) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(rx.el.h2("Read next", id="next"), more_link("See more guides", routes.GUIDES), class_name="head"),
            rx.el.div(foreach(guide.related, guide_tile), class_name="g3"),
            class_name="wrap",
        ),
        class_name="band",
        aria_labelledby="next",
    )


class GuidePages:
    """Finds the pages of guides by path; `version` is equal while every page is."""

    template = _GUIDE
    shape = shape(GuidePage)

    def __init__(self, inputs: BuildInputs, *, head: Callable[[Page], HeadView]) -> None:
        self._inputs, self._head = inputs, head
        self._guides = Derived(self._by_path, lambda: (inputs.store.content,))

    @property
    def paths(self) -> Mapping[str, Guide]:
        return self._guides.current()

    def _by_path(self) -> Mapping[str, Guide]:
        return {routes.guide(guide.url): guide for guide in self._inputs.store.guides()}

    def version(self, _path: str) -> Hashable:
        return self._guides.version

    async def find(self, path: str) -> GuidePage | None:
        guide, store = self.paths.get(path), self._inputs.store
        if guide is None:
            return None
        head = self._head(page_of_guide(self._inputs, guide))
        return guide_page(guide, head=head, banner=store.guide_banner(guide.url), others=store.guides())
