import json
import subprocess
import sys
from typing import Any

import pytest

from broker.state.staff.access import StaffState, full_load, page_address, sign_in_from
from broker.state.staff.audit import AuditState
from broker.state.staff.today import TodayState
from tests.unit.state.tab import StaffTab
from tools.project import Project

OPEN_DOORS = {
    "computed": ("@rx.var\n    def names(self) -> list[str]: return []", "computes names: assign it in a handler"),
    "in the browser": ('name: str = rx.LocalStorage("")', "keeps name in the browser, where anybody may write it"),
    "in a cookie": ('name: str = rx.Cookie("")', "keeps name in the browser, where anybody may write it"),
    "of no right": ("right: ClassVar[None] = None", "names no right that its handlers need"),
    "unasked": (
        "@classmethod\n    @_override_base_method\n"
        "    def _create_event_handler(cls, fn, kind=EventHandler): return kind(fn=fn, state=cls)\n"
        "    def open(self): pass",
        "handles open without an access check",
    ),
}

PROGRAM = """
from typing import ClassVar
import reflex as rx
from reflex.event import EventHandler
from reflex.state import _override_base_method
from broker.staff.roles import Right
from broker.state.staff.access import StaffState, UnprotectedHandlerError
try:
    class Door{number}(StaffState):
        right: ClassVar[Right] = Right.CASES
        {written}
except UnprotectedHandlerError as error:
    print(error)
else:
    print("Door{number} is open")
"""


def test_unprotected_handler_cannot_be_declared() -> None:
    # in a process of its own: Reflex forgets no state
    program = "".join(
        PROGRAM.format(number=number, written=written.replace("\n", "\n    "))
        for number, (written, _) in enumerate(OPEN_DOORS.values())
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Project().root, capture_output=True, text=True, check=False
    )
    wanted = [f"Door{number} {problem}" for number, (_, problem) in enumerate(OPEN_DOORS.values())]
    assert done.stdout.splitlines() == wanted, done.stderr


@pytest.mark.parametrize(
    ("origin", "path"),
    [("http://localhost:3000", "http:/staff/"), ("https://a.example", "https:/staff/"), ("", "https:/staff/")],
)
def test_full_load_is_of_this_host(origin: str, path: str) -> None:
    event: Any = full_load(origin, "/staff/")
    told = {name._js_expr: value._var_value for name, value in event.args}
    assert (told["path"], told["external"]) == (path, False)


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/staff/enquiries/", "/staff/sign-in/?to=/staff/enquiries/"),
        ('/a?"b"&c=<d>', "/staff/sign-in/?to=/a%3F%22b%22%26c%3D%3Cd%3E"),
    ],
)
def test_way_back_is_a_value_of_the_address(path: str, address: str) -> None:
    assert sign_in_from(path) == address


def test_way_back_is_to_the_enquiry_on_screen() -> None:
    tab = StaffTab(AuditState)
    for address in ("/staff/enquiry/?reference=HG-7K3M-Q2XD", "/staff/"):
        tab.go(address)
        assert page_address(tab.state) == address


def test_initial_values_name_every_state_of_staff() -> None:
    states = StaffState.get_substates()
    names = {each.get_full_name() for state in states for each in (state, *state.get_substates())}
    assert {AuditState.get_full_name(), TodayState.get_full_name()} < names
    assert set(json.loads(StaffState.initial_values())) == {StaffState.get_full_name(), *names}
