"""The firm's figures as files: a table as CSV or Excel, and all of them as one workbook."""

import asyncio

from starlette.types import Scope

from broker import routes
from broker.cases.case import Refused
from broker.figures.figures_file import CSV, EXCEL, MEDIA_TYPES, file_name, table_csv, workbook
from broker.figures.page_view import FORM, TABLE, parse_choice
from broker.server.downloads import BYTE_ORDER_MARK
from broker.server.paths import parameters_of
from broker.server.response import Answer, Handler, attachment
from broker.server.staff.access import staff_handlers
from broker.server.staff.pages import Message, StaffPages
from broker.services import Services
from broker.staff.accounts import StaffSession
from broker.staff.roles import Right, own_cases_only

_TITLE = "Figures as a file"
_UNKNOWN = Message(title="There is no such file", text="Please go back to the figures, and choose a file there.")
_BACK = (routes.STAFF_FIGURES, "Back to the figures")


class FigureFiles:
    def __init__(self, services: Services, *, firm: str) -> None:
        self._services, self._firm, self._pages = services, firm, StaffPages(firm=firm)

    def handlers(self) -> dict[str, Handler]:
        staff = staff_handlers(self._services, self._pages, _TITLE, back=routes.STAFF_FIGURES, link=_BACK)
        return {routes.STAFF_FIGURES_FILE: staff.page(routes.STAFF_FIGURES_FILE, self._file)}

    async def _file(self, session: StaffSession, scope: Scope) -> Answer:
        given = parameters_of(scope)
        choice = parse_choice(given, own=session.name if own_cases_only(session.role, Right.FIGURES) else "")
        report = await self._services.figures.report(weeks=choice.weeks, adviser=choice.adviser)
        if isinstance(report, Refused):
            return self._problem(503, Message(title="The file could not be made", text=f"{report.words}."))
        name, form = given.get(TABLE, ""), given.get(FORM, "")
        tables = tuple(each for each in report.tables if name in ("", each.name))
        if form == EXCEL and tables:
            body = await asyncio.to_thread(workbook, report, tables, firm=self._firm)
        elif form == CSV and len(tables) == 1:
            body = BYTE_ORDER_MARK + table_csv(*tables).encode()
        else:
            return self._problem(404, _UNKNOWN)
        return attachment(body, MEDIA_TYPES[form], file_name(report, name, form))

    def _problem(self, status: int, message: Message) -> Answer:
        return self._pages.problem(_TITLE, message, status=status, link=_BACK)
