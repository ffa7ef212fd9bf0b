"""Colours chosen by editors, darkened to a readable contrast (WCAG 2.2, success criterion 1.4.3)."""

import re
from collections.abc import Iterable

from broker.content.errors import ContentError
from broker.content.models.pages import ServiceLook

MIN_CONTRAST = 4.5
"""Minimum contrast of text with its background."""

WHITE, WORDS = "#ffffff", "#3f5457"
"""The usual background, and the palest text colour on a service's tint (DESIGN 2)."""

_TINT_STRENGTH = 0.12
"""Share of its colour in a service's tint at full opacity, as in the design's own tints."""

_DARKENING_FACTOR = 0.97
"""Factor for each channel, applied until a colour is dark enough."""

_COLOUR = re.compile(r"#(?:[0-9a-f]{3}){1,2}")


def parse_colour(text: str) -> str:
    """Return a colour `#rgb` or `#rrggbb` as `#rrggbb`; empty for anything else."""
    written = text.strip().lower()
    if not _COLOUR.fullmatch(written):
        return ""
    return written if len(written) == 7 else "#" + "".join(digit * 2 for digit in written[1:])


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def readable_look(color: str, opacity: float = 1.0) -> ServiceLook:
    """Return the colours of a service from the chosen one, darkened to the minimum contrast.

    `opacity` from 0 to 1 makes the tint fainter.
    """
    ground = _written(255 - (255 - channel) * _TINT_STRENGTH * opacity for channel in _channels(color))
    while min(contrast(color, WHITE), contrast(color, ground)) < MIN_CONTRAST:
        color = _written(channel * _DARKENING_FACTOR for channel in _channels(color))
    return ServiceLook(color=color, ground=ground)


def check_contrast(slug: str, look: ServiceLook) -> None:
    """Raise ContentError for a service whose colours have too little contrast."""
    pairs = ((look.color, WHITE), (look.color, look.ground), (WORDS, look.ground)) if look.color else ()
    for words, behind in pairs:
        if (found := contrast(words, behind)) < MIN_CONTRAST:
            fault = f"words in {words} on {behind} have a contrast of {found:.1f}, and {MIN_CONTRAST} is the least"
            raise ContentError(f"service {slug}", fault)


def _channels(color: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(color.removeprefix("#")))


def _written(channels: Iterable[float]) -> str:
    return "#" + "".join(f"{int(channel):02x}" for channel in channels)


def _luminance(color: str) -> float:
    linear = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in (channel / 255 for channel in _channels(color))
    )
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
