"""A visitor's tab without a browser: the rates state, its address, and its background search run to the end."""

from typing import Any, Self, cast

import reflex as rx
from reflex.istate.data import RouterData

from broker.state.rates.search import RatesState

VISIBLE = ("customer", "status", "problem", "searched", "filters", "unfiltered", "found", "detail")
"""What the page can see of the state."""


class Locked:
    """The state as a background handler has it: behind a lock that it takes and gives back."""

    def __init__(self, state: RatesState) -> None:
        object.__setattr__(self, "state", state)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "state"), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(object.__getattribute__(self, "state"), name, value)


class Tab:
    """A tab at an address."""

    def __init__(self) -> None:
        self.root = rx.State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue] - how Reflex makes a root
        self.state = cast(RatesState, self.root.get_substate(RatesState.get_full_name().split(".")))

    def go(self, address: str) -> None:
        """Stand at an address of the site."""
        data = {
            "asPath": address,
            "pathname": address.partition("?")[0],
            "headers": {"origin": "http://localhost:3000"},
        }
        self.root.router = RouterData.from_router_data(data)

    async def open(self, address: str, customer: Any = "") -> None:
        """Open a page, let its search, if it makes one, come to an end, and read the product it asks for."""
        self.go(address)
        if is_search(self.state.open(customer)):
            await self.search()
        await self.state.show_details()

    async def search(self) -> None:
        """Run the background search."""
        await RatesState.event_handlers["find"].fn(Locked(self.state))

    def visible(self) -> dict[str, Any]:
        """Return what the page sees, as values of its own."""
        seen = {name: getattr(self.state, name) for name in VISIBLE}
        return {**seen, "searched": dict(self.state.searched)}


def is_search(event: Any) -> bool:
    """Tell whether what a handler gave back runs the background search."""
    return event is not None and event is RatesState.find


def address(event: Any) -> str | None:
    """Return the path that a handler redirects to, or None."""
    if event is None or is_search(event):
        return None
    return {name._js_expr: value._var_value for name, value in event.args}["path"]
