"""Colours of the customer types: those of the stylesheet (DESIGN 2), or those of the content."""

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
"""Name of the theme in the stylesheet, by a service's theme or a customer type."""


def theme_style(theme: str, look: ServiceLook | None = None) -> dict[str, Any]:
    """Return the colours of a theme as CSS variables; none for the plain site.

    The colours that the content has for a service win; the store has checked their contrast.
    """
    if look and look.color:
        return {"--theme": look.color, "--theme-bg": look.ground}
    name = THEMES.get(theme)
    return {"--theme": f"var(--{name})", "--theme-bg": f"var(--{name}-bg)"} if name else {}
