import re
from base64 import b64encode
from gzip import decompress
from hashlib import sha256

import pytest
from starlette.testclient import TestClient

from broker import routes
from broker.web.serving.edge import accepts_gzip
from broker.web.serving.headers import NO_PAGE_POLICY, SECURITY, STRICT_TRANSPORT

METHODS = ("GET", "HEAD")


def redirect(web: TestClient, address: str, method: str = "GET") -> tuple[int, str | None]:
    answer = web.request(method, address)
    return answer.status_code, answer.headers.get("location")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("old", "new"), routes.REDIRECTS.items())
def test_moved_pages_answer_one_301_with_the_query_kept(web: TestClient, old: str, new: str, method: str) -> None:
    assert redirect(web, old, method) == (301, new)
    assert redirect(web, f"{old}?a=1&b=%C2%A3+2", method) == (301, f"{new}?a=1&b=%C2%A3+2")
    assert redirect(web, old.rstrip("/"), method) == (301, new)
    assert new not in routes.REDIRECTS


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/promotion/contact/", (301, "/contact/")),
        ("/promotion/contact", (301, "/contact/")),
        ("/promotion/contact/?a=b", (301, "/contact/?a=b")),
        ("/api/about-us/", (301, "/about-us/")),
        ("/promotion/rates/", (301, "/tools/rates/")),
        ("/promotion/home/", (301, "/")),
        ("/api/promotion/home", (301, "/")),
        ("/promotion/updateLenders", (301, "/updateLenders/")),
        ("/promotion//evil.example/", (301, "/evil.example/")),
        ("/api/%5Cevil", (301, "/evil/")),
        ("/promotion/", (404, None)),
        ("/api/wp-json/faqs/v1/get", (404, None)),
        ("/promotion/wp-json/get_logos/v1/get", (404, None)),
        ("/api/graphql", (404, None)),
    ],
)
def test_prefixes_of_the_content_service_are_taken_from_pages(
    web: TestClient, address: str, expected: tuple[int, str | None]
) -> None:
    assert redirect(web, address) == expected


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/about-us", (308, "/about-us/")),
        ("/about-us?x=%20y", (308, "/about-us/?x=%20y")),
        ("/tools/rates", (308, "/tools/rates/")),
        ("/updateLenders", (308, "/updateLenders/")),
        ("/home2", (308, "/home2/")),
        ("/updatelenders", (404, None)),
        ("/not-found", (404, None)),
        ("/about-us.html", (404, None)),
        ("/unknown", (404, None)),
    ],
)
def test_a_missing_slash_is_added_in_one_308(
    web: TestClient, address: str, expected: tuple[int, str | None], method: str
) -> None:
    assert redirect(web, address, method) == expected


@pytest.mark.parametrize(
    "address",
    [
        "/nope/",
        "/nope.php",
        "/not-found/",
        "/404.html",
        "/__spa-fallback.html",
        "/index.html",
        "/about-us/index.html",
        "/about-us/index.html.gz",
        "/%00",
        "/%ff%fe/",
        "/a%0d%0aSet-Cookie:x=1",
        "/..%2f..%2fetc%2fpasswd",
        "/.git/config",
        "//evil.example/",
        "//evil.example/about-us",
        "/%5C%5Cevil.example",
        "/%2F%2Fevil.example/",
        "/" + "a" * 5_000,
        "/api" * 2_000,
        "/_upload/x",
        routes.COOKIE_NOTICE,
    ],
)
def test_unknown_and_odd_paths_answer_404_with_the_error_page(web: TestClient, address: str) -> None:
    answer = web.request("GET", f"http://testserver{address}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["x-robots-tag"] == "noindex"
    assert "<h1>Page not found</h1>" in answer.text
    assert web.request("HEAD", f"http://testserver{address}").status_code == 404


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [("POST", "/", 405), ("DELETE", "/about-us/", 405), ("POST", "/nope/", 404), ("PUT", "/promotion/contact/", 404)],
)
def test_methods_that_do_not_read_are_refused(web: TestClient, method: str, address: str, status: int) -> None:
    assert web.request(method, address).status_code == status


