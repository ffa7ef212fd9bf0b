"""Pictures of the content: banners, icons, logos and portraits, each served at the size at which it is drawn."""

import reflex as rx

from broker.components.elements.picture import picture
from broker.components.jinja import when_text
from broker.content.models.pictures import Picture, PicturePlace, fixed_place, picture_source
from broker.presenters.page_parts import BannerView


def content_picture(given: Picture, class_name: str = "", *, place: PicturePlace, lazy: bool = True) -> rx.Component:
    """Draw a picture of the content with its text alternative; a `lazy` one loads when it comes near the viewport."""
    files = picture_source(given, place)
    return picture(
        files.src,
        width=given.width,
        height=given.height,
        alt=given.alt,
        srcset=files.srcset,
        sizes=files.sizes,
        class_name=class_name,
        lazy=lazy,
    )


def icon_picture(given: Picture, class_name: str = "", *, width: int, lazy: bool = True) -> rx.Component:
    """Draw a picture that is `width` CSS pixels wide on every screen."""
    return content_picture(given, class_name, place=fixed_place(width), lazy=lazy)


def logo_picture(given: Picture, *, height: int, max_width: int) -> rx.Component:
    """Draw a picture that is `height` CSS pixels high on every screen, and at most `max_width` wide."""
    width = round(given.width * height / given.height)
    return content_picture(given, place=fixed_place(max(1, min(width, max_width))))


def banner_picture(banner: BannerView, instead: rx.Component | None = None) -> rx.Component:
    """Draw a page's banner picture, or `instead` where it has none."""
    shown = picture(
        banner.src,
        width=banner.width,
        height=banner.height,
        alt=banner.alt,
        srcset=banner.srcset,
        sizes=banner.sizes,
        class_name="banner-pic",
        lazy=False,
    )
    return when_text(banner.src, shown, otherwise=instead)
