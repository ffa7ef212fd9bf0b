"""Start a watch by double opt-in, and let its owner see, change, pause, stop and export it through its link."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from broker.clock import utc_now
from broker.enquiries.contact_details import Problem
from broker.enquiries.service import Forms
from broker.storage.rate_limit import RateLimits
from broker.watches.store import WatchStore
from broker.watches.watch import StaffWatch, StoredWatch

AWAY = "We could not save this just now, so nothing has changed. Please try again in a minute, or call us"
NO_LINK = "This link is incomplete, or the watch has been stopped or deleted"
TOO_MANY_TRIES = "You have tried too many times. Please try again in an hour, or call us"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSubmission:
    """A form that starts a watch, as it was sent.

    `given` holds the fields named in `watches.watch`, those of the plan, and the `TOKEN` and `HIDDEN` field of
    `enquiries.enquiry`. `page` is the path of the form. `address` is the sender's network address, never stored.
    """

    given: Mapping[str, object]
    page: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchStarted:
    """A form was accepted; whether a mail was sent to its address is not told."""

    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchRefused:
    """Nothing was stored, shown or changed; a problem's `field` is empty for the form or the link as a whole."""

    problems: tuple[Problem, ...]

    @classmethod
    def saying(cls, words: str) -> Self:
        return cls(problems=(Problem(field="", reason=words),))


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchLimits:
    """Starts of a network an hour, mails to confirm to an address a day, and unconfirmed watches of an address."""

    started: int = 10
    mailed: int = 3
    unconfirmed: int = 5


class WatchService:
    """Database failures are refusals, where a method does not say otherwise."""

    def __init__(
        self,
        store: WatchStore,
        *,
        forms: Forms,
        limits: WatchLimits | None = None,
        rate_limits: RateLimits | None = None,
        notify: Callable[[], None] = lambda: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`notify` is called when mail is due."""
        raise NotImplementedError

    async def start(self, sent: WatchSubmission) -> WatchStarted | WatchRefused:
        """Store a watch once, however often its form is sent, and send the mail that confirms it."""
        raise NotImplementedError

    async def find(self, link: str) -> StoredWatch | WatchRefused:
        """Return the watch of a link."""
        raise NotImplementedError

    async def confirm(self, link: str) -> StoredWatch | WatchRefused:
        """Begin an unconfirmed watch; any other stays as it is."""
        raise NotImplementedError

    async def change(self, link: str, given: Mapping[str, object]) -> StoredWatch | WatchRefused:
        """Replace figures, tells and telephone number by those of a form; its address stays."""
        raise NotImplementedError

    async def pause(self, link: str) -> StoredWatch | WatchRefused:
        """Send nothing until the watch is resumed; mail that waits is deleted."""
        raise NotImplementedError

    async def resume(self, link: str) -> StoredWatch | WatchRefused:
        raise NotImplementedError

    async def stop(self, link: str) -> bool | WatchRefused:
        """Delete a watch with all that is stored of it; return whether it existed."""
        raise NotImplementedError

    async def unsubscribe(self, token: str) -> None:
        """Delete the watch of a one-click address, if there is one; raises StorageError."""
        raise NotImplementedError

    async def export(self, link: str) -> dict[str, Any] | WatchRefused:
        """Return all that is stored of a watch, as values of JSON."""
        raise NotImplementedError

    async def callable_watches(self) -> tuple[StaffWatch, ...]:
        """Return the watches whose owner agreed to a call, by the end of the deal; raises StorageError."""
        raise NotImplementedError
