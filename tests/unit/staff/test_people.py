import pytest

from broker.staff.agents import UNKNOWN, agent_words
from broker.staff.people import EMAIL, NAME, ROLE, Invitation, account_name, parse_invitation
from broker.staff.roles import Role

GIVEN = {NAME: "  Ben   Template ", EMAIL: "b.template@example.com", ROLE: "adviser"}


def test_invitation_is_read_from_a_form() -> None:
    wanted = Invitation(
        shown_name="Ben Template", account="ben.template", email="b.template@example.com", role=Role.ADVISER
    )
    assert parse_invitation(GIVEN) == wanted


@pytest.mark.parametrize(
    ("field", "value"),
    [(NAME, ""), (NAME, "x" * 81), (NAME, None), (EMAIL, ""), (EMAIL, "b.template"), (ROLE, "king"), (ROLE, None)],
)
def test_invitation_says_which_field_is_wrong(field: str, value: object) -> None:
    problems = parse_invitation({**GIVEN, field: value})
    assert isinstance(problems, dict)
    assert list(problems) == [field]


@pytest.mark.parametrize(
    ("shown", "email", "name"),
    [
        ("Zoë O'Example", "", "zoe.oexample"),
        ("مثال", "m.example@example.com", "m.example"),
        ("مثال", "", ""),
        ("X" * 80, "", "x" * 40),
    ],
)
def test_account_is_named_after_the_person(shown: str, email: str, name: str) -> None:
    assert account_name(shown, email) == name


AGENTS = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox on Linux",
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0": "Edge on Windows",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1": "Safari on iPhone",
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36": "Chrome on Android",
    "": UNKNOWN,
    "curl/8": UNKNOWN,
}


@pytest.mark.parametrize(("header", "words"), AGENTS.items())
def test_browser_and_system_are_named(header: str, words: str) -> None:
    assert agent_words(header) == words
