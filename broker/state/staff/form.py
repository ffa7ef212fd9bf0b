"""Values of a submitted form; what a page sends may be anything."""

from collections.abc import Mapping


def text_field(form: object, name: str) -> str:
    """Return the text of a form's field, empty without one."""
    value = form.get(name) if isinstance(form, Mapping) else None
    return value if isinstance(value, str) else ""
