from datetime import UTC, datetime, timedelta

import pytest

from broker.staff.accounts import (
    StaffSession,
    account_tone,
    initials,
    normalised_password,
    password_problem,
    staff_name,
)
from broker.staff.roles import Role

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

NAMES = {"ada": "ada", " Ada.Lovelace-2 ": "ada.lovelace-2", "a1": "a1", "a" * 40: "a" * 40, "ada\n": "ada"}
NO_NAMES = ("a", "a" * 41, "-ada", "ada.", "ada lovelace", "ad\u0430", "ada\x00", "x" * 1_000_000, "", None, 7)


def test_name_is_what_accounts_may_have() -> None:
    assert {typed: staff_name(typed) for typed in NAMES} == NAMES
    assert [typed for typed in NO_NAMES if staff_name(typed) != ""] == []


def test_account_has_initials_and_a_colour_of_its_own_name() -> None:
    names = {"ada": "AD", "ben.template": "BT", "ann.b-example": "AE", "": ""}
    assert {name: initials(name) for name in names} == names
    assert [account_tone(name) for name in ("ada", "ben", "olga", "")] == ["a3", "a2", "a4", ""]


LENGTH, COMMON, NAMED = "Choose a password of 12 to 128", "Choose another password", "Choose a password that does not"

GOOD = ("seven yellow lanterns", "correct horse battery", "tangerine 7!", "ünïcödé wörds", "x1y2z3x1y2z3")
WIDESPREAD = ("password1234", "PassWord 2026!!", "letmein-letmein", "hearthgate2026", "123456789012")
PATTERNS = ("qwertyuiopas", "abcdefghijklm", "aaaaaaaaaaaa", "abcabcabcabc")
PASSWORDS = {
    LENGTH: ("short", "elevenchars", "four words and " * 10),
    COMMON: WIDESPREAD + PATTERNS,
    NAMED: ("my grace.hopper word", "GRACE.HOPPER"),
}


@pytest.mark.parametrize("problem", PASSWORDS)
def test_password_is_judged_by_length_and_by_what_everybody_tries(problem: str) -> None:
    found = {password: password_problem(password, "grace.hopper") for password in PASSWORDS[problem]}
    assert {password: words for password, words in found.items() if not words.startswith(problem)} == {}
    assert [password for password in GOOD if password_problem(password, "grace.hopper")] == []
    assert password_problem("teddy bears and lamps", "ed") == ""


NORMALISED = {"e\u0301clair": "éclair", "ﬁve": "five", "x" * 500: "x" * 129, "": "", None: "", b"bytes": ""}


def test_password_is_one_however_it_was_typed() -> None:
    assert {typed: normalised_password(typed) for typed in NORMALISED} == NORMALISED


ENDED = {(0, 0): False, (29, 29): False, (30, 30): True, (719, 1): False, (720, 1): True, (720, 0): True}
"""Minutes since the start of a session and since its last use, and whether it has ended."""


@pytest.mark.parametrize(("since_start", "since_touch"), ENDED)
def test_session_ends_by_the_clock(since_start: int, since_touch: int) -> None:
    started, touched = NOON - timedelta(minutes=since_start), NOON - timedelta(minutes=since_touch)
    session = StaffSession(key="k", account_id=1, name="ada", role=Role.OWNER, started=started, touched=touched)
    assert session.has_ended(NOON) is ENDED[since_start, since_touch]
