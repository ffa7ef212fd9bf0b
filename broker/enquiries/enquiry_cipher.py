"""Encryption of the rows of enquiries: contact details, answers and notes of staff."""

import json
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Row

from broker.cases.case import EnquirySummary, StaffNote
from broker.documents.document import Document
from broker.enquiries.contact_details import CallTime, ContactDetails
from broker.enquiries.enquiry import Attachment, Channel, Consent, Enquiry, EnquiryKind, EnquiryState, StoredEnquiry
from broker.questionnaire.answers import Line
from broker.storage.encryption import DecryptionError, SecretKeys

_DOCUMENT = TypeAdapter(Document)


class EnquiryCipher:
    """Encryption of the rows of enquiries.

    Contact details, answers and staff notes have separate keys: lists of enquiries decrypt contact details only.
    """

    def __init__(self, keys: SecretKeys) -> None:
        self._contact = keys.cipher_for("enquiry contact")
        self._answers = keys.cipher_for("enquiry answers")
        self._notes = keys.cipher_for("enquiry notes")

    def values(self, enquiry: Enquiry) -> dict[str, Any]:
        contact, consent = enquiry.contact, enquiry.consent
        content = {
            "message": enquiry.message,
            "entry": enquiry.entry,
            "answers": dict(enquiry.answers),
            "lines": [[line.label, line.words] for line in enquiry.lines],
            "attachment": _attachment_values(enquiry.attachment),
        }
        details = {"name": contact.name, "telephone": contact.telephone, "email": contact.email, "when": contact.when}
        if contact.extension:
            details["extension"] = contact.extension
        return {
            "kind": enquiry.kind.value,
            "contact": self._contact.encrypt(_json(details)),
            "answers": self._answers.encrypt(_json(content)),
            "consent_text": consent.text_version,
            "consent_at": consent.at,
            "consent_page": consent.page,
            "marketing": ",".join(sorted(consent.marketing)),
        }

    def read(self, row: Row[Any]) -> StoredEnquiry:
        """Return the enquiry of a row; raises DecryptionError."""
        content = json.loads(self._answers.decrypt(row.answers))
        enquiry = Enquiry(
            kind=EnquiryKind(row.kind),
            contact=self.contact(row),
            consent=Consent(
                marketing=frozenset(Channel(word) for word in row.marketing.split(",") if word),
                text_version=row.consent_text,
                at=row.consent_at,
                page=row.consent_page,
            ),
            message=content["message"],
            entry=content["entry"],
            answers=content["answers"],
            lines=tuple(Line(label=label, words=words) for label, words in content["lines"]),
            attachment=read_attachment(content.get("attachment")),
        )
        return StoredEnquiry(
            reference=row.reference,
            state=EnquiryState(row.state),
            version=row.version,
            created=row.created,
            delete_after=row.delete_after,
            page=row.page,
            enquiry=enquiry,
        )

    def contact(self, row: Row[Any]) -> ContactDetails:
        """Return the contact details of a row; raises DecryptionError."""
        details = json.loads(self._contact.decrypt(row.contact))
        return ContactDetails(**{**details, "when": CallTime(details["when"])})

    def message(self, row: Row[Any]) -> str:
        """Return the message of a row alone; raises DecryptionError."""
        return json.loads(self._answers.decrypt(row.answers))["message"]

    def head(self, row: Row[Any]) -> EnquirySummary:
        """Return the summary of a row; its contact is None if no key decrypts it."""
        try:
            contact = self.contact(row)
        except DecryptionError:
            contact = None
        return EnquirySummary(
            reference=row.reference,
            kind=EnquiryKind(row.kind),
            state=EnquiryState(row.state),
            version=row.version,
            created=row.created,
            delete_after=row.delete_after,
            page=row.page,
            contact=contact,
            call_by=row.call_by or row.created,
            assigned=row.assigned,
            changed_by=row.changed_by,
            changed_at=row.changed_at,
        )

    def note_values(self, note: StaffNote) -> dict[str, Any]:
        return {"at": note.at, "who": note.who, "text": self._notes.encrypt(note.text.encode())}

    def note(self, row: Row[Any]) -> StaffNote:
        """Return the note of a row; raises DecryptionError."""
        return StaffNote(at=row.at, who=row.who, text=self._notes.decrypt(row.text).decode())


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _attachment_values(attachment: Attachment | None) -> dict[str, Any] | None:
    """Return an attachment as JSON values: None without one, empty for one without a document."""
    if attachment is None:
        return None
    return asdict(attachment.document) if attachment.document else {}


def read_attachment(values: Any) -> Attachment | None:
    """Return the attachment of JSON values, without its document if that has a shape no longer known."""
    if values is None:
        return None
    try:
        return Attachment(document=_DOCUMENT.validate_python(values))
    except ValidationError:
        return Attachment()
