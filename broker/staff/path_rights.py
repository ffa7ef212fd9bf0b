"""The right that each path of the staff area needs."""

from collections.abc import Mapping

from broker import routes
from broker.staff.roles import Right, Role

HOMES: Mapping[Role, str] = {
    Role.OWNER: routes.STAFF,
    Role.ADVISER: routes.STAFF,
    Role.CONTENT: routes.UPDATE_LENDERS,
    Role.LOGOS: routes.UPDATE_LENDERS,
}
"""The page that each role gets for the root of the staff area."""

_FORMS = {
    **dict.fromkeys(("password", "codes", "sessions", "look", "sign-out-everywhere"), Right.OWN),
    **dict.fromkeys(("passkey-begin", "passkey-add", "passkey-remove"), Right.OWN),
    **dict.fromkeys(("logo", "logos"), Right.LOGOS),
    "windows": Right.PROMOTIONS,
    **dict.fromkeys(("mail", "lift-address"), Right.CASES),
    "enquiries-file": Right.EXPORT,
    "complaints-file": Right.COMPLAINTS,
    "person-file": Right.DELETE_PERSON,
    **dict.fromkeys((name for name in routes.STAFF_FORMS if name.startswith("diary-")), Right.CASES),
}
_PAGES = {
    routes.STAFF: Right.CASES,
    routes.STAFF_HEALTH: Right.PROMOTIONS,
    routes.STAFF_ENQUIRIES: Right.CASES,
    routes.STAFF_ENQUIRY: Right.CASES,
    routes.STAFF_RESULT: Right.CASES,
    routes.STAFF_DIARY: Right.CASES,
    routes.STAFF_APPOINTMENT: Right.CASES,
    routes.STAFF_HOURS: Right.CASES,
    routes.STAFF_ABSENCES: Right.CASES,
    routes.STAFF_BOOK: Right.CASES,
    routes.STAFF_FEED: Right.CASES,
    routes.STAFF_WATCHES: Right.CASES,
    routes.STAFF_FIGURES: Right.FIGURES,
    routes.STAFF_FIGURES_FILE: Right.FIGURES,
    routes.STAFF_MAIL: Right.CASES,
    routes.STAFF_WINDOWS: Right.PROMOTIONS,
    routes.UPDATE_LENDERS: Right.LOGOS,
    routes.STAFF_DUTIES: Right.COMPLAINTS,
    routes.STAFF_PROMOTIONS: Right.PROMOTIONS,
    routes.STAFF_ACCOUNTS: Right.ACCOUNTS,
    routes.STAFF_LOGOS_FILE: Right.LOGOS,
    routes.STAFF_RECORD: Right.ACCOUNTS,
    routes.STAFF_ACCOUNT: Right.OWN,
}


def _path(path: str) -> str:
    """Return a path with one slash at its end: a form and the page of its name have one right."""
    return f"{path.rstrip('/')}/"


PATH_RIGHTS: Mapping[str, Right] = {
    **{_path(routes.STAFF_FORMS[name]): right for name, right in _FORMS.items()},
    **{_path(path): right for path, right in _PAGES.items()},
}
"""The right that each path of the staff area needs, by the path with a slash at its end."""


def right_for(path: str) -> Right:
    """Return the right that a path of the staff area needs; `ACCOUNTS`, which owners alone have, for one not named."""
    return PATH_RIGHTS.get(_path(path), Right.ACCOUNTS)
