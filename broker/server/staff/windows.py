"""The staff pages of how early lenders let their own borrowers book: the list, and the form that corrects one."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import FormData
from starlette.types import Scope

from broker import routes
from broker.lenders.directory import LenderDirectory
from broker.lenders.windows import CHECKED, OPENS, SOURCE, SWAP, UNKNOWN
from broker.server.forms.posts import Post, text_fields, whole_number
from broker.server.paths import parameters_of
from broker.server.response import Answer, Handler
from broker.server.staff.access import staff_handlers
from broker.server.staff.pages import Message, StaffPages, redirect
from broker.server.staff.sign_in import MAX_FORM_BYTES
from broker.services import Services
from broker.staff.accounts import StaffSession
from broker.storage.errors import StorageError

TITLE = "When lenders let borrowers book"

_NO_LENDER = Message(title="There is no such lender", text="Choose one of the list.")

_NOT_SAVED = Message(title="This could not be saved just now", text="Nothing is lost. Press Save again in a minute.")

_FIELDS = (OPENS, SWAP, SOURCE, CHECKED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lender:
    """A line of the list: what plans say of a lender, and whether staff have corrected it."""

    lender_id: int
    name: str
    words: str
    is_corrected: bool
    is_held: bool


class WindowPages:
    def __init__(self, services: Services, *, firm: str) -> None:
        self._services, self._pages = services, StaffPages(firm=firm)
        self._for_staff = staff_handlers(services, self._pages, TITLE, back=routes.STAFF_WINDOWS)

    def posts(self) -> dict[str, Post]:
        return self._for_staff.posts({"windows": self._save}, max_bytes=MAX_FORM_BYTES)

    def handlers(self) -> dict[str, Handler]:
        return {routes.STAFF_WINDOWS: self._for_staff.page(routes.STAFF_WINDOWS, self._page)}

    async def _page(self, _session: StaffSession, scope: Scope) -> Answer:
        parameters = parameters_of(scope)
        chosen, done = (whole_number(parameters.get(name, "")) for name in ("lender", "done"))
        await self._services.windows.learn()
        if parameters.get("lender"):
            return self._form(chosen, _held(self._services.windows.directory, chosen))
        return self._list(done)

    def _list(self, done: int) -> Answer:
        directory = self._services.windows.directory
        lenders = sorted(map(self._lender, directory.ids), key=lambda each: (not each.is_held, each.name.casefold()))
        name = directory.name(done)
        message = Message(title=f"{name} is saved, and plans count it", tone="good") if name else None
        return self._pages.answer("windows", TITLE, message=message, lenders=lenders)

    def _lender(self, lender_id: int) -> _Lender:
        directory, corrected = self._services.windows.directory, self._services.windows.directory.corrections
        is_corrected = bool(lender_id in corrected and corrected[lender_id].checked)
        return _Lender(
            lender_id=lender_id,
            name=directory.name(lender_id) or f"Lender {lender_id}",
            words=directory.window(lender_id).words,
            is_corrected=is_corrected,
            is_held=is_corrected or directory.window_in_file(lender_id) is not None,
        )

    def _form(
        self, lender_id: int, values: Mapping[str, str], *, problems: Mapping[str, str] | None = None, status: int = 200
    ) -> Answer:
        directory = self._services.windows.directory
        if not directory.name(lender_id):
            return self._pages.problem(TITLE, _NO_LENDER, status=404, link=(routes.STAFF_WINDOWS, "All lenders"))
        last, found = directory.corrections.get(lender_id), dict(problems or {})
        title = found.pop("", "There is a problem: see below") if found else ""
        return self._pages.answer(
            "window",
            directory.name(lender_id),
            message=Message(title=title) if title else None,
            status=status,
            lender=self._lender(lender_id),
            number=last.number if last else 0,
            values={name: values.get(name, "") for name in _FIELDS},
            errors={name: found.get(name, "") for name in _FIELDS},
        )

    async def _save(self, session: StaffSession, form: FormData) -> Answer:
        given = text_fields(form)
        lender_id, number = whole_number(given.get("lender", "")), whole_number(given.get("number", ""))
        windows = self._services.windows
        if not windows.directory.name(lender_id):
            return self._form(lender_id, given)
        try:
            if given.get("act") == "withdraw":
                problems = await windows.withdraw(lender_id, number=number, who=session.name)
            else:
                problems = await windows.correct(lender_id, given, number=number, who=session.name)
        except StorageError:
            return self._form(lender_id, given, problems={"": f"{_NOT_SAVED.title}. {_NOT_SAVED.text}"}, status=503)
        if problems:
            return self._form(lender_id, given, problems=problems, status=422)
        return redirect(f"{routes.STAFF_WINDOWS}?done={lender_id}")


def _held(directory: LenderDirectory, lender_id: int) -> dict[str, str]:
    """Return what the form starts with: the newest correction, else what the file says, without source and day."""
    last, entry = directory.corrections.get(lender_id), directory.window_in_file(lender_id)
    if last and last.checked:
        day = last.checked.isoformat()
        return {OPENS: last.opens or UNKNOWN, SWAP: last.swap, SOURCE: last.source, CHECKED: day}
    return {OPENS: entry.earliest or UNKNOWN, SWAP: entry.swap} if entry else {}
