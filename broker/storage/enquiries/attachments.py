"""The attachment of an enquiry as plain values and back, every field checked by pydantic."""

from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter, ValidationError

from broker.domain.documents import Document
from broker.domain.enquiries.attachment import Attachment

_DOCUMENT = TypeAdapter(Document)


def attachment_values(attachment: Attachment | None) -> dict[str, Any] | None:
    """Return an attachment as JSON values: none without one, empty for one that could not be attached."""
    if attachment is None:
        return None
    return asdict(attachment.document) if attachment.document else {}


def read_attachment(values: Any) -> Attachment | None:
    """Return the attachment of JSON values; one of a shape that is no longer known has no document."""
    if values is None:
        return None
    try:
        return Attachment(document=_DOCUMENT.validate_python(values))
    except ValidationError:
        return Attachment()
