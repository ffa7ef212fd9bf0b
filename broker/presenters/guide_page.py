"""View models of a guide: for its page, and for the part of a page that the browser draws (`GuideView`)."""

from dataclasses import dataclass, fields

from broker import routes
from broker.content.models.guides import Guide
from broker.content.models.pages import Heading
from broker.content.models.pictures import BANNER, Picture, picture_source
from broker.domain.guide_subjects import USUAL_SUBJECTS
from broker.domain.guides import GuideCategory
from broker.domain.immutable import Immutable
from broker.presenters.guides import CATEGORY_STYLES, by_line, guide_card, main_category, subject_of, suits_everybody
from broker.presenters.jinja import markup_variable, variable
from broker.presenters.social_images import guide_path

CONTENTS = 2  # heading level listed in the table of contents
MIN_TITLE_LENGTH = 56  # of the title of a template: so many that the firm's name is not appended


@dataclass(frozen=True, slots=True, kw_only=True)
class BannerView:
    """Attributes of a guide's banner picture; `src` is empty for a guide that has a drawing in its place."""

    src: str = ""
    srcset: str = ""
    sizes: str = ""
    width: str = ""
    height: str = ""
    alt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideView(Immutable):
    """A guide as the browser draws it; `listed` is the address of its category's guides, `theme` names its colours.

    `banner` is its picture where it was published since the build.
    """

    title: str = ""
    summary: str = ""
    by: str = ""
    tag: str = ""
    listed: str = ""
    theme: str = ""
    banner: BannerView = BannerView()
    html: str = ""
    disclaimer: str = ""
    headings: tuple[Heading, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidePage(GuideView):
    """A guide as its page shows it, head and JSON-LD included; dates as `2026-03-04`."""

    slug: str
    social_image: str
    """Path of the image for social sites."""
    meta_title: str
    description: str
    author: str
    created: str
    updated: str
    words: int | str


def banner_view(picture: Picture | None) -> BannerView:
    """Return the attributes of a banner picture, all empty without one."""
    if not picture:
        return BannerView()
    source = picture_source(picture, BANNER)
    return BannerView(
        src=source.src,
        srcset=source.srcset,
        sizes=source.sizes,
        width=str(picture.width),
        height=str(picture.height),
        alt=picture.alt,
    )


def guide_view(guide: Guide, *, banner: Picture | None = None) -> GuideView:
    """Return a guide that was published since the build, as the browser draws it."""
    card, for_all = guide_card(guide), suits_everybody(guide)
    category = {} if for_all else {"category": main_category(guide).value}
    return GuideView(
        title=guide.title,
        summary=guide.summary,
        by=by_line(guide),
        tag="All guides" if for_all else f"{card.tag} guides",
        listed=routes.with_query(routes.GUIDES, category) if category else routes.GUIDES,
        theme=card.theme,
        banner=banner_view(banner),
        html=guide.html,
        disclaimer=guide.disclaimer,
        headings=tuple(heading for heading in guide.headings if heading.level == CONTENTS),
    )


def guide_page_view(guide: Guide, *, banner: Picture | None = None) -> GuidePage:
    """Return a guide as its page shows it."""
    view = guide_view(guide, banner=banner)
    shared = {each.name: getattr(view, each.name) for each in fields(GuideView)}
    return GuidePage(
        **shared,
        slug=guide.url,
        social_image=guide_path(subject_of(guide)),
        meta_title=guide.meta_title,
        description=guide.description,
        author=guide.author,
        created=guide.created.isoformat(),
        updated=guide.updated.isoformat(),
        words=guide.words,
    )


def template_guide(category: GuideCategory) -> GuidePage:
    """Return the guide that a template page is drawn of: variables, but for what its category decides."""
    tag, theme = CATEGORY_STYLES[category]
    return GuidePage(
        title=variable("guide.title"),
        summary=variable("guide.summary"),
        by=variable("guide.by"),
        tag=f"{tag} guides",
        listed=routes.with_query(routes.GUIDES, {"category": category.value}),
        theme=theme,
        banner=BannerView(**{each.name: variable(f"guide.banner.{each.name}") for each in fields(BannerView)}),
        html=markup_variable("guide.html"),
        disclaimer=markup_variable("guide.disclaimer"),
        slug=routes.edge_template(category.value),
        social_image=guide_path(USUAL_SUBJECTS[category]),
        meta_title=variable("guide.meta_title", min_width=MIN_TITLE_LENGTH),
        description=variable("guide.description"),
        author=variable("guide.author"),
        created=variable("guide.created"),
        updated=variable("guide.updated"),
        words=variable("guide.words"),
    )
