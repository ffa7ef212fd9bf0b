"""State of the templates of replies: one is written, changed or deleted at a time."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from broker.cases.case import Refused
from broker.services import current
from broker.staff.roles import Right
from broker.state.staff.access import StaffState

NAME, TEXT = "template-name", "template-text"
"""Fields of the form."""


class TemplatesState(StaffState):
    """The templates by name, and the `chosen` one, empty for a new one.

    `name` and `text` are what the fields begin with, which `form_key` renews. `said` says what was done, `refused` why
    something was not. `is_asked` is whether the chosen one is to be deleted, if it is so confirmed.
    """

    right: ClassVar[Right] = Right.CASES
    names: tuple[str, ...] = ()
    chosen: str = ""
    name: str = ""
    text: str = ""
    form_key: str = ""
    said: str = ""
    refused: str = ""
    is_asked: bool = False

    _begun: int = 0

    @rx.event
    async def open(self) -> None:
        """Read the templates, and begin a new one."""
        await self._begin("")

    @rx.event
    async def choose(self, name: str) -> None:
        """Begin to change a template, or a new one for an empty name."""
        await self._begin(name)

    @rx.event
    async def save(self, form: dict[str, Any]) -> None:
        """Save the chosen template or a new one; what is typed stays where it is refused."""
        self.said, self.is_asked = "", False
        given = form if isinstance(form, Mapping) else {}
        saved = await current().cases.save_template(
            given.get(NAME), given.get(TEXT), who=self.staff_name, before=self.chosen
        )
        if isinstance(saved, Refused):
            self.refused = saved.words
            return
        await self._begin(saved.name)
        self.said = f"“{saved.name}” is saved"

    @rx.event
    def ask(self) -> None:
        """Ask for confirmation before the chosen template is deleted."""
        self.said, self.refused, self.is_asked = "", "", self.chosen != ""

    @rx.event
    def keep(self) -> None:
        self.is_asked = False

    @rx.event
    async def delete(self) -> None:
        """Delete the chosen template once it is confirmed."""
        if not self.is_asked:
            return
        name, self.is_asked = self.chosen, False
        deleted = await current().cases.delete_template(name, who=self.staff_name)
        if isinstance(deleted, Refused):
            self.refused = deleted.words
            return
        await self._begin("")
        self.said = f"“{name}” is deleted"

    async def _begin(self, name: object) -> None:
        """Read the templates again, and fill the fields with one of them, or with nothing."""
        found = await current().cases.templates()
        self.said, self.is_asked = "", False
        if isinstance(found, Refused):
            self.refused = found.words
            return
        texts = {each.name: each.text for each in found}
        self.names, self.refused = tuple(texts), ""
        self.chosen = self.name = name if isinstance(name, str) and name in texts else ""
        self.text = texts.get(self.chosen, "")
        self._begun += 1
        self.form_key = str(self._begun)
