from typing import Any, cast

from broker.figures.service import FigureService
from broker.routes import STAFF_FIGURES, STAFF_FIGURES_FILE, STAFF_SIGN_IN
from broker.server.downloads import BYTE_ORDER_MARK
from broker.server.response import Answer
from broker.server.staff.figures import FigureFiles
from broker.services import Services
from broker.staff.accounts import StaffSession
from broker.staff.roles import Role
from tests.unit.enquiries.enquiring import Calendar
from tests.unit.figures.frames import NOW, frames
from tests.unit.figures.test_service import Held


class SignedIn:
    """Staff services in which ada is signed in with a role, or nobody."""

    def __init__(self, role: Role | None) -> None:
        self._role = role
        held = frames(cases=[{"created": NOW, "adviser": each} for each in ("ada", "ben", "ben")])
        self.figures = FigureService(Held(held), clock=Calendar(NOW))  # pyright: ignore[reportArgumentType] - one method

    @property
    def staff(self) -> Any:
        return self

    @property
    def sessions(self) -> Any:
        return self

    async def signed_in(self, _: str) -> StaffSession | None:
        if self._role is None:
            return None
        return StaffSession(key="k", account_id=1, name="ada", role=self._role, started=NOW, touched=NOW)


async def answer(query: str, role: Role | None = Role.OWNER) -> Answer:
    handlers = FigureFiles(cast(Services, SignedIn(role)), firm="Hearthgate").handlers()
    scope = {"type": "http", "method": "GET", "path": STAFF_FIGURES_FILE, "headers": [], "query_string": query.encode()}
    found = await handlers[STAFF_FIGURES_FILE](scope)
    assert found
    return found


async def test_a_table_is_a_csv_file_for_a_spreadsheet() -> None:
    found = await answer("table=enquiries-by-adviser&form=csv")
    assert found.headers["content-disposition"] == (
        'attachment; filename="figures-enquiries-by-adviser-2026-11-26.csv"'
    )
    assert found.body.startswith(BYTE_ORDER_MARK + b"Week of,ben,ada,All\r\n")


async def test_all_tables_are_one_workbook() -> None:
    found = await answer("form=xlsx&weeks=4")
    assert found.headers["content-type"].endswith("spreadsheetml.sheet")
    assert found.body.startswith(b"PK")


async def test_an_adviser_gets_their_own_figures_whatever_is_asked_for() -> None:
    found = await answer("table=enquiries-by-adviser&form=csv&adviser=ben", Role.ADVISER)
    assert found.body.startswith(BYTE_ORDER_MARK + b"Week of,ada,All\r\n")


async def test_there_is_no_file_for_anything_else() -> None:
    for query in ("form=csv", "table=names&form=csv", "table=funnel&form=pdf", "table=funnel"):
        assert (await answer(query)).status == 404


async def test_nobody_and_other_roles_get_no_file() -> None:
    for role in (None, Role.CONTENT, Role.LOGOS):
        found = await answer("form=xlsx", role)
        assert (found.status, found.headers["location"]) == (303, f"{STAFF_SIGN_IN}?to={STAFF_FIGURES}")
