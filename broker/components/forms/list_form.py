"""The form that narrows a list: what was changed here stands over what the list shows, until it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from broker.components.client_values import TYPED, BrowserValues, client_handler

_VERSION = "version"
"""Which list was shown when something was changed: over a newer one the changes are gone."""


class ListForm:
    """The fields of such a form, kept in the page and never in the browser's storage."""

    def __init__(self, name: str, fields: Sequence[str], *, version: rx.Var, shown: rx.Var) -> None:
        """Name the form, unique in the site; `shown` holds what the list of a version is narrowed by."""
        self.kept = BrowserValues(name, {_VERSION: "", **dict.fromkeys(fields, "")})
        self.version = version
        is_changed = self.kept[_VERSION] == version
        self.values = rx.cond(is_changed, self.kept.state.value, shown).to(dict[str, str])

    def __getitem__(self, name: str) -> rx.Var:
        """Return what a field holds."""
        return self.values[name].to(str)

    def change(self, name: str) -> rx.Var:
        """Return the handler that changes a field in the browser."""
        return client_handler(self.kept.replace(self.values, {_VERSION: self.version, name: TYPED}))
