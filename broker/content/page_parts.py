"""Views that pages of several kinds share: a link, the picture of a banner, the colours of a theme."""

from dataclasses import dataclass
from typing import Any

from broker.content.models.pages import ServiceLook
from broker.content.models.pictures import BANNER, Picture, picture_source

THEMES = {
    "first-time-buyer": "ftb",
    "home-mover": "mover",
    "remortgaging": "remo",
    "buy-to-let": "btl",
    "buy-to-let-purchase": "btlp",
    "buy-to-let-remortgage": "btlr",
    "insurance": "prot",
}
"""Name of the theme in the stylesheet, by a service's theme or a customer type."""


def theme_style(theme: str, look: ServiceLook | None = None) -> dict[str, Any]:
    """Return the colours of a theme as CSS variables; none for the plain site.

    A service's own colours come first; the store has checked their contrast.
    """
    if look and look.color:
        return {"--theme": look.color, "--theme-bg": look.ground}
    name = THEMES.get(theme)
    return {"--theme": f"var(--{name})", "--theme-bg": f"var(--{name}-bg)"} if name else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """A link; `is_here` is whether it leads to its own page."""

    label: str
    href: str
    is_here: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BannerView:
    """Attributes of a banner picture; `src` is empty for a page with a drawing instead."""

    src: str = ""
    srcset: str = ""
    sizes: str = ""
    width: str = ""
    height: str = ""
    alt: str = ""


def banner_view(picture: Picture | None) -> BannerView:
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
