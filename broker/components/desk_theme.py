"""The theme of the staff area's Chakra widgets: our tokens of `assets/desk.css`, which `data-theme` turns dark.

The keys are those of Chakra UI 2; values are CSS, since the scope has none of the library's scales.
"""

from collections.abc import Mapping
from typing import Any

Styles = Mapping[str, Any]

_SMALL = "@media (max-width: 699px)"
"""Screens with one pane, where what is pressed is 44 pixels high."""

_RING: Styles = {"outline": "3px solid var(--ring)", "outlineOffset": "1px"}

_BUTTON: Styles = {
    "baseStyle": {
        "display": "inline-flex",
        "alignItems": "center",
        "justifyContent": "center",
        "gap": "6px",
        "border": "1px solid var(--edge)",
        "borderRadius": "6px",
        "fontWeight": "600",
        "lineHeight": "1.1",
        "whiteSpace": "nowrap",
        "textDecoration": "none",
        "cursor": "pointer",
        "_focusVisible": _RING,
        "_disabled": {"borderStyle": "dashed", "color": "var(--text3)", "cursor": "not-allowed"},
    },
    "sizes": {
        "sm": {"height": "32px", "padding": "0 12px", "fontSize": "13.5px", _SMALL: {"height": "44px"}},
        "xs": {"height": "26px", "padding": "0 8px", "fontSize": "13px", _SMALL: {"height": "44px"}},
    },
    "variants": {
        "outline": {
            "background": "var(--card)",
            "color": "var(--text)",
            "_hover": {"background": "var(--tint)"},
            "&[aria-pressed=true]": {"background": "var(--brand)", "borderColor": "var(--brand)", "color": "var(--on)"},
        },
        "solid": {
            "background": "var(--brand)",
            "borderColor": "var(--brand)",
            "color": "var(--on)",
            "_hover": {"background": "var(--brand-h)"},
        },
        "ghost": {
            "background": "transparent",
            "borderColor": "transparent",
            "color": "var(--link)",
            "_hover": {"background": "var(--tint2)"},
        },
    },
    "defaultProps": {"size": "sm", "variant": "outline"},
}

_CELL: Styles = {"padding": "0 8px", "textAlign": "start", "borderBottom": "1px solid var(--rule)"}

_TABLE: Styles = {
    "baseStyle": {
        "table": {
            "width": "100%",
            "borderCollapse": "separate",
            "borderSpacing": "0",
            "fontSize": "13.5px",
            "fontVariantNumeric": "tabular-nums",
        },
        "th": {
            "thead &": {
                **_CELL,
                "height": "32px",
                "borderBottomColor": "var(--rule2)",
                "color": "var(--text2)",
                "fontSize": "12.5px",
                "fontWeight": "650",
                "textTransform": "none",
                "whiteSpace": "nowrap",
            },
            "tbody &": {**_CELL, "height": "36px", "color": "var(--text)", "fontWeight": "600"},
        },
        "td": {**_CELL, "height": "36px", "color": "var(--text)"},
        "tr": {
            "tbody &:hover > *": {"background": "var(--tint)"},
            "tbody &[aria-current=true] > *": {"background": "var(--here)"},
            "tbody &:last-of-type > *": {"borderBottom": "0"},
        },
    }
}

_TONES = {"green": "g", "orange": "w", "red": "b", "cyan": "n", "gray": "q"}
"""Tokens of the colour schemes: `--g` for a text on `--g-bg`."""

_BADGE: Styles = {
    "baseStyle": {
        "display": "inline-flex",
        "alignItems": "center",
        "gap": "5px",
        "minHeight": "20px",
        "padding": "0 7px",
        "borderRadius": "4px",
        "fontSize": "12.5px",
        "fontWeight": "600",
        "lineHeight": "1.2",
        "textTransform": "none",
    },
    # a variant for each colour, as a theme of CSS has no function of the scheme
    "variants": {
        scheme: {"background": f"var(--{tone}-bg)", "color": f"var(--{tone})"} for scheme, tone in _TONES.items()
    },
    "defaultProps": {"variant": "gray"},
}

DESK_THEME: Styles = {"components": {"Button": _BUTTON, "Table": _TABLE, "Badge": _BADGE}}
