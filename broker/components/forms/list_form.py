"""The filter form of a list: changed fields override what the list shows, until the form is submitted."""

from collections.abc import Sequence

import reflex as rx

from broker.components.client_values import TYPED, BrowserValues, client_handler

_VERSION = "version"
"""The version of the list at the time of a change: a newer list drops the changes."""


class ListForm:
    """The fields of a filter form, held in the page and not in the browser's storage."""

    def __init__(self, name: str, fields: Sequence[str], *, version: rx.Var, shown: rx.Var) -> None:
        """`name` is unique in the site; `shown` holds the filters of the list of a version."""
        self.changes = BrowserValues(name, {_VERSION: "", **dict.fromkeys(fields, "")})
        self.version = version
        is_changed = self.changes[_VERSION] == version
        self.values = rx.cond(is_changed, self.changes.state.value, shown).to(dict[str, str])

    def __getitem__(self, name: str) -> rx.Var:
        return self.values[name].to(str)

    def change(self, name: str) -> rx.Var:
        """Return the handler that changes a field in the browser."""
        return client_handler(self.changes.replace(self.values, {_VERSION: self.version, name: TYPED}))
