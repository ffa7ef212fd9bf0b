"""The attachment of an enquiry as plain values and back, every field checked by msgspec."""

from dataclasses import asdict
from typing import Any, get_type_hints

import msgspec

from broker.domain.documents import BarChart, Document, LineChart, Section, Steps, Table, Text
from broker.domain.enquiries.attachment import Attachment

_PARTS = {"table": Table, "bars": BarChart, "lines": LineChart, "steps": Steps, "text": Text}
"""The parts of a document by their `kind`; msgspec reads no union of dataclasses."""

_FIELDS = {name: hint for name, hint in get_type_hints(Document).items() if name != "sections"}


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
        return Attachment(document=_document(values))
    except (msgspec.ValidationError, KeyError, TypeError):
        return Attachment()


def _document(values: dict[str, Any]) -> Document:
    sections = tuple(
        Section(title=each["title"], parts=tuple(msgspec.convert(part, _PARTS[part["kind"]]) for part in each["parts"]))
        for each in values["sections"]
    )
    fields = {name: msgspec.convert(values[name], hint) for name, hint in _FIELDS.items() if name in values}
    return Document(sections=sections, **fields)
