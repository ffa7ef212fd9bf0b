"""Event handlers of forms that run in the browser: functions of `js/forms.js`."""

import reflex as rx
from reflex.vars import VarData

from broker import routes
from broker.components.client_scripts import callback, effect, expression, script_function
from broker.components.client_values import client_handler
from broker.questionnaire.forms import CODE

_FORM = rx.Var("typed.currentTarget")
"""The form of the event, inside a function made by `client_handler`."""


def fill_once(field: str, address: str) -> rx.Var:
    """Return the event handler of a form that fills an empty form's field, once, with the answer of an address."""
    return client_handler(script_function("forms", "fillOnce").call(_FORM, field, address))


def remember_form(action: str) -> dict[str, rx.Var]:
    """Return the event handlers of a form that remember its input while the visitor looks at other pages of the site.

    It stays in the memory of the tab until `forget_forms`, or until another document takes the tab over.
    """
    return {
        "on_change": client_handler(script_function("forms", "rememberForm").call(action, _FORM)),
        "on_mount": client_handler(script_function("forms", "restoreForm").call(action)),
    }


def fill_times(place: str) -> rx.Var:
    """Return the event handler that fills the element of a form's free times, unless the document has them."""
    return client_handler(script_function("forms", "fillTimes").call(place, routes.CALL_TIMES))


def exchange_code(code: rx.Var, on_checked: rx.Var, *, elsewhere: rx.Var, is_replaced: rx.Var) -> rx.Var:
    """Return an empty text, with the effect that posts each new code for the cookie of a journey.

    `on_checked` is a browser function, which is called with whether the browser keeps the cookie. Then `elsewhere` is
    loaded, unless that is empty, in place of this page in the history where `is_replaced`.
    """
    exchanged = script_function("forms", "exchangeCode").call(routes.JOURNEY_COOKIE, CODE, code, on_checked)
    loaded = script_function("forms", "loadAfter").call(exchanged, elsewhere, is_replaced)
    return expression('""', effect(f"void {loaded!s}", loaded, after=(code, elsewhere))).to(str)


def error_title(is_wrong: rx.Var) -> rx.Var:
    """Return whether a page has an error, with the effect that begins its title with `Error: ` meanwhile."""
    title = expression(f"({is_wrong!s}) && `Error: ${{document.title}}`", is_wrong)
    return expression(str(is_wrong), while_titled(title, since=is_wrong)).to(bool)


def while_titled(title: rx.Var, *, since: rx.Var) -> VarData | None:
    """Return the effect that gives the document a title, unless it is empty, each time that `since` changes."""
    titled = script_function("forms", "setTitle").call(title)
    return effect(titled, since, titled, after=(since,))


def forget_forms() -> rx.Var:
    """Return the event handler that forgets the input of every form."""
    return client_handler(script_function("forms", "forgetForms").call())


def copy_field(field: str, done: rx.Var, *, refused: rx.Var) -> rx.Var:
    """Return the event handler that copies what a field holds, by its id, and then evaluates `done`.

    Where the browser does not allow it, the field is selected for the visitor to copy, and `refused` is evaluated.
    """
    return client_handler(script_function("forms", "copyField").call(field, callback(done), callback(refused)))


def post_if_reached(form: rx.Var) -> rx.Var:
    """Return the event handler that posts a form as without scripts, once a server answers."""
    return client_handler(script_function("forms", "postIfReached").call(form, routes.PING))


def submit_if_reached(unreached: str) -> rx.Var:
    """Return the submit handler that, where no server answers, stays and focuses the element with id `unreached`."""
    return client_handler(script_function("forms", "submitIfReached").call(rx.Var("typed"), routes.PING, unreached))
