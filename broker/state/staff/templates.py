"""State of the templates of replies: one is written, changed or deleted at a time."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from broker.cases.case import Refused
from broker.cases.replies import NO_TEMPLATE, ReplyTemplate, TemplateConflict
from broker.services import current
from broker.staff.roles import Right
from broker.state.staff.access import StaffState

NAME, SUBJECT, TEXT = "template-name", "template-subject", "template-text"
"""Fields of the form."""


class TemplatesState(StaffState):
    """The templates by name, and the `chosen` one, empty for a new one.

    `name`, `subject` and `text` are what the fields begin with, which `form_key` renews. `said` says what was done,
    `refused` why something was not. `is_asked` is whether the chosen one is to be deleted, if it is so confirmed.
    `theirs_by` says who has changed the chosen one since, to `theirs`; it is empty where nobody has.
    """

    right: ClassVar[Right] = Right.CASES
    names: tuple[str, ...] = ()
    chosen: str = ""
    name: str = ""
    subject: str = ""
    text: str = ""
    form_key: str = ""
    theirs_by: str = ""
    theirs: tuple[str, ...] = ()
    said: str = ""
    refused: str = ""
    is_asked: bool = False

    _begun: int = 0
    _seen: ReplyTemplate | None = None

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
        """Save the chosen template or a new one; what is typed stays where it is refused.

        Where a colleague has changed it since, their texts are shown, and saving again replaces them.
        """
        self.said, self.is_asked = "", False
        given = form if isinstance(form, Mapping) else {}
        saved = await current().cases.save_template(
            given.get(NAME), given.get(TEXT), subject=given.get(SUBJECT), seen=self._seen, who=self.staff_name
        )
        if isinstance(saved, TemplateConflict):
            await self._show_theirs(saved.template, "Save again to put yours in its place.")
        elif isinstance(saved, Refused):
            self.refused = saved.words
            if saved.words == NO_TEMPLATE:
                self._seen, self.chosen = None, ""
                await self._list()
        else:
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
        seen, is_asked, self.is_asked = self._seen, self.is_asked, False
        if seen is None or not is_asked:
            return
        deleted = await current().cases.delete_template(seen, who=self.staff_name)
        if isinstance(deleted, TemplateConflict):
            await self._show_theirs(deleted.template, "Nothing was deleted.")
        elif isinstance(deleted, Refused):
            self.refused = deleted.words
        else:
            await self._begin("")
            self.said = f"“{seen.name}” is deleted"

    async def _show_theirs(self, template: ReplyTemplate, words: str) -> None:
        """Show a template as a colleague has changed it, and go on from that version; what is typed stays."""
        await self._list()
        self._seen, self.chosen = template, template.name
        who = "You, in another window," if template.changed_by == self.staff_name else template.changed_by
        self.theirs_by, self.refused = f"{who} changed this template meanwhile. {words}", ""
        subject = f"Subject: {template.subject or 'that of every reply'}"
        self.theirs = (f"Name: {template.name}", subject, *template.text.split("\n"))

    async def _list(self) -> tuple[ReplyTemplate, ...] | Refused:
        """Read the names of the templates again."""
        found = await current().cases.templates()
        if not isinstance(found, Refused):
            self.names = tuple(each.name for each in found)
        return found

    async def _begin(self, name: object) -> None:
        """Read the templates again, and fill the fields with one of them, or with nothing."""
        found = await self._list()
        self.said, self.is_asked, self.theirs_by, self.theirs = "", False, "", ()
        if isinstance(found, Refused):
            self.refused = found.words
            return
        self._seen = next((each for each in found if each.name == name), None)
        begun, self.refused = self._seen or ReplyTemplate(name="", text=""), ""
        self.chosen = self.name = begun.name
        self.subject, self.text = begun.subject, begun.text
        self._begun += 1
        self.form_key = str(self._begun)