@pytest.mark.parametrize(
    ("address", "media_type", "cache_control"),
    [
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/tools/rates/", "text/html; charset=utf-8", "no-cache"),
        ("/assets/root-1.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/fonts/a.woff2", "font/woff2", "public, max-age=86400"),
        ("/images/logo.svg", "image/svg+xml", "public, max-age=86400"),
        ("/sitemap.xml", "application/xml", "public, max-age=86400"),
        ("/robots.txt", "text/plain; charset=utf-8", "public, max-age=86400"),
    ],
)
def test_files_say_what_they_are_and_how_long_they_keep(
    web: TestClient, address: str, media_type: str, cache_control: str
) -> None:
    answer = web.get(address)
    assert (answer.status_code, answer.headers["content-type"], answer.headers["cache-control"]) == (
        200,
        media_type,
        cache_control,
    )


@pytest.mark.parametrize(
    ("address", "indexed"),
    [("/", True), ("/about-us/", True), ("/home2/", False), ("/updateLenders/", False), ("/robots.txt", True)],
)
def test_pages_that_are_not_indexed_say_so(web: TestClient, address: str, indexed: bool) -> None:
    assert web.get(address).headers.get("x-robots-tag") == (None if indexed else "noindex")


@pytest.mark.parametrize("address", ["/", "/nope/", "/home/", "/about-us", "/assets/root-1.js", "/ping", "/_upload/x"])
def test_every_answer_carries_the_security_headers(web: TestClient, secure_web: TestClient, address: str) -> None:
    plain, secure = web.get(address).headers, secure_web.get(address).headers
    assert {name: plain.get(name) for name in SECURITY} == SECURITY
    assert {name: secure.get(name) for name in SECURITY} == SECURITY
    assert (plain.get("strict-transport-security"), secure.get("strict-transport-security")) == (None, STRICT_TRANSPORT)
    assert "content-security-policy" in plain
    assert "server" not in plain


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


def test_head_answers_as_get_does_without_the_body(web: TestClient) -> None:
    for address in ("/", "/nope/", "/assets/root-1.js"):
        get, head = web.get(address), web.head(address)
        assert (head.status_code, head.content, dict(head.headers)) == (get.status_code, b"", dict(get.headers))


def test_text_is_sent_compressed_to_those_who_take_it(web: TestClient) -> None:
    with web.stream("GET", "/", headers={"accept-encoding": "br, gzip"}) as answer:
        packed = b"".join(answer.iter_raw())
    plain = web.get("/")
    assert (answer.headers["content-encoding"], answer.headers["vary"]) == ("gzip", "Accept-Encoding, Cookie")
    assert "content-encoding" not in plain.headers
    assert decompress(packed) == plain.content
    assert answer.headers["etag"] != plain.headers["etag"]
    assert "vary" not in web.get("/fonts/a.woff2").headers


@pytest.mark.parametrize(
    ("header", "taken"),
    [
        ("gzip", True),
        ("gzip, deflate, br", True),
        ("gzip ; q=0.5", True),
        ("*", True),
        ("", False),
        ("identity", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("*;q=0", False),
        ("gzip;q=x", False),
        ("gzip;q=0, *", False),
    ],
)
def test_gzip_is_negotiated(header: str, taken: bool) -> None:
    assert accepts_gzip(header) == taken


@pytest.mark.parametrize("address", ["/", "/assets/root-1.js", "/fonts/a.woff2"])
def test_a_file_that_is_held_already_is_not_sent_again(web: TestClient, address: str) -> None:
    tag = web.get(address).headers["etag"]
    for held in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        answer = web.get(address, headers={"if-none-match": held})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    assert web.get(address, headers={"if-none-match": '"other"'}).status_code == 200
