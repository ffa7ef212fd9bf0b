"""The colours of the customer types, as the stylesheet names them (DESIGN 2), and those that the content chose."""

from __future__ import annotations

from typing import Any

from broker.content.models.pages import ServiceLook

THEMES = {
    "first-time-buyer": "ftb",
    "home-mover": "mover",
    "remortgaging": "remo",
    "buy-to-let": "btl",
    "buy-to-let-purchase": "btlp",
    "buy-to-let-remortgage": "btlr",
    "insurance": "prot",
}
"""The theme's name in the stylesheet, by a service's theme or a customer type."""


def theme_style(theme: str, look: ServiceLook | None = None) -> dict[str, Any]:
    """Return the colours of a theme as the stylesheet's variables; none for the plain site.

    The content's own colours for a service win over the design's; the store has checked that words in them are plain.
    """
    if look and look.color:
        return {"--theme": look.color, "--theme-bg": look.ground}
    name = THEMES.get(theme)
    return {"--theme": f"var(--{name})", "--theme-bg": f"var(--{name}-bg)"} if name else {}
