"""Jinja2 code in texts of a page that is exported as a template (`web.export.edge_templates`).

The code stands between two private-use characters, by which the export tells it from content that looks like Jinja2.
It holds no quotes: React would escape them.
"""

OPEN, CLOSE = "\ue000", "\ue001"

CONDITIONAL = "data-jinja-"
"""Prefix of an attribute that the export makes conditional: `data-jinja-checked` becomes `checked` or nothing."""


def code(text: str) -> str:
    """Return Jinja2 code, marked for the export."""
    return f"{OPEN}{text}{CLOSE}"


def variable(name: str, *, min_width: int = 0) -> str:
    """Return the place of a value; `min_width` makes the text long, for limits of length that look at it."""
    return code(f"{{{{ {name:<{min_width}} }}}}")


def markup_variable(name: str) -> str:
    """Return the place of a value that is sanitised HTML."""
    return variable(f"{name}|safe")


def attribute_if(attribute: str, name: str) -> dict[str, str]:
    """Return an attribute that is `true` where the value of a name is true, and absent otherwise."""
    return {f"{CONDITIONAL}{attribute}": variable(name)}
