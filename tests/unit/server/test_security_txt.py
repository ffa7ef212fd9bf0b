"""security.txt has the fields that RFC 9116 asks for, and ends within a year."""

from datetime import UTC, datetime

from broker.server.site_files import SECURITY_TXT, security_txt


async def test_file_names_whom_to_write_to() -> None:
    now = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
    answer = await security_txt("https://broker.example", lambda: "hello@broker.example", clock=lambda: now)(
        {"path": SECURITY_TXT}
    )
    assert answer
    assert (answer.status, answer.body.decode().splitlines()) == (
        200,
        [
            "Contact: mailto:hello@broker.example",
            "Expires: 2026-08-31T00:00:00Z",
            "Preferred-Languages: en",
            "Canonical: https://broker.example/.well-known/security.txt",
        ],
    )
