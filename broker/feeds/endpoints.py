"""The calls of specification 7 that `broker.feeds` makes, each at its one address, and how they are made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

MEGABYTE = 1024 * 1024


class Prefix(StrEnum):
    """Where a call's path hangs: on the API's own address, or on its host under `/promotion`."""

    API = "api"
    PROMOTION = "promotion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call: `number` as in specification 7, `most_bytes` the cap of its answer once unpacked.

    `patience` is how many times the usual the call is waited for: more than once only where no visitor waits for it.
    """

    number: int
    name: str
    method: str
    prefix: Prefix
    path: str
    most_bytes: int = 8 * MEGABYTE
    patience: int = 1


FAQS = Call(number=2, name="faqs", method="GET", prefix=Prefix.API, path="/wp-json/faqs/v1/get")
SAVED_RATES = Call(
    number=3, name="get_saved_rates", method="POST", prefix=Prefix.API, path="/wp-json/get_saved_rates/v2/get"
)
SAVED_LTV_RATES = Call(
    number=4,
    name="get_saved_ltv_rates",
    method="POST",
    prefix=Prefix.API,
    path="/wp-json/get_saved_ltv_rates/v1/get",
    patience=4,
)
RATES = Call(number=5, name="get_rates", method="POST", prefix=Prefix.API, path="/wp-json/get_rates/v1/get")
SERVICE = Call(
    number=6,
    name="get_saved_rates service",
    method="POST",
    prefix=Prefix.API,
    path="/wp-json/get_saved_rates/v2/service",
)
LENDERS = Call(number=9, name="get_lenders", method="POST", prefix=Prefix.PROMOTION, path="/wp-json/get_lenders/v1/get")
LOGOS = Call(
    number=10,
    name="get_logos",
    method="POST",
    prefix=Prefix.PROMOTION,
    path="/wp-json/get_logos/v1/get",
    most_bytes=16 * MEGABYTE,
    patience=4,
)
SAVED_LENDERS = Call(
    number=11,
    name="get_saved_lenders",
    method="POST",
    prefix=Prefix.PROMOTION,
    path="/wp-json/get_saved_lenders/v1/get",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedSettings:
    """Where the broker's API is, and how long it is waited for.

    `api_url` is the `{api}` of specification 7, `https://host/api` for example. Times in seconds; `deadline` bounds a
    whole call, retries included. Raises ValueError for an address without http or https, a host, or a sensible port.
    """

    api_url: str
    connect: float = 2.0
    read: float = 4.0
    deadline: float = 4.5
    retries: int = 2
    back_off: float = 0.1
    connections: int = 100
    user_agent: str = "mortgage-broker-site/1.0"

    def __post_init__(self) -> None:
        """Refuse an address that no call can be made to."""
        parts = urlsplit(self.api_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            raise ValueError(f"an API address starts with http:// or https:// and names a host, not {self.api_url!r}")

    def address(self, call: Call, query: str = "") -> str:
        """Return the full address of a call; `query` is its query string, already encoded."""
        parts = urlsplit(self.api_url)
        api, origin = self.api_url.rstrip("/"), f"{parts.scheme}://{parts.netloc}"
        root = api if call.prefix is Prefix.API else f"{origin}/promotion"
        return f"{root}{call.path}" + (f"?{query}" if query else "")
