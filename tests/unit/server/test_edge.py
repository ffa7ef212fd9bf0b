import asyncio
import re
from base64 import b64encode
from datetime import timedelta
from gzip import decompress
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import brotli
import pytest
from reflex.constants import Endpoint
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from broker import routes
from broker.content.store import History
from broker.server import edge as edge_module
from broker.server.edge import Edge, api_transformer
from broker.server.export.finish import finish
from broker.server.exported_site import notice_cookie
from broker.server.releases import CLIENT, LiveExport
from broker.server.rendered_pages import GZIP, accepts
from broker.server.response import NO_PAGE_POLICY, SECURITY, STRICT_TRANSPORT, Answer
from broker.settings import Settings
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.server.site import SITE, STYLE, client, client_of, write_export
from tools.release import put

METHODS = ("GET", "HEAD")


def redirect(web: TestClient, address: str, method: str = "GET") -> tuple[int, str | None]:
    answer = web.request(method, address)
    return answer.status_code, answer.headers.get("location")


def test_moved_pages_answer_one_301_with_the_query_kept(web: TestClient) -> None:
    for method in METHODS:
        for old, new in routes.REDIRECTS.items():
            assert redirect(web, old, method) == redirect(web, old.rstrip("/"), method) == (301, new)
            assert redirect(web, f"{old}?a=1&b=%C2%A3+2", method) == (301, f"{new}?a=1&b=%C2%A3+2")
            assert new not in routes.REDIRECTS


MOVED = {
    "/promotion/contact/": "/contact/",
    "/promotion/contact/?a=b": "/contact/?a=b",
    "/promotion/updateLenders": "/updateLenders/",
}
OF_THE_SERVICE = ("/promotion/", "/api/wp-json/faqs/v1/get", "/promotion/wp-json/get_logos/v1/get", "/api/graphql")


def test_prefixes_of_the_content_service_are_taken_from_pages(web: TestClient) -> None:
    assert {path: redirect(web, path) for path in MOVED} == {path: (301, new) for path, new in MOVED.items()}
    assert {redirect(web, path) for path in OF_THE_SERVICE} == {(404, None)}


def test_pages_that_the_content_service_moved_and_removed(tmp_path: Path) -> None:
    history = History(moved={"/about-the-firm/": "/about-us/"}, removed=("/gone/",))
    write_export(tmp_path / "web" / CLIENT)
    finish(tmp_path / "web" / CLIENT)
    put(tmp_path / "web", tmp_path, key="", code="")
    web = client_of(LiveExport(tmp_path, SITE), history=history)
    for method in METHODS:
        assert redirect(web, "/about-the-firm/?a=1", method) == (301, "/about-us/?a=1")
        assert redirect(web, "/about-the-firm", method) == (301, "/about-us/")
        assert redirect(web, "/gone/", method) == redirect(web, "/gone", method) == (410, None)
        assert redirect(web, "/never-there/", method) == (404, None)
    assert "<h1>Page not found</h1>" in web.get("/gone/").text
    web = client_of(LiveExport(tmp_path, SITE), handlers={"/gone/": _any_page}, history=history)
    assert web.get("/gone/").status_code == 410


def test_handler_of_a_page_answers_that_path_and_of_a_folder_those_below(tmp_path: Path) -> None:
    web = client(tmp_path, handlers={"/sums/": _any_page, "/files/*": _any_page})
    paths = ("/sums/", "/sums/?a=1", "/sums/nowhere/?a=1", "/sums/x", "/files/a/b?c=1", "/filesystem/")
    assert [web.get(path).status_code for path in paths] == [200, 200, 404, 404, 200, 404]


def test_escaped_ampersands_redirect_before_a_page_or_a_handler_answers(tmp_path: Path) -> None:
    web = client(tmp_path, handlers={"/sums/": _any_page})
    for method in METHODS:
        for path in ("/sums/", "/about-us/", "/tools/rates/"):
            assert redirect(web, f"{path}?a=1&amp;b=%C2%A32&amp;c=3", method) == (301, f"{path}?a=1&b=%C2%A32&c=3")
    assert redirect(web, "/%2Fevil.example/?a=1&amp;b=2") == (301, "/not-found/?a=1&b=2")
    assert web.get("/sums/?a=1&b=2&amp=3").status_code == 200


async def _any_page(_scope: Scope) -> Answer:
    return Answer(status=200, headers={}, body=b"a page that is newer than the build")


def test_a_missing_slash_is_added_in_one_308(web: TestClient) -> None:
    for method in METHODS:
        for path in ("/about-us", "/tools/rates", "/updateLenders", "/home2"):
            assert redirect(web, path, method) == (308, f"{path}/")
        assert redirect(web, "/about-us?x=%20y", method) == (308, "/about-us/?x=%20y")
        for path in ("/updatelenders", "/not-found", "/about-us.html", "/unknown"):
            assert redirect(web, path, method) == (404, None)


