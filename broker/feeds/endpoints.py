"""The endpoints of specification 7 that the site calls, and the settings of the client."""

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from broker.bounded_http import HttpSettings

MEGABYTE = 1024 * 1024


class Prefix(StrEnum):
    """Base of a call's path: the API's own address, or `/promotion` on its host."""

    API = "api"
    PROMOTION = "promotion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An endpoint: `number` as in specification 7, `max_bytes` of its decompressed answer.

    `timeout_factor` multiplies the timeouts; it is above 1 only for calls that no visitor waits for.
    """

    number: int
    name: str
    method: str
    prefix: Prefix
    path: str
    max_bytes: int = 8 * MEGABYTE
    timeout_factor: int = 1


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
    timeout_factor=4,
)
RATES = Call(number=5, name="get_rates", method="POST", prefix=Prefix.API, path="/wp-json/get_rates/v1/get")
SERVICE = Call(
    number=6,
    name="get_saved_rates service",
    method="POST",
    prefix=Prefix.API,
    path="/wp-json/get_saved_rates/v2/service",
)
QUESTIONNAIRE = Call(number=8, name="query", method="GET", prefix=Prefix.API, path="/wp-json/query/v2/get")
LENDERS = Call(number=9, name="get_lenders", method="POST", prefix=Prefix.PROMOTION, path="/wp-json/get_lenders/v1/get")
LOGOS = Call(
    number=10,
    name="get_logos",
    method="POST",
    prefix=Prefix.PROMOTION,
    path="/wp-json/get_logos/v1/get",
    max_bytes=16 * MEGABYTE,
    timeout_factor=4,
)
SAVED_LENDERS = Call(
    number=11,
    name="get_saved_lenders",
    method="POST",
    prefix=Prefix.PROMOTION,
    path="/wp-json/get_saved_lenders/v1/get",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedSettings(HttpSettings):
    """The settings of the broker's API, whose address is the `{api}` of specification 7."""

    connect_timeout: float = 2.0
    read_timeout: float = 4.0
    total_timeout: float = 4.5

    def address(self, call: Call, query: str = "") -> str:
        """Return the URL of a call; `query` is an encoded query string."""
        parts = urlsplit(self.api_url)
        api, origin = self.api_url.rstrip("/"), f"{parts.scheme}://{parts.netloc}"
        root = api if call.prefix is Prefix.API else f"{origin}/promotion"
        return f"{root}{call.path}" + (f"?{query}" if query else "")
