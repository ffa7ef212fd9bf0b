from dataclasses import replace
from datetime import timedelta

import pytest

from broker.staff.people import OpenLink, OpenSession, Passkey, Person
from broker.staff.people_view import (
    IN_TURN,
    disabled_words,
    link_lines,
    people_sentence,
    person_line,
    person_view,
    role_table,
)
from broker.staff.roles import Role
from tests.unit.enquiries.enquiring import BEGINNING as NOW

BEN = Person(
    id=2,
    name="ben.template",
    shown_name="Ben Template",
    email="b.template@example.com",
    role=Role.ADVISER,
    enabled=True,
    is_set_up=True,
    created=NOW - timedelta(days=90),
    signed_in_at=None,
    disabled_at=None,
    has_codes=True,
)
ADA, CAT = (replace(BEN, id=place, name=name.lower(), shown_name=name) for place, name in ((1, "Ada"), (3, "Cat")))
LINK = OpenLink(is_reset=False, made_by="ada", expires=NOW + timedelta(hours=48))


def session(*, minutes: int) -> OpenSession:
    return OpenSession(id=1, key="k", agent="Firefox on Linux", started=NOW, touched=NOW - timedelta(minutes=minutes))


STATES = {
    "Here now": replace(BEN, sessions=(session(minutes=4),)),
    "Away": replace(BEN, sessions=(session(minutes=6),)),
    "Password alone": replace(BEN, has_codes=False),
    "Disabled": replace(BEN, enabled=False),
    "Invitation ended": replace(BEN, enabled=False, is_set_up=False),
}


@pytest.mark.parametrize(("state", "person"), STATES.items(), ids=STATES)
def test_state_of_a_person_is_one_phrase(state: str, person: Person) -> None:
    assert person_line(person, chosen="", now=NOW).state == state


def test_passkey_is_as_good_as_a_code() -> None:
    key = Passkey(id=1, name="Key ring", added=NOW, used=None)
    assert person_line(replace(BEN, has_codes=False, passkeys=(key,)), chosen="", now=NOW).state == "Away"


def test_invited_are_counted_apart_and_their_links_are_named() -> None:
    invited = replace(CAT, enabled=False, is_set_up=False, link=LINK)
    assert people_sentence((ADA, BEN, invited)) == "2 people at work, 1 invited"
    assert person_line(invited, chosen="", now=NOW).state.startswith("Invited, ends ")
    (line,) = link_lines((ADA, BEN, invited), NOW)
    assert (line.name, line.words.startswith("has not used the invitation; it ends ")) == ("Cat", True)


def test_work_goes_to_one_colleague_all_in_turn_or_nobody() -> None:
    keeper = replace(CAT, id=4, role=Role.LOGOS)
    busy = replace(BEN, open_cases=31, appointments=1)
    view = person_view(busy, (ADA, busy, CAT, keeper), (), now=NOW)
    assert [each.value for each in view.heirs] == [IN_TURN, "ada", "cat", ""]
    assert view.heirs[0].words == "Ada and Cat, in turn"
    assert view.disable_words == "Hand over 31 and disable"
    assert view.work.startswith("31 open cases and 1 appointment go first.")


def test_complaints_are_handed_over_with_the_cases() -> None:
    view = person_view(replace(BEN, open_cases=16, complaints=1, appointments=1), (ADA, BEN), (), now=NOW)
    assert view.disable_words == "Hand over 17 and disable"
    assert view.work.startswith("16 open cases, 1 complaint and 1 appointment go first.")
    view = person_view(replace(BEN, complaints=2), (ADA, BEN), (), now=NOW)
    assert (view.disable_words, view.work[:22]) == ("Hand over 2 and disable", "2 complaints go first.")


def test_disabling_says_what_became_of_the_work() -> None:
    words = disabled_words("Ben", cases=2, complaints=0, to=("ada", "cat"), passed=3, left=1)
    assert words == (
        "Ben can no longer sign in. 2 open cases went to ada and cat. 3 appointments are passed on to colleagues "
        "who are free then. 1 appointment waits for a time when somebody is free: see the diary."
    )
    words = disabled_words("Ben", cases=0, complaints=0, to=(), passed=0, left=2)
    assert words.endswith(
        "Ben can no longer sign in. 2 appointments wait for a time when somebody is free: see the diary."
    )
    words = disabled_words("Ben", cases=16, complaints=1, to=("ada",), passed=0, left=0)
    assert words == "Ben can no longer sign in. 16 open cases and 1 complaint went to ada."
    words = disabled_words("Ben", cases=0, complaints=2, to=(), passed=1, left=0)
    assert words.endswith(" 2 complaints went to nobody. 1 appointment is passed on to colleagues who are free then.")
    assert disabled_words("Ben", cases=0, complaints=0, to=(), passed=0, left=0) == "Ben can no longer sign in."


def test_table_of_roles_is_the_one_that_is_enforced() -> None:
    table = dict(role_table())
    assert table["Cases, diary, calls"] == ("yes", "yes", "no", "no")
    assert table["Export, delete people"] == ("yes", "own", "no", "no")
    assert table["Logos"] == ("yes", "no", "yes", "yes")
