from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from broker import routes
from broker.server import content_hook
from broker.server.content_hook import (
    ACCEPTED,
    AWAY,
    EXPIRED,
    FORGED,
    HEADER,
    MAX_MESSAGES,
    MISSING,
    REPEATED,
    TOO_MANY,
    ContentHook,
    sign,
    signature_fault,
)
from broker.server.edge import api_transformer
from broker.server.forms.posts import MAX_BYTES
from broker.server.releases import LiveExport
from broker.settings import Settings
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BEGINNING, Calendar
from tests.unit.server.site import SITE, put_release

SECRET, NEW = "an old secret of the webhook, in letters", "a new secret of the webhook, in letters too"
BODY = b'{"post":7}'
NOW = int(BEGINNING.timestamp())


class Changes:
    """What was accepted; it may be away."""

    def __init__(self) -> None:
        self.signatures: list[str] = []
        self.is_away = False

    async def accept(self, signature: str) -> bool:
        if self.is_away:
            raise StorageError("away")
        is_new = signature not in self.signatures
        self.signatures.append(signature)
        return is_new


def client(folder: Path, changes: Changes, *secrets: str, calendar: Calendar | None = None) -> TestClient:
    settings = Settings(site_url=SITE, content_hook_secrets=secrets, trusted_proxies=1)
    hook = ContentHook(settings, lambda: changes, clock=calendar or Calendar())
    put_release(folder)
    live = LiveExport(folder, SITE)
    edge = api_transformer(settings, live, handlers=hook.handlers(), posts=hook.posts())(Starlette())
    return TestClient(edge, base_url=SITE, follow_redirects=False)


@pytest.fixture
def changes() -> Changes:
    return Changes()


@pytest.fixture
def web(tmp_path: Path, changes: Changes) -> TestClient:
    return client(tmp_path, changes, NEW, SECRET)


def told(web: TestClient, header: str | bytes | None, body: bytes = BODY, *, sender: str = "") -> tuple[int, str]:
    headers = {b"x-forwarded-for": sender.encode()}
    if header is not None:
        headers[HEADER.encode()] = header.encode() if isinstance(header, str) else header
    answer = web.post(routes.CONTENT_HOOK, content=body, headers=headers)
    assert answer.headers["cache-control"] == "no-store"
    return answer.status_code, answer.text


def test_signature_is_the_hmac_of_time_full_stop_and_body() -> None:
    # echo -n '1700000000.{}' | openssl dgst -sha256 -hmac an-example-secret-of-the-scheme-1
    digest = "958c1f8c81365867ce1334857f269e52e7996be3928352b7e3c8432e3d949c25"
    assert sign("an-example-secret-of-the-scheme-1", b"{}", at=1_700_000_000) == f"t=1700000000,v1={digest}"


def test_signed_message_is_accepted_once(web: TestClient, changes: Changes) -> None:
    header = sign(SECRET, BODY, at=NOW)
    assert [told(web, header), told(web, header)] == [(202, ACCEPTED), (409, REPEATED)]
    assert told(web, sign(NEW, BODY, at=NOW)) == (202, ACCEPTED)
    assert told(web, sign(SECRET, b"", at=NOW), b"") == (202, ACCEPTED)
    assert changes.signatures[0] == header.partition("v1=")[2]


GOOD = sign(SECRET, BODY, at=NOW)
REFUSED = {
    "no signature": (None, MISSING),
    "an empty one": ("", MISSING),
    "another form": (f"sha256={GOOD.partition('v1=')[2]}", MISSING),
    "something behind it": (f"{GOOD},v1=00", MISSING),
    "a time in other digits": (GOOD.replace(str(NOW)[0], "²", 1).encode("latin-1"), MISSING),
    "another secret": (sign("no secret of ours, but long enough", BODY, at=NOW), FORGED),
    "another body": (sign(SECRET, b"{}", at=NOW), FORGED),
    "another time": (GOOD.replace(f"t={NOW}", f"t={NOW + 1}"), FORGED),
    "a digit changed": (GOOD[:-1] + ("0" if GOOD[-1] != "0" else "1"), FORGED),
    "too old": (sign(SECRET, BODY, at=NOW - 301), EXPIRED),
    "too new": (sign(SECRET, BODY, at=NOW + 301), EXPIRED),
}


@pytest.mark.parametrize(("header", "sentence"), REFUSED.values(), ids=REFUSED)
def test_other_message_is_refused_in_a_sentence(
    web: TestClient, changes: Changes, header: str | bytes | None, sentence: str
) -> None:
    assert told(web, header) == (401, sentence)
    assert changes.signatures == []


@pytest.mark.parametrize("age", [-300, 0, 300])
def test_clock_of_the_sender_may_be_five_minutes_off(age: int) -> None:
    header = sign(SECRET, BODY, at=NOW + age)
    assert signature_fault(header, BODY, secrets=[SECRET], now=BEGINNING) == ""


def test_message_is_at_most_64_kilobytes(web: TestClient) -> None:
    for size, status in ((MAX_BYTES, 202), (MAX_BYTES + 1, 413)):
        body = b"x" * size
        assert told(web, sign(SECRET, body, at=NOW), body)[0] == status


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_reading_the_address_is_refused(web: TestClient, method: str) -> None:
    answer = web.request(method, routes.CONTENT_HOOK)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_without_a_secret_the_address_does_not_exist(tmp_path: Path, changes: Changes) -> None:
    off = client(tmp_path, changes)
    assert off.get(routes.CONTENT_HOOK).status_code == 404
    assert off.post(routes.CONTENT_HOOK, content=BODY, headers={HEADER: GOOD}).status_code == 404
    assert changes.signatures == []


def test_network_may_send_so_many_a_minute(tmp_path: Path, changes: Changes) -> None:
    calendar = Calendar()
    web = client(tmp_path, changes, SECRET, calendar=calendar)
    statuses = [told(web, "", sender="192.0.2.1")[0] for _ in range(MAX_MESSAGES)]
    assert set(statuses) == {401}
    assert told(web, GOOD, sender="192.0.2.1") == (429, TOO_MANY)
    assert told(web, GOOD, sender="192.0.2.2") == (202, ACCEPTED)
    calendar.forward(seconds=61)
    assert told(web, sign(SECRET, BODY, at=NOW + 61), sender="192.0.2.1") == (202, ACCEPTED)


def test_message_that_cannot_be_stored_is_to_be_sent_again(web: TestClient, changes: Changes) -> None:
    changes.is_away = True
    assert told(web, GOOD) == (503, AWAY)
    changes.is_away = False
    assert told(web, GOOD) == (202, ACCEPTED)


def test_signatures_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    monkeypatch.setattr(content_hook.hmac, "compare_digest", lambda one, other: compared.append(other) or one == other)
    assert signature_fault(GOOD, BODY, secrets=[NEW, SECRET], now=BEGINNING) == ""
    assert compared == [GOOD.partition("v1=")[2]] * 2
