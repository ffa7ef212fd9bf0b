from typing import Any, cast

import pytest
from starlette.types import Receive, Scope, Send

from broker import routes
from broker.server.middleware import AmbiguousRequests


async def passed(path: str, kind: str = "http") -> str:
    """Return the path that an application behind the middleware sees."""
    seen = list[str]()

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(scope["path"])

    await AmbiguousRequests(app, {})({"type": kind, "path": path, "headers": []}, cast(Any, None), cast(Any, None))
    return seen[0]


@pytest.mark.parametrize(
    "path", ["/", "/contact/", "/contact", "/a.b/..c/d..", "/.well-known/security.txt", "/café/", "/contact ", "/(x)"]
)
async def test_path_that_can_be_read_in_one_way_is_kept(path: str) -> None:
    assert await passed(path) == path


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "path",
    [
        *("", "*", "http://a.example/staff/", "//staff/", "/a//b", "/ping/../staff/", "/ping/..", "/.", "/./staff/"),
        *("/ping/..\\staff", "\\staff", "/contact\0", "/a\nb", "/contact\n", "/a\x7f"),
    ],
)
async def test_path_that_can_be_read_as_another_is_unknown(path: str, kind: str) -> None:
    assert await passed(path, kind) == routes.NOT_FOUND


async def test_lifespan_has_no_path() -> None:
    seen = list[Scope]()

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(scope)

    await AmbiguousRequests(app, {})({"type": "lifespan"}, cast(Any, None), cast(Any, None))
    assert seen == [{"type": "lifespan"}]
