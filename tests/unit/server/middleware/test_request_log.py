import logging

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from broker.log_format import REQUEST_ID
from broker.server.metrics import REQUESTS
from broker.server.middleware import RequestLog


async def page(_: Request) -> Response:
    return PlainTextResponse(REQUEST_ID.get())


def client(*, is_proxied: bool = False, is_logged: bool = True) -> TestClient:
    app = Starlette(routes=[Route("/{path:path}", page)])
    return TestClient(RequestLog(app, lambda _: "/enquiry/*", is_proxied=is_proxied, is_logged=is_logged))


def test_each_request_has_an_identifier_of_its_own() -> None:
    told = {client().get("/", headers={"x-request-id": "from-a-visitor"}).text for _ in range(2)}
    assert len(told | {"from-a-visitor", "-"}) == 4


@pytest.mark.parametrize(("given", "is_taken"), [("from-our-proxy", True), ("a b c d e", False), ("x" * 65, False)])
def test_identifier_of_our_own_proxy_is_taken_over(given: str, *, is_taken: bool) -> None:
    assert (client(is_proxied=True).get("/", headers={"x-request-id": given}).text == given) is is_taken


def test_line_has_the_route_and_nothing_of_the_address(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="broker.access"):
        client().get("/enquiry/secret-token?email=ada@example.com")
    (record,) = caplog.records
    told = {name: getattr(record, name) for name in ("method", "route", "status", "bytes")}
    assert told == {"method": "GET", "route": "/enquiry/*", "status": 200, "bytes": 16}
    assert "secret" not in repr(vars(record))


def test_request_is_counted_by_route_whether_logged_or_not(caplog: pytest.LogCaptureFixture) -> None:
    counted = REQUESTS.labels("/enquiry/*", "other", 405)
    before = counted._value.get()
    client(is_logged=False).request("PROPFIND", "/")
    assert counted._value.get() == before + 1
    assert caplog.records == []
