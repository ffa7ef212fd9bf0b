"""The staff area at the edge: access control, and the handlers of its forms and files."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from starlette.datastructures import FormData, UploadFile
from starlette.types import ASGIApp, Scope

from broker import routes
from broker.cases.case import EnquiryExport, Refused
from broker.cases.case_list import (
    FILTERS,
    MAX_TICKED,
    REFERENCES,
    SORT,
    TEXT,
    Column,
    Listing,
    Tab,
    listing_in,
    parameters_of,
)
from broker.cases.export import enquiries_csv, enquiries_json, enquiries_workbook, export_name
from broker.cases.list_view import text_in
from broker.documents.document import Letterhead
from broker.enquiries.enquiry import parse_reference
from broker.lenders.logos.outcomes import write_reports
from broker.lenders.logos.upload import MAX_BYTES, MAX_ZIP_BYTES
from broker.server.downloads import BYTE_ORDER_MARK
from broker.server.forms.posts import Post, text_fields, whole_number
from broker.server.response import Answer, Handler, attachment, plain_text
from broker.server.staff.access import StaffAccess, StaffHandlers, sign_in_path, staff_handlers
from broker.server.staff.diary import DiaryPages
from broker.server.staff.duties import DutiesFiles
from broker.server.staff.figures import FigureFiles
from broker.server.staff.link import LinkPages
from broker.server.staff.mail import MailPages
from broker.server.staff.own_account import AccountPages
from broker.server.staff.pages import DATABASE_AWAY, Message, StaffPages, redirect
from broker.server.staff.passkeys import PasskeyPosts
from broker.server.staff.sign_in import MAX_FORM_BYTES, SignInPages
from broker.server.staff.watches import WatchesPages
from broker.server.staff.windows import WindowPages
from broker.services import Services
from broker.settings import Settings
from broker.staff.accounts import StaffSession
from broker.staff.roles import Right, own_cases_only

_FORMAT = "form"
"""Form field with the format of the file."""

_MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

_EXPORT_TITLE = "Enquiries as a file"
_UNKNOWN_SEARCH = Message(
    title="This file cannot be made", text="Please go back to the list, load it again, and choose a file there."
)
_NOT_EXPORTED = "The file could not be made"
_BACK = (routes.STAFF_ENQUIRIES, "Back to the list")


class EnquiryFiles:
    """The list of cases, or those that are ticked, as a file with answers and notes.

    It is requested by a form post: a link would put the search, which may be a name, into histories and logs.
    """

    def __init__(self, services: Services, *, firm: str) -> None:
        self._services, self._pages = services, StaffPages(firm=firm)

    def posts(self) -> dict[str, Post]:
        staff = staff_handlers(self._services, self._pages, _EXPORT_TITLE, back=routes.STAFF_ENQUIRIES, link=_BACK)
        return staff.posts({"enquiries-file": self._file}, max_bytes=MAX_FORM_BYTES)

    async def _file(self, session: StaffSession, form: FormData) -> Answer:
        fields = text_fields(form)
        listing, file_format = _listing(fields), fields.get(_FORMAT, "")
        if file_format not in _MEDIA_TYPES or listing is None:
            return self._problem(400, _UNKNOWN_SEARCH)
        lists, own = self._services.case_lists, own_cases_only(session.role, Right.EXPORT)
        export = await lists.export(listing, form=file_format.upper(), own=own, who=session.name)
        if isinstance(export, Refused):
            return self._problem(503, Message(title=_NOT_EXPORTED, text=f"{export.words}."))
        # Thousands of enquiries take a second, for which other requests do not wait.
        body = await asyncio.to_thread(_export_body, export, file_format)
        return attachment(body, _MEDIA_TYPES[file_format], export_name(lists.now, file_format))

    def _problem(self, status: int, message: Message) -> Answer:
        return self._pages.problem(_EXPORT_TITLE, message, status=status, link=_BACK)


def _export_body(export: EnquiryExport, file_format: str) -> bytes:
    if file_format == "json":
        return enquiries_json(export).encode()
    if file_format == "xlsx":
        return enquiries_workbook(export)
    return BYTE_ORDER_MARK + enquiries_csv(export).encode()


def _listing(fields: Mapping[str, str]) -> Listing | None:
    """Return the list of a form, of the ticked cases where it has any; None where a filter is invalid.

    Without this check a file would hold too many cases.
    """
    listing = listing_in(fields)
    understood = {"tab": Tab.OPEN.value, SORT: Column.DUE.value, **parameters_of(listing)}
    if any(fields[name] != understood.get(name) for name in (*FILTERS, SORT) if fields.get(name)):
        return None
    ticked = fields.get(REFERENCES, "").split(",") if fields.get(REFERENCES) else []
    references = tuple(map(parse_reference, ticked))
    if not all(references) or len(references) > MAX_TICKED:
        return None
    wanted = replace(listing.wanted, text=text_in(fields.get(TEXT)), references=references)
    return replace(listing, wanted=wanted, page=1)


_MAX_FIELD_BYTES = 16 * 1024
"""Bytes of an upload form besides its file."""

_MAX_NUMBER_DIGITS = 10

log = logging.getLogger(__name__)

_Upload: TypeAlias = Callable[[FormData, UploadFile, str], Coroutine[Any, Any, str]]


class LogoPosts:
    """Logos that staff upload and download: a picture for one lender, or one that its name places, or a zip file.

    One file at a time is in memory.

    Uploads are posts rather than Reflex uploads, so that each has its own size limit before any of it is read.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._one_at_a_time = asyncio.Lock()

    def posts(self) -> dict[str, Post]:
        return self._post("logo", self._picture, MAX_BYTES) | self._post("logos", self._named, MAX_ZIP_BYTES)

    def handlers(self) -> dict[str, Handler]:
        refused, away = redirect(sign_in_path(routes.UPDATE_LENDERS)), partial(_away, "zip file of logos")
        staff = StaffHandlers(services=self._services, refused=refused, away=away)
        return {routes.STAFF_LOGOS_FILE: staff.page(routes.STAFF_LOGOS_FILE, self._archive)}

    async def _archive(self, _session: StaffSession, _scope: Scope) -> Answer:
        async with self._one_at_a_time:
            body = await self._services.logos.archive()
        return attachment(body, "application/zip", "logos.zip")

    def _post(self, name: str, action: _Upload, max_bytes: int) -> dict[str, Post]:
        async def upload(session: StaffSession, form: FormData) -> Answer:
            file = form.get("file")
            if not isinstance(file, UploadFile):
                return plain_text(400, "This did not arrive as a form with a file. Please load this page again.")
            async with self._one_at_a_time:
                text = await action(form, file, session.name)
            return Answer(status=200, headers={"content-type": "application/json"}, body=text.encode())

        refused = plain_text(403, "You are not signed in. Please load this page again and sign in.")
        away = partial(_away, "session of a logo upload")
        staff = StaffHandlers(services=self._services, refused=refused, away=away)
        # 5% above the limit of a file: one that is just too large is read, and refused by its name
        return staff.posts({name: upload}, max_bytes=max_bytes + max_bytes // 20 + _MAX_FIELD_BYTES, max_files=1)

    async def _picture(self, form: FormData, file: UploadFile, name: str) -> str:
        report = await self._services.logos.upload(
            whole_number(form.get("lender"), digits=_MAX_NUMBER_DIGITS),
            await file.read(),
            file_name=file.filename or "",
            who=name,
            made_to=whole_number(form.get("number"), digits=_MAX_NUMBER_DIGITS),
        )
        return write_reports([report])

    async def _named(self, _form: FormData, file: UploadFile, name: str) -> str:
        logos = self._services.logos
        return write_reports(await logos.upload_named(await file.read(), file_name=file.filename or "", who=name))


def _away(what: str, error: Exception) -> Answer:
    log.error("%s: %s", what, error)
    return plain_text(503, f"{DATABASE_AWAY.title}. {DATABASE_AWAY.text}")


class StaffArea:
    """Handlers of the staff area by path, and the middleware that protects it."""

    def __init__(
        self, services: Services, *, settings: Settings, firm: str, letterhead: Callable[[], Letterhead]
    ) -> None:
        self._services, self._settings, self._firm = services, settings, firm
        sign_in = SignInPages(services, settings=settings, firm=firm)
        account = AccountPages(services, settings=settings, firm=firm)
        files = EnquiryFiles(services, firm=firm)
        windows = WindowPages(services, firm=firm)
        watches = WatchesPages(services, firm=firm)
        mail = MailPages(services, firm=firm, has_server=bool(settings.smtp_url))
        diary = DiaryPages(services, firm=firm, site_url=settings.site_url, sends_mail=settings.sends_mail)
        link = LinkPages(services, settings=settings, firm=firm)
        pages = (sign_in, link, account, windows, mail, diary)
        self.posts: dict[str, Post] = files.posts() | DutiesFiles(services, firm=firm, letterhead=letterhead).posts()
        self.posts |= PasskeyPosts(services, settings=settings, firm=firm).posts()
        self.handlers: dict[str, Handler] = watches.handlers() | FigureFiles(services, firm=firm).handlers()
        for each in pages:
            self.posts |= each.posts()
            self.handlers |= each.handlers()

    def protect(self, app: ASGIApp) -> ASGIApp:
        return StaffAccess(app, self._services, settings=self._settings, firm=self._firm)
