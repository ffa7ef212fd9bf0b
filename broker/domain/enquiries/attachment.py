"""A result that a visitor sends with an enquiry: the document of a page as it was then, since deals change."""

import json
from dataclasses import asdict, dataclass

from broker.domain.documents import Document

MAX_BYTES = 40_000
"""Bytes of a document as JSON: three times the longest, a remortgage plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """What was asked to be attached; without a `document` it could not be, and the enquiry was sent without it."""

    document: Document | None = None


def attachment(document: Document | None) -> Attachment:
    """Return a document as an attachment, without it where it is too large."""
    if document is None or len(json.dumps(asdict(document), ensure_ascii=False).encode("utf-8", "replace")) > MAX_BYTES:
        return Attachment()
    return Attachment(document=document)
