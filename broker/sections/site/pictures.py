"""Pictures of the content: banners, icons, logos and portraits, each at the size of its file."""

import reflex as rx

from broker.components.elements.picture import picture
from broker.content.models.pictures import Picture


def content_picture(given: Picture, class_name: str = "", *, lazy: bool = True) -> rx.Component:
    """Draw a picture of the content with its text alternative; a `lazy` one loads when it comes near the viewport."""
    return picture(given.src, width=given.width, height=given.height, alt=given.alt, class_name=class_name, lazy=lazy)


def banner_picture(given: Picture | None, instead: rx.Component) -> rx.Component:
    """Draw a page's banner picture, or `instead` where it has none."""
    return content_picture(given, "banner-pic", lazy=False) if given else instead
