"""Tabs without a browser: a state, the address of its page, and its handlers, background ones run to their end."""

import inspect
from typing import Any, Generic, Self, TypeVar, cast

import reflex as rx
from reflex.istate.data import RouterData

from broker.state.rates.search import RatesState
from broker.state.staff.access import StaffState
from broker.state.staff.menu import MenuState
from tests.unit.enquiries.enquiring import sent, thanked
from tests.unit.staff.watched_site import Site

ORIGIN = "http://localhost:3000"
VISIBLE = ("customer", "status", "problem", "summary", "address", "filters", "unfiltered", "found", "detail")
"""What the rates page can see of its state."""

StateT = TypeVar("StateT", bound=rx.State)


class Locked:
    """The state as a background handler has it: behind a lock that it takes and gives back."""

    def __init__(self, state: object) -> None:
        object.__setattr__(self, "state", state)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "state"), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(object.__getattribute__(self, "state"), name, value)


class StateTab(Generic[StateT]):
    """A tab with a state of its own on the server."""

    def __init__(self, kind: type[StateT]) -> None:
        self.root = rx.State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue] - how Reflex makes a root
        self.state = cast(StateT, self.root.get_substate(kind.get_full_name().split(".")))

    def go(self, address: str, *, socket: str = "", cookie: str = "") -> None:
        headers = {"origin": ORIGIN, "cookie": cookie}
        data = {"asPath": address, "pathname": address.partition("?")[0], "headers": headers, "sid": socket}
        self.root.router = RouterData.from_router_data(data)

    async def do(self, name: str, *arguments: object) -> Any:
        """Call a handler as it was written, let all its parts come to an end, and return what it answers."""
        handler = self.state.event_handlers[name]
        written: Any = inspect.unwrap(handler.fn)
        done = written(Locked(self.state) if handler.is_background else self.state, *arguments)
        if inspect.isasyncgen(done):
            async for _ in done:
                pass
            return None
        return await done if inspect.isawaitable(done) else done


class Tab(StateTab[RatesState]):
    def __init__(self) -> None:
        super().__init__(RatesState)

    async def open(self, address: str, customer: Any = "") -> None:
        """Open a page, let its search, if it makes one, come to an end, and read the product it asks for."""
        self.go(address)
        if is_search(self.state.open(customer)):
            await self.search()
        await self.show_details()

    async def show_details(self) -> None:
        if self.state.show_details() is RatesState.read_product:
            await self.do("read_product")

    async def search(self) -> None:
        await self.do("find")

    def visible(self) -> dict[str, Any]:
        return {name: getattr(self.state, name) for name in VISIBLE}


class StaffTab(StateTab[Any]):
    """A tab of an account that is signed in, past the access check (`tests/integration/test_staff_socket.py`)."""

    def __init__(self, kind: type[StaffState], name: str = "ada") -> None:
        super().__init__(kind)
        self.state.staff_name = name

    async def open(self, path: str) -> None:
        self.go(path)
        await self.do("open")

    async def come_back(self, handler: str = "open") -> None:
        """Load the page again, by the handler of its load, as its socket does when it comes back."""
        menu = self.root.get_substate(MenuState.get_full_name().split("."))
        await inspect.unwrap(MenuState.event_handlers["count"].fn)(menu)
        await self.do(handler)


def is_search(event: Any) -> bool:
    """Tell whether what a handler gave back runs the background search."""
    return event is not None and event is RatesState.find


def address(event: Any) -> str | None:
    if event is None or is_search(event):
        return None
    return {name._js_expr: value._var_value for name, value in event.args}["path"]


async def enquire(site: Site, **fields: object) -> str:
    return thanked(await site.services.enquiries.submit(sent(**fields))).reference
