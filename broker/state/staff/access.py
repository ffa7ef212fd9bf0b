"""Access control of every staff state: its handlers require a signed-in account.

Any client can call any public method of a state over the socket. A state below `StaffState` gets the check where Reflex
makes its handlers: one without it cannot be made. Its values go only to the session that they were fetched for.
"""

import functools
import inspect
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, ClassVar
from urllib.parse import quote, urlsplit

import reflex as rx
from reflex.event import EventHandler, EventSpec
from reflex.state import BaseState, StateUpdate, _override_base_method
from reflex.utils.format import json_dumps

from broker import routes
from broker.services import current
from broker.staff.accounts import StaffSession, account_tone, initials
from broker.staff.roles import NOT_ALLOWED, Right, Role
from broker.storage.errors import StorageError

AWAY = "We could not check who you are, and nothing was done. Please try again in a minute"

PAGES = (routes.STAFF, routes.UPDATE_LENDERS)
"""How the paths of the pages begin that staff states are for."""

ACCESS_CHECKED = "_broker_access_checked"
"""Attribute of a function that asks who calls it before anything else."""

IDLE, LOADING, LOADED, EMPTY, GONE, FAILED = "idle", "loading", "loaded", "empty", "gone", "failed"
"""What `status` of a page may be; idle is the page as it was built, without any data."""

log = logging.getLogger(__name__)


class UnprotectedHandlerError(TypeError):
    """A staff state has a handler or a value without access control."""


class StaffState(rx.State):
    """Base of every state of the staff area.

    Each handler becomes a coroutine, or an asynchronous generator where it yields: one calls another by returning
    it as an event, or with `await`. `right` is what every handler of a class needs: a class without one cannot be
    made. `is_demo` is whether everything here is made up. `staff_name` is the signed-in account, with its initials and
    the class of their colour, `staff_rights` what its role may do, and `staff_problem` says why it is unknown or that
    something was refused. `menu_counts` are numbers beside entries of the menu, by path. When a session ends, all
    values below are emptied and the browser loads the sign-in page. `_shown` is the address of the page whose load is
    done.
    """

    right: ClassVar[Right]
    staff_name: str = ""
    staff_initials: str = ""
    staff_tone: str = ""
    staff_rights: tuple[str, ...] = ()
    staff_problem: str = ""
    is_demo: bool = False
    menu_counts: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    _session: str = ""
    _role: Role | None = None
    _shown: str = ""

    def __init_subclass__(cls, mixin: bool = False, **more: Any) -> None:
        """Refuse computed vars, client storage and handlers without the access check."""
        super().__init_subclass__(mixin=mixin, **more)
        if not mixin and not isinstance(getattr(cls, "right", None), Right):
            raise UnprotectedHandlerError(f"{cls.__name__} names no right that its handlers need")
        if cls.computed_vars:
            raise UnprotectedHandlerError(
                f"{cls.__name__} computes {', '.join(cls.computed_vars)}: assign it in a handler"
            )
        if kept := [name for name in cls.base_vars if cls._is_client_storage(name)]:
            raise UnprotectedHandlerError(
                f"{cls.__name__} keeps {', '.join(kept)} in the browser, where anybody may write it"
            )
        if unchecked := [
            name for name, handler in cls.event_handlers.items() if not hasattr(handler.fn, ACCESS_CHECKED)
        ]:
            raise UnprotectedHandlerError(f"{cls.__name__} handles {', '.join(unchecked)} without an access check")

    @classmethod
    @_override_base_method
    def _create_event_handler(cls, fn: Any, event_handler_cls: type[EventHandler] = EventHandler) -> EventHandler:
        """Make a handler as Reflex does, of a function with the access check."""
        return super()._create_event_handler(with_access_check(fn), event_handler_cls)

    @classmethod
    @_override_base_method
    def _create_setvar(cls) -> None:
        """Omit the handler with which Reflex lets any client call the setters of a state."""

    @_override_base_method
    def get_delta(self) -> Any:
        """Return the changes to the session that they were made for; to any other, empty values."""
        if not self._is_for(self.router.headers.cookie):
            self.reset()
        return super().get_delta()

    @_override_base_method
    def dict(
        self, include_computed: bool = True, initial: bool = False, *, for_staff: bool = False, **more: Any
    ) -> Any:
        """Return all values to the session that they were fetched for; to any other, the defaults.

        A page of visitors gets nothing, not even names. Nor does the script with the initial values of all states,
        which every page loads; `initial_values` has them for a script of staff.
        """
        if not for_staff and (initial or not self.router.url.path.startswith(PAGES)):
            return {}
        if self._session and not self._is_for(self.router.headers.cookie):
            self.reset()
        return super().dict(include_computed=include_computed, initial=initial, for_staff=for_staff, **more)

    @classmethod
    def initial_values(cls) -> str:
        """Return the initial values of all staff states by the state's name, as JSON."""
        root = rx.State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue] - how Reflex makes a root
        states = root.get_substate(StaffState.get_full_name().split("."))
        return json_dumps(states.dict(initial=True, for_staff=True))

    def _is_for(self, cookie_header: str) -> bool:
        return bool(self._session) and self._session == current().staff.sessions.key_of(cookie_header)

    def _is_shown_again(self) -> bool:
        """Return whether the load of a page runs that is on screen: it does when a socket comes back.

        That is after a file was downloaded, too, for which the browser announces that it leaves the page. What is open,
        ticked or typed there must stay.
        """
        return page_address(self) == self._shown

    def _admit(self, session: StaffSession) -> None:
        """Admit a session, and empty another one's values."""
        if self._session != session.key:
            self.reset()
        self._session, self.staff_name, self.staff_problem = session.key, session.name, ""
        self.staff_initials, self.staff_tone = initials(session.name), account_tone(session.name)
        self._role, self.is_demo = session.role, current().is_demo
        self.staff_rights = tuple(right.value for right in Right if session.may(right))


