import asyncio
from collections.abc import Mapping

import pytest
from starlette.datastructures import FormData, Headers
from starlette.types import Message, Scope

from broker import routes
from broker.server.forms import posts
from broker.server.forms.posts import (
    Post,
    Sender,
    answer_post,
    client_address,
    is_cross_site,
    redirect_get_to_form_page,
)
from broker.server.response import Answer

OURS = ("https://www.example.co.uk",)
FORM = {"content-type": "application/x-www-form-urlencoded"}
FILE = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\nabc\r\n--x--\r\n'


def scope_with(headers: Mapping[str, str]) -> Scope:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    client = ("192.0.2.7", 5000)
    return {"type": "http", "app": None, "method": "POST", "path": "/contact/", "headers": raw, "client": client}


def answered(body: bytes, headers: Mapping[str, str], *, most: int = 1_000, files: int = 0) -> Answer:
    """Return the answer to a body that comes in two pieces; the handler says back what it was given."""
    pieces = [body[: len(body) // 2], body[len(body) // 2 :]]

    async def receive() -> Message:
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

    async def echo(form: FormData, sender: Sender) -> Answer:
        said = "&".join(f"{name}={value}" for name, value in form.multi_items())
        return Answer(status=200, headers={}, body=f"{sender.address} {said}".encode())

    post = Post(answer=echo, max_bytes=most, max_files=files)
    return asyncio.run(answer_post(scope_with(headers), receive, post=post, origins=OURS, proxies=0))


def test_form_reaches_its_handler_with_every_value_and_is_never_cached() -> None:
    assert not is_cross_site(Headers({}), OURS)
    answer = answered(b"name=Ada+L&marketing=email&marketing=text", FORM)
    assert answer.body == b"192.0.2.7 name=Ada L&marketing=email&marketing=text"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"a=1", FORM | {"origin": "https://evil.example"}, 403),
        (b"a=1", FORM | {"origin": "null"}, 403),
        (b"a=1", FORM | {"sec-fetch-site": "cross-site"}, 403),
        (b"a=1", FORM | {"origin": OURS[0]}, 200),
        (b"a=1", FORM | {"sec-fetch-site": "same-origin"}, 200),
        (b"a=" + b"x" * 1_000, FORM, 413),
        (b"&".join(b"a=1" for _ in range(100)), FORM, 400),
        (b"--x\r\nnonsense", {"content-type": "multipart/form-data"}, 400),
        (FILE, {"content-type": "multipart/form-data; boundary=x"}, 400),
        (FILE.replace(b"; name", b"name"), {"content-type": "multipart/form-data; boundary=x"}, 400),
    ],
)
def test_form_is_refused_for_a_reason(body: bytes, headers: Mapping[str, str], status: int) -> None:
    assert answered(body, headers).status == status


def test_address_is_the_one_that_our_outermost_proxy_saw() -> None:
    cases = {(0, "203.0.113.9"): "192.0.2.7", (1, ""): "192.0.2.7", (3, "203.0.113.9"): "192.0.2.7"}
    cases[(1, "198.51.100.1, 203.0.113.9")] = "203.0.113.9"
    cases[(2, "6.6.6.6, 198.51.100.1, 203.0.113.9")] = "198.51.100.1"
    for (proxies, forwarded), address in cases.items():
        assert client_address(scope_with({"x-forwarded-for": forwarded}), proxies=proxies) == address


async def test_address_of_a_form_leads_to_the_page_that_has_it() -> None:
    handler = redirect_get_to_form_page(routes.CHECK_ANSWERS)
    assert (here := await handler({"path": routes.SEND_ANSWERS}))
    assert (here.status, here.headers["location"]) == (303, routes.CHECK_ANSWERS)


def test_body_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posts, "BODY_SECONDS", 0.05)

    async def receive() -> Message:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"a", "more_body": True}

    async def never(_form: FormData, _sender: Sender) -> Answer:
        raise AssertionError

    answering = answer_post(scope_with(FORM), receive, post=Post(answer=never), origins=OURS, proxies=0)
    answer = asyncio.run(answering)
    assert (answer.status, answer.body) == (408, b"That took too long to reach us. Please go back and send it again.")
