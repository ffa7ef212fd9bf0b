"""Views of parts that pages of several kinds have: a link, and the picture of a banner."""

from dataclasses import dataclass

from broker.content.models.pictures import BANNER, Picture, picture_source


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """A link; `is_here` is whether it leads to the page on which it stands."""

    label: str
    href: str
    is_here: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BannerView:
    """Attributes of a banner picture; `src` is empty for a page that has a drawing in its place."""

    src: str = ""
    srcset: str = ""
    sizes: str = ""
    width: str = ""
    height: str = ""
    alt: str = ""


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
