from broker import routes
from broker.staff.path_rights import HOMES, PATH_RIGHTS, right_for
from broker.staff.roles import Right, Role, may, own_cases_only

ALLOWED = {
    Role.OWNER: set(Right),
    Role.ADVISER: {Right.CASES, Right.EXPORT, Right.DELETE_PERSON, Right.COMPLAINTS, Right.FIGURES, Right.OWN},
    Role.CONTENT: {Right.PROMOTIONS, Right.LOGOS, Right.OWN},
    Role.LOGOS: {Right.LOGOS, Right.OWN},
}


def test_each_role_may_what_the_owner_of_the_firm_decided() -> None:
    assert {role: {right for right in Right if may(role, right)} for role in Role} == ALLOWED


def test_only_an_adviser_is_kept_to_own_cases() -> None:
    narrowed = {(role, right) for role in Role for right in Right if own_cases_only(role, right)}
    assert narrowed == {(Role.ADVISER, right) for right in (Right.EXPORT, Right.DELETE_PERSON, Right.FIGURES)}


def test_path_of_no_right_is_for_owners() -> None:
    assert [role for role in Role if may(role, right_for("/staff/nothing/"))] == [Role.OWNER]


def test_form_and_its_page_need_the_same_right() -> None:
    assert right_for("/staff/windows") is right_for(routes.STAFF_WINDOWS) is Right.PROMOTIONS


def test_every_form_names_its_right() -> None:
    names = ("sign-in", "code", "passkey-ask", "passkey-sign-in", "sign-out", "link")
    open_to_all = {routes.STAFF_FORMS[name] for name in names}
    unnamed = {path for path in routes.STAFF_FORMS.values() if f"{path}/" not in PATH_RIGHTS}
    assert unnamed == open_to_all


def test_first_page_of_a_role_is_one_that_it_may_open() -> None:
    assert [role for role, path in HOMES.items() if not may(role, right_for(path))] == []
