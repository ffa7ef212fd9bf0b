"""Reports of returned mail, as raw messages: bounces (RFC 3464) and complaints (ARF, RFC 5965)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, message_from_string
from email.message import Message
from typing import Any

_KEY = re.compile(r"<([A-Za-z0-9-]{8,40})@")
_COMPLAINT = "abuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailReport:
    """A mail, by the left part of its Message-ID, that came back for good, or was taken for spam."""

    key: str
    is_complaint: bool


def parse_report(raw: bytes) -> MailReport | None:
    """Return the report in a message; None for any other, a passing failure (4.x.x) included."""
    message = message_from_bytes(raw)
    parts: dict[str, Message] = {}
    for part in message.walk():
        parts.setdefault(part.get_content_type(), part)
    original = _original(parts)
    found = _KEY.search(_text(original, "Message-ID")) if original else None
    if original is None or found is None:
        return None
    if feedback := parts.get("message/feedback-report"):
        fields = next(_blocks(feedback), None)
        if fields is None or _text(fields, "Feedback-Type").strip().lower() != _COMPLAINT:
            return None
        return MailReport(key=found[1], is_complaint=True)
    has_failed = any(map(_is_lasting, _blocks(parts.get("message/delivery-status"))))
    return MailReport(key=found[1], is_complaint=False) if has_failed else None


def _original(parts: dict[str, Message]) -> Message | None:
    """Return the returned mail, or its headers alone."""
    if headers := parts.get("text/rfc822-headers"):
        payload = headers.get_payload(decode=True)
        return message_from_string(payload.decode("latin-1")) if isinstance(payload, bytes) else None
    return next(_blocks(parts.get("message/rfc822")), None)


def _blocks(part: Message | None) -> Iterator[Message]:
    payload: Any = part.get_payload() if part else ()
    yield from (each for each in payload if isinstance(each, Message))


def _is_lasting(block: Message) -> bool:
    return _text(block, "Action").strip().lower() == "failed" and _text(block, "Status").strip().startswith("5.")


def _text(message: Message, name: str) -> str:
    return str(message.get(name, ""))
