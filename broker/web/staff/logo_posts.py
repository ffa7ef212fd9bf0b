"""Logos that staff send: one picture for one lender, or many in a zip file.

They come as plain forms to the edge, and not by Reflex's own upload, for what staff and the server get out of it. Each
form has a bound of its own before anything of it is read, and no more than one is in memory at a time; a browser that
is refused, cut off or no longer signed in is told so in words that the page shows, where Reflex's upload writes a line
into the console; and there is no general door for files. The page sends them by a few lines of script
(`components.forms.file_upload`), the same for a file that is chosen, dropped or pasted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeAlias

from starlette.datastructures import FormData, UploadFile

from broker import routes
from broker.domain.enquiries.stored_records import StorageError
from broker.presenters.staff.logo_outcomes import outcome, written, zip_outcome
from broker.services.images import MAX_BYTES
from broker.services.rates.logo_file_names import logo_address
from broker.services.staff.authentication import StaffAuthentication
from broker.services.staff.logos.admin import LogoAdmin
from broker.services.staff.logos.zip_upload import MAX_ZIP_BYTES
from broker.web.forms.posts import Post, Sender
from broker.web.serving.response import Answer
from broker.web.staff.access import AWAY, AWAY_MORE, who

AROUND = 16 * 1024
"""Bytes of a form beside its file."""

_MAX_NUMBER_LENGTH = 10

log = logging.getLogger(__name__)

Act: TypeAlias = Callable[[FormData, UploadFile, str], Coroutine[Any, Any, str]]


class LogoStaffed(Protocol):
    """Who is signed in, and the desk of the logos (`services.casework.Casework`)."""

    @property
    def staff(self) -> StaffAuthentication:
        """Return the services of the staff area."""
        ...

    @property
    def logos(self) -> LogoAdmin:
        """Return where staff look after logos."""
        ...


class LogoPosts:
    """Answers the forms with logos."""

    def __init__(self, staffed: LogoStaffed) -> None:
        """Keep who stores them."""
        self._staffed = staffed
        self._one = asyncio.Lock()

    def posts(self) -> dict[str, Post]:
        """Return what answers the forms, by the paths they are sent to."""
        return {
            routes.STAFF_FORMS["logo"]: self._post(self._picture, MAX_BYTES),
            routes.STAFF_FORMS["logos"]: self._post(self._zip, MAX_ZIP_BYTES),
        }

    def _post(self, act: Act, most: int) -> Post:
        """Return what answers a form of somebody who is signed in; the door has asked before, and this asks again."""

        async def answer(sent: FormData, sender: Sender) -> Answer:
            try:
                session = await who(self._staffed, sender.headers)
            except StorageError as error:
                log.error("who sends a logo: %s", error)
                return _said(503, f"{AWAY}. {AWAY_MORE}")
            if session is None:
                return _said(403, "You are not signed in. Please load this page again and sign in.")
            file = sent.get("file")
            if not isinstance(file, UploadFile):
                return _said(400, "This did not arrive as a form with a file. Please load this page again.")
            async with self._one:
                text = await act(sent, file, session.name)
            return Answer(status=200, headers={"content-type": "application/json"}, body=text.encode())

        # a little more than a file may have: one that is just too large is refused by its name
        return Post(answer=answer, most=most + most // 20 + AROUND, files=1)

    async def _picture(self, sent: FormData, file: UploadFile, name: str) -> str:
        report = await self._staffed.logos.upload(
            _number(sent.get("lender")),
            await file.read(),
            file_name=file.filename or "",
            who=name,
            made_to=_number(sent.get("number")),
        )
        return written(outcome(report, logo_address))

    async def _zip(self, _sent: FormData, file: UploadFile, name: str) -> str:
        report = await self._staffed.logos.upload_zip(await file.read(), file_name=file.filename or "", who=name)
        return written(zip_outcome(report, logo_address))


def _number(given: object) -> int:
    """Return a number that a form names; 0, which is no lender, for anything else."""
    is_number = isinstance(given, str) and given.isascii() and given.isdecimal() and len(given) <= _MAX_NUMBER_LENGTH
    return int(given) if isinstance(given, str) and is_number else 0


def _said(status: int, text: str) -> Answer:
    return Answer(status=status, headers={"content-type": "text/plain; charset=utf-8"}, body=text.encode())
