"""States of the staff area that would tell or take something without asking who it is for: they cannot be made."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from broker.state.staff.access import full_load, sign_in_from
from tools.project import Project

OPEN_DOORS = {
    "computed": ("@rx.var\n    def names(self) -> list[str]: return []", "computes names: assign it in a handler"),
    "in the browser": ('name: str = rx.LocalStorage("")', "keeps name in the browser, where anybody may write it"),
    "in a cookie": ('name: str = rx.Cookie("")', "keeps name in the browser, where anybody may write it"),
    "unasked": (
        "@classmethod\n    @_override_base_method\n"
        "    def _create_event_handler(cls, fn, kind=EventHandler): return kind(fn=fn, state=cls)\n"
        "    def open(self): pass",
        "answers to open without asking who calls",
    ),
}

PROGRAM = """
import reflex as rx
from reflex.event import EventHandler
from reflex.state import _override_base_method
from broker.state.staff.access import StaffState
class Door(StaffState):
    {}
"""


@pytest.mark.parametrize(("written", "problem"), OPEN_DOORS.values(), ids=OPEN_DOORS)
def test_open_door_cannot_be_made(written: str, problem: str) -> None:
    # in a process of its own: Reflex forgets no state
    command = [sys.executable, "-c", PROGRAM.format(written)]
    done = subprocess.run(command, cwd=Project().root, capture_output=True, text=True, check=False)
    assert done.stderr.strip().splitlines()[-1] == f"broker.state.staff.access.UnprotectedHandlerError: Door {problem}"


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