class StaffAccessCheck(rx.Middleware):
    """Empties the staff states of a tab once their session is over, before any event is handled."""

    async def preprocess(
        self,
        app: rx.App,  # noqa: ARG002 - Reflex calls with these names
        state: BaseState,
        event: rx.event.Event,  # noqa: ARG002 - Reflex calls with these names
    ) -> StateUpdate | None:
        """Check that the values belong to the socket's session; the event always goes on."""
        held = state._get_root_state().substates.get(StaffState.get_name())
        if not isinstance(held, StaffState) or not held._session:
            return None
        if not held._is_for(state.router.headers.cookie) or await _signed_in(state) is None:
            held.reset()
        return None


def with_access_check(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Return a handler's function behind the access check; nothing of it runs without a session."""
    if hasattr(fn, ACCESS_CHECKED):
        return fn
    in_parts = inspect.isasyncgenfunction(fn) or inspect.isgeneratorfunction(fn)
    checked = _checked_generator(fn) if in_parts else _checked_coroutine(fn)
    setattr(checked, ACCESS_CHECKED, True)
    return checked


def _checked_coroutine(fn: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    async def handle(state: StaffState, /, *given: Any, **named: Any) -> Any:
        refused = await _refusal(state)
        if refused is not None:
            return refused
        answered = fn(state, *given, **named)
        return await answered if inspect.isawaitable(answered) else answered

    return handle


def _checked_generator(fn: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    async def handle(state: StaffState, /, *given: Any, **named: Any) -> AsyncIterator[Any]:
        refused = await _refusal(state)
        if refused is not None:
            yield refused
            return
        parts = fn(state, *given, **named)
        async with aclosing(parts if inspect.isasyncgen(parts) else _queued(parts)) as answers:
            async for each in answers:
                yield each

    return handle


async def _queued(parts: Any) -> AsyncGenerator[Any]:
    """Yield what a generator yields, and last what it returns."""
    while True:
        try:
            part = next(parts)
        except StopIteration as end:
            if end.value is not None:
                yield end.value
            return
        yield part


async def _refusal(state: StaffState) -> list[EventSpec] | None:
    """Return the events for a caller without a session or the right; None for one who may go on."""
    session = await _signed_in(state)
    if isinstance(session, StaffSession):
        is_allowed = session.may(state.right)
        if state._session != session.key or state.staff_problem or not is_allowed:
            async with state:
                access = _access_state(state)
                access._admit(session)
                access.staff_problem = "" if is_allowed else NOT_ALLOWED
        return None if is_allowed else []
    async with state:
        if session:
            _access_state(state).staff_problem = session
        else:
            _access_state(state).reset()
    return [] if session else [sign_in_again(state)]


async def _signed_in(state: BaseState) -> StaffSession | str | None:
    """Return the session of a tab's socket, None without one, or a sentence where it cannot be checked."""
    try:
        return await current().staff.sessions.signed_in(state.router.headers.cookie)
    except StorageError as error:
        log.error("who calls a staff handler: %s", error)
        return AWAY


async def still_signed_in(state: StaffState) -> bool:
    """Return whether a background handler may go on for its tab; it is no use of the session.

    A tab whose session is over is emptied; the database being away ends nothing.
    """
    sessions = current().staff.sessions
    try:
        session = await sessions.current(state.router.headers.cookie)
    except StorageError as error:
        log.error("who a staff page is for: %s", error)
        return True
    if session is not None and session.key == state._session and session.may(state.right):
        return True
    _access_state(state).reset()
    return False


def _access_state(state: BaseState | None) -> StaffState:
    """Return the parent state that knows the session; the caller holds the lock."""
    while state is not None and state.__class__ is not StaffState:
        state = state.parent_state
    assert isinstance(state, StaffState)
    return state


def page_address(state: BaseState) -> str:
    """Return the path and the query of a tab's page."""
    url = state.router.url
    return f"{url.path}?{url.query}" if url.query else url.path


def sign_in_from(path: str) -> str:
    """Return the address of the sign-in that leads back to a path, which may have a query."""
    return f"{routes.STAFF_SIGN_IN}?to={quote(path, safe='/')}"


def sign_in_again(state: BaseState) -> EventSpec:
    """Return the event that makes a tab load the sign-in, which leads back to its page."""
    return full_load(state.router.headers.origin, sign_in_from(page_address(state)))


def full_load(origin: str, path: str) -> EventSpec:
    """Return the event that makes the browser load a path of this site from the server.

    Reflex follows every address of its own host within the page. `https:/path`, with one slash, is another host to the
    parser it asks, while the browser that receives it takes it as the path on this one (URL standard, "special
    relative or authority state").
    """
    return rx.redirect(f"{urlsplit(origin).scheme or 'https'}:{path}")