ODD = (
    *("/nope/", "/nope.php", "/not-found/", "/404.html", "/__spa-fallback.html", "/index.html", "/_upload/x"),
    *("/about-us/index.html", "/about-us/index.html.gz", "/%00", "/%ff%fe/", "/a%0d%0aSet-Cookie:x=1", "/.git/config"),
    *("//evil.example/", "//evil.example/about-us", "/%5C%5Cevil.example", "/%2F%2Fevil.example/"),
    *(
        "/promotion//evil.example/",
        "/api/%5Cevil",
        "/about-us/..%2ftools%2frates%2f",
        "/about-us/..%5c",
        "/about-us%2f..%2ftools%2frates%2f",
    ),
    *("/..%2f..%2fetc%2fpasswd", "/" + "a" * 5_000, "/api" * 2_000, routes.COOKIE_NOTICE),
)


@pytest.mark.parametrize("address", ODD)
def test_unknown_and_odd_paths_answer_404_with_the_error_page(web: TestClient, address: str) -> None:
    answer = web.request("GET", f"http://testserver{address}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["x-robots-tag"] == "noindex"
    assert "<h1>Page not found</h1>" in answer.text
    assert web.request("HEAD", f"http://testserver{address}").status_code == 404


def test_methods_that_do_not_read_are_refused_and_head_answers_as_get_does(web: TestClient) -> None:
    refused = {("POST", "/"): 405, ("DELETE", "/about-us/"): 405, ("POST", "/nope/"): 404}
    refused[("PUT", "/promotion/contact/")] = 404
    assert {request: web.request(*request).status_code for request in refused} == refused
    for address in ("/", "/nope/", "/assets/root-1.js"):
        get, head = web.get(address), web.head(address)
        assert (head.status_code, head.content, dict(head.headers)) == (get.status_code, b"", dict(get.headers))


FILES = {
    "/": ("text/html; charset=utf-8", "no-cache"),
    "/tools/rates/": ("text/html; charset=utf-8", "no-cache"),
    "/assets/root-1.js": ("text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
    "/fonts/a.woff2": ("font/woff2", "public, max-age=86400"),
    "/images/logo.svg": ("image/svg+xml", "public, max-age=86400"),
}


def test_files_name_their_type_their_cache_lifetime_and_robots(web: TestClient) -> None:
    for address, expected in FILES.items():
        answer = web.get(address)
        assert (answer.status_code, answer.headers["content-type"], answer.headers["cache-control"]) == (200, *expected)
    robots = {"/": None, "/about-us/": None, "/home2/": "noindex", "/updateLenders/": "noindex"}
    assert {address: web.get(address).headers.get("x-robots-tag") for address in robots} == robots


def test_every_answer_carries_the_security_headers(web: TestClient, secure_web: TestClient) -> None:
    for address in ("/", "/nope/", "/home/", "/about-us", "/assets/root-1.js", "/ping"):
        plain, secure = web.get(address).headers, secure_web.get(address).headers
        assert {name: plain.get(name) for name in SECURITY} == SECURITY, address
        assert {name: secure.get(name) for name in SECURITY} == SECURITY, address
        transport = (plain.get("strict-transport-security"), secure.get("strict-transport-security"))
        assert transport == (None, STRICT_TRANSPORT), address
        assert ("content-security-policy" in plain, "server" in plain) == (True, False), address


def test_a_page_allows_its_own_scripts_and_nothing_else(web: TestClient, secure_web: TestClient) -> None:
    answer = secure_web.get("/about-us/")
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; ") if " " in part)
    scripts = re.findall(r"<script(?! type=\"application/ld)[^>]*>(.*?)</script>", answer.text, re.DOTALL)
    hashes = [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts]
    assert policy == {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", *hashes]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self' wss://broker.example",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    assert answer.headers["content-security-policy"].endswith("; upgrade-insecure-requests")
    assert "connect-src 'self' ws://testserver;" in web.get("/").headers["content-security-policy"]
    assert web.get("/assets/root-1.js").headers["content-security-policy"] == NO_PAGE_POLICY


def test_text_is_sent_compressed_to_those_who_take_it(web: TestClient) -> None:
    with web.stream("GET", "/", headers={"accept-encoding": "br, gzip"}) as answer:
        packed = b"".join(answer.iter_raw())
    plain = web.get("/")
    assert (answer.headers["content-encoding"], answer.headers["vary"]) == ("gzip", "Accept-Encoding, Cookie")
    assert "content-encoding" not in plain.headers
    assert decompress(packed) == plain.content
    assert answer.headers["etag"] != plain.headers["etag"]
    assert "vary" not in web.get("/fonts/a.woff2").headers
    assert [header for header in ("gzip", "gzip, deflate, br", "gzip ; q=0.5", "*") if not accepts(GZIP, header)] == []
    refused = ("", "identity", "br", "gzip;q=0", "gzip; q=0.000", "*;q=0", "gzip;q=x", "gzip;q=0, *")
    assert [header for header in refused if accepts(GZIP, header)] == []


def test_scripts_and_styles_are_sent_as_brotli_to_those_who_take_it(web: TestClient) -> None:
    for address in ("/assets/root-1.js", STYLE):
        tags = set[str]()
        for accepted, encoding in (("gzip, br", "br"), ("br;q=0, gzip", "gzip"), ("identity", "")):
            with web.stream("GET", address, headers={"accept-encoding": accepted}) as answer:
                sent = b"".join(answer.iter_raw())
            assert (answer.headers.get("content-encoding", ""), answer.headers["vary"]) == (encoding, "Accept-Encoding")
            assert {"br": brotli.decompress, "gzip": decompress, "": bytes}[encoding](sent) == web.get(address).content
            tags.add(answer.headers["etag"])
        assert len(tags) == 3


def test_a_file_that_the_browser_has_is_not_sent_again(web: TestClient) -> None:
    for address in ("/", "/assets/root-1.js", "/fonts/a.woff2"):
        tag = web.get(address).headers["etag"]
        for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            answer = web.get(address, headers={"if-none-match": known})
            assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
        assert web.get(address, headers={"if-none-match": '"other"'}).status_code == 200


async def _fail(scope: Scope) -> Answer:
    raise ValueError(scope["query_string"])


def test_request_that_fails_has_headers_and_is_logged_without_its_query(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    web = client(tmp_path, handlers={"/broken.csv": _fail})
    answers = [web.get("/broken.csv?a-name") for _ in range(3)]
    assert {answer.status_code for answer in answers} == {500}
    assert answers[0].text.startswith("Something went wrong on our side. Please try again")
    assert SECURITY.items() <= dict(answers[0].headers).items()
    assert {record.getMessage().splitlines()[0] for record in caplog.records} == {"A request failed: ValueError"}
    assert ("raise ValueError(" in caplog.text, "a-name" in caplog.text) == (True, False)
    assert web.get("/broken.csvx").status_code == web.get("/broken.csv/x").status_code == 404


PATHS = ("/about-us/", "/tools/rates/?price=2%2C000&x=1", "/caf%C3%A9/")
BACK = {
    **{f"{SITE}{path}": path for path in PATHS},
    **{f"{SITE}{path}": "/evil.example/" for path in ("//evil.example/", "/%5C%5Cevil.example/", "/%2F/evil.example/")},
    **dict.fromkeys(("http://evil.example/about-us/", f"{SITE}@evil.example/", f"{SITE}.evil.example/"), "/"),
    **dict.fromkeys((SITE, "javascript:alert(1)", "//evil.example/", "http://[bad/", ""), "/"),
}
"""Where the form leads back to, by the referrer."""


def test_the_cookie_form_sets_the_cookie_and_goes_back_to_its_page(web: TestClient, secure_web: TestClient) -> None:
    for referer, back in BACK.items():
        answer = web.post(routes.COOKIE_NOTICE, headers={"referer": referer})
        web.cookies.clear()
        assert (answer.status_code, answer.headers["location"]) == (303, back), referer
        assert answer.headers["set-cookie"] == "cookie_notice=accepted; Max-Age=8640000; Path=/; SameSite=Lax"
    answer = secure_web.post(routes.COOKIE_NOTICE)
    secure_web.cookies.clear()
    assert answer.headers["set-cookie"] == notice_cookie(secure=True) == f"{notice_cookie(secure=False)}; Secure"


def test_a_closed_notice_is_hidden_without_scripts(web: TestClient) -> None:
    for address in ("/about-us/", "/nope/"):
        seen, closed = web.get(address), web.get(address, headers={"cookie": "a=b; cookie_notice=accepted"})
        assert closed.text == seen.text.replace("<html ", '<html data-cookie-notice="accepted" ')
        assert closed.headers["content-security-policy"] == seen.headers["content-security-policy"]
        assert closed.headers.get("etag", "") != seen.headers.get("etag")
    assert "data-cookie-notice=" not in web.get("/", headers={"cookie": "cookie_notice=accepted-not"}).text[:100]


def test_a_handler_answers_for_its_own_addresses_only(web: TestClient, secure_web: TestClient) -> None:
    assert web.get("/lists/a.csv").status_code == 404
    taken = secure_web.get("/lists/a.csv")
    assert (taken.status_code, taken.text, taken.headers["content-security-policy"]) == (200, "a,b", "sandbox")
    assert "x-content-type-options" in taken.headers
    unknown = secure_web.get("/lists/b.csv")
    assert (unknown.status_code, unknown.text) == (404, secure_web.get("/nothing/").text)
    assert secure_web.post("/lists/a.csv").status_code == 404


async def test_a_socket_that_sends_no_packets_ends_with_one_line(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise ValueError(f"garbage of {scope['type']} {receive} {send}")

    edge = cast(Edge, api_transformer(Settings(), LiveExport(tmp_path, ""))(broken))
    await edge({"type": "websocket", "path": "/_event/"}, cast(Any, None), cast(Any, None))
    assert caplog.messages == ["A socket was closed over a broken packet: ValueError"]


async def test_network_may_hold_and_open_so_many_sockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_module, "MAX_SOCKETS", 2)
    monkeypatch.setattr(edge_module, "MAX_NEW_SOCKETS", (4, timedelta(minutes=1)))
    closing, refused, is_full = asyncio.Event(), list[str](), [False]

    async def tab(_scope: Scope, _receive: Receive, _send: Send) -> None:
        await closing.wait()

    async def send(message: Message) -> None:
        refused.append(message["type"])

    edge = api_transformer(Settings(), LiveExport(tmp_path, ""), is_full=lambda: is_full[0])(tab)

    async def connect(address: str) -> None:
        await edge({"type": "websocket", "path": "/_event/", "client": (address, 1)}, cast(Any, None), send)

    async with asyncio.timeout(ANSWER_TIMEOUT), asyncio.TaskGroup() as sockets:
        for address in ("2001:db8::1", "2001:db8::2", "192.0.2.1"):
            sockets.create_task(connect(address))
        await asyncio.sleep(0)
        await connect("2001:db8::3")
        is_full[0] = True
        await connect("192.0.2.2")
        is_full[0] = False
        assert refused == ["websocket.close"] * 2
        closing.set()
    for _ in range(3):
        await connect("2001:db8::1")
    assert len(refused) == 3


async def test_site_may_hold_four_times_the_sockets_of_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge_module, "MAX_SOCKETS", 1)
    closing, held, refused = asyncio.Event(), list[str](), list[str]()

    async def tab(scope: Scope, _receive: Receive, _send: Send) -> None:
        held.append(scope["client"][0])
        await closing.wait()

    async def connect(address: str) -> None:
        async def send(_message: Message) -> None:
            refused.append(address)

        await edge({"type": "websocket", "path": "/_event/", "client": (address, 1)}, cast(Any, None), send)

    edge = api_transformer(Settings(), LiveExport(tmp_path, ""))(tab)
    networks = [f"2001:db8:0:{number}::1" for number in range(5)]
    async with asyncio.timeout(ANSWER_TIMEOUT), asyncio.TaskGroup() as sockets:
        for address in (*networks, "2001:db8:1::1"):
            sockets.create_task(connect(address))
        await asyncio.sleep(0)
        closing.set()
    assert (held, refused) == ([*networks[:4], "2001:db8:1::1"], networks[4:])


async def test_messages_of_a_network_wait_beyond_so_many_in_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge_module, "MAX_MESSAGES", 4)
    paused, taken = list[float](), list[str]()

    async def sleep(seconds: float) -> None:
        paused.append(seconds)

    async def tab(scope: Scope, receive: Receive, _send: Send) -> None:
        for _ in range(3):
            taken.append(f"{scope['client'][0]} {(await receive())['type']}")

    async def message() -> Message:
        return {"type": "websocket.receive"}

    edge = api_transformer(Settings(), LiveExport(tmp_path, ""))(tab)
    monkeypatch.setattr(edge_module.asyncio, "sleep", sleep)
    for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
        await edge({"type": "websocket", "path": "/_event/", "client": (address, 1)}, message, cast(Any, None))
    assert (paused, len(taken)) == ([edge_module.PAUSE_SECONDS] * 2, 9)


def test_no_request_passes_to_reflex(web: TestClient) -> None:
    for endpoint in Endpoint:
        for path in (f"/{endpoint.value}", f"/{endpoint.value}/", f"/{endpoint.value}/../staff/"):
            assert web.get(path).status_code == 404, path


async def test_socket_at_another_path_is_refused(tmp_path: Path) -> None:
    passed, sent = list[str](), list[Message]()

    async def reflex(scope: Scope, _receive: Receive, _send: Send) -> None:
        passed.append(scope["path"])

    async def send(message: Message) -> None:
        sent.append(message)

    edge = api_transformer(Settings(), LiveExport(tmp_path, ""))(reflex)
    for path in (*routes.EVENTS, "/_event//", "/_event/x", "/_event/../staff/", "/ping", "/"):
        await edge({"type": "websocket", "path": path}, cast(Any, None), send)
    assert passed == ["/_event", "/_event/"]
    assert sent == [{"type": "websocket.close", "code": 1008}] * 5
