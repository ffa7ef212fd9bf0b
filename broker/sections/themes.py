"""The colours of the customer types, as the stylesheet names them (DESIGN 2)."""

from __future__ import annotations

from typing import Any

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


def theme_style(theme: str) -> dict[str, Any]:
    """Return the colours of a theme as the stylesheet's variables; none for the plain site."""
    name = THEMES.get(theme)
    return {"--theme": f"var(--{name})", "--theme-bg": f"var(--{name}-bg)"} if name else {}
