"""Logos that staff upload: one picture for one lender, or many in a zip file.

They are forms posted to the edge, not Reflex uploads: each form has a size limit of its own before any of it is read,
one at a time is in memory, and a refused browser gets words that the page shows. `components.forms.file_upload` sends
them, whether a file is chosen, dropped or pasted.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeAlias

from starlette.datastructures import FormData, UploadFile

from broker import routes
from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.logos.logo import logo_address
from broker.lenders.logos.outcomes import outcome, write_outcome, zip_outcome
from broker.lenders.logos.upload import MAX_BYTES, MAX_ZIP_BYTES
from broker.server.forms.posts import Post, Sender
from broker.server.response import Answer, plain_text
from broker.server.staff.access import StaffProvider, current_session
from broker.server.staff.pages import DATABASE_AWAY
from broker.storage.errors import StorageError

MAX_FIELD_BYTES = 16 * 1024
"""Bytes of a form beside its file."""

_MAX_NUMBER_DIGITS = 10

log = logging.getLogger(__name__)

Action: TypeAlias = Callable[[FormData, UploadFile, str], Coroutine[Any, Any, str]]


class LogoProvider(StaffProvider, Protocol):
    """Gives the services of staff accounts and of lenders' logos, once the server runs."""

    @property
    def logos(self) -> LogoAdmin: ...


class LogoPosts:
    """Answers the forms with logos."""

    def __init__(self, provider: LogoProvider) -> None:
        self._provider = provider
        self._one_at_a_time = asyncio.Lock()

    def posts(self) -> dict[str, Post]:
        return {
            routes.STAFF_FORMS["logo"]: self._require_staff(self._picture, MAX_BYTES),
            routes.STAFF_FORMS["logos"]: self._require_staff(self._zip, MAX_ZIP_BYTES),
        }

    def _require_staff(self, action: Action, max_bytes: int) -> Post:
        """Return the handler of a form for staff who are signed in, which is checked again behind `StaffAccess`."""

        async def answer(form: FormData, sender: Sender) -> Answer:
            try:
                session = await current_session(self._provider, sender.headers)
            except StorageError as error:
                log.error("session of a logo upload: %s", error)
                return plain_text(503, f"{DATABASE_AWAY.title}. {DATABASE_AWAY.text}")
            if session is None:
                return plain_text(403, "You are not signed in. Please load this page again and sign in.")
            file = form.get("file")
            if not isinstance(file, UploadFile):
                return plain_text(400, "This did not arrive as a form with a file. Please load this page again.")
            async with self._one_at_a_time:
                text = await action(form, file, session.name)
            return Answer(status=200, headers={"content-type": "application/json"}, body=text.encode())

        # 5% more than a file may have: one that is just too large is refused by its name
        return Post(answer=answer, max_bytes=max_bytes + max_bytes // 20 + MAX_FIELD_BYTES, max_files=1)

    async def _picture(self, form: FormData, file: UploadFile, name: str) -> str:
        report = await self._provider.logos.upload(
            _number(form.get("lender")),
            await file.read(),
            file_name=file.filename or "",
            who=name,
            made_to=_number(form.get("number")),
        )
        return write_outcome(outcome(report, logo_address))

    async def _zip(self, _form: FormData, file: UploadFile, name: str) -> str:
        report = await self._provider.logos.upload_zip(await file.read(), file_name=file.filename or "", who=name)
        return write_outcome(zip_outcome(report, logo_address))


def _number(value: object) -> int:
    """Return a number of a form; 0, which is no lender, for anything else."""
    is_number = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= _MAX_NUMBER_DIGITS
    return int(value) if isinstance(value, str) and is_number else 0
