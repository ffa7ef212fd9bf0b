"""Encryption of the rows of enquiries: contact details, answers and notes of staff."""

import hashlib
import hmac
import json
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Row

from broker.cases.case import (
    CloseReason,
    EnquirySummary,
    NoteKind,
    Outcome,
    Service,
    Source,
    StaffNote,
    Stage,
    WaitingFor,
)
from broker.documents.document import Document
from broker.duties.support_needs import write_needs
from broker.enquiries.contact_details import CallTime, ContactDetails
from broker.enquiries.enquiry import Attachment, Channel, Consent, Enquiry, EnquiryKind, EnquiryState, StoredEnquiry
from broker.questionnaire.answers import Line
from broker.storage.encryption import DecryptionError, SecretKeys

_DOCUMENT = TypeAdapter(Document)


class EnquiryCipher:
    """Encryption of the rows of enquiries.

    Contact details, answers, staff notes, next actions and support needs have separate keys: lists of enquiries decrypt
    contact details and next actions only. Digests of telephone numbers and email addresses have keys of their own too.
    """

    def __init__(self, keys: SecretKeys) -> None:
        self._work = keys.cipher_for("case work")
        self._needs = keys.cipher_for("support needs")
        self._phone_keys, self._email_keys = keys.derive("enquiry telephone"), keys.derive("enquiry email")
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
        return {
            "kind": enquiry.kind.value,
            **self.contact_values(contact),
            "answers": self._answers.encrypt(_json(content)),
            "consent_text": consent.text_version,
            "consent_at": consent.at,
            "consent_page": consent.page,
            "marketing": ",".join(sorted(consent.marketing)),
            "needs": self.needs_value(write_needs(enquiry.needs)) if enquiry.needs else None,
        }

    def contact_values(self, contact: ContactDetails) -> dict[str, Any]:
        """Return the columns of contact details: encrypted, and the digests by which enquiries of one are found."""
        details = {"name": contact.name, "telephone": contact.telephone, "email": contact.email, "when": contact.when}
        if contact.extension:
            details["extension"] = contact.extension
        return {"contact": self._contact.encrypt(_json(details)), **self.digest_values(contact)}

    def digest_values(self, contact: ContactDetails) -> dict[str, str]:
        """Return the columns of the digests, with the current key."""
        return {
            "phone_digest": self.phone_digests(contact.telephone)[0],
            "email_digest": self.email_digests(contact.email)[0] if contact.email else "",
        }

    def phone_digests(self, telephone: str) -> tuple[str, ...]:
        """Return the hash of a number of +44 and digits with each key, the current one first."""
        return _digests(self._phone_keys, telephone)

    def email_digests(self, email: str) -> tuple[str, ...]:
        """Return the hash of an email address with each key; upper and lower case are the same."""
        return _digests(self._email_keys, email.casefold())

    def work(self, text: str) -> bytes | None:
        """Encrypt a next action, or a note of what is waited for; None for an empty one."""
        return self._work.encrypt(text.encode()) if text else None

    def needs_value(self, text: str) -> bytes | None:
        """Encrypt support needs; None for none."""
        return self._needs.encrypt(text.encode()) if text else None

    def needs(self, row: Row[Any]) -> str:
        """Return the support needs of a row, empty for none; raises DecryptionError."""
        return self._needs.decrypt(row.needs).decode() if row.needs else ""

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

    def next_action(self, row: Row[Any]) -> str:
        """Return the next action of a row, empty if no key decrypts it."""
        return self._work_text(row.next_action)

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
            stage=Stage(row.stage),
            stage_since=row.stage_since,
            waiting_for=WaitingFor(row.waiting_for),
            waiting_note=self._work_text(row.waiting_note),
            next_action=self._work_text(row.next_action),
            next_due=row.next_due,
            amount=row.amount,
            service=Service(row.service),
            source=Source(row.source),
            outcome=Outcome(row.outcome) if row.outcome else None,
            close_reason=CloseReason(row.close_reason) if row.close_reason else None,
            attempts=row.attempts,
            first_call_at=row.first_call_at,
            deal_ends=row.deal_ends,
            has_needs=row.needs is not None,
        )

    def _work_text(self, encrypted: bytes | None) -> str:
        try:
            return self._work.decrypt(encrypted).decode() if encrypted else ""
        except DecryptionError:
            return ""

    def note_values(self, note: StaffNote) -> dict[str, Any]:
        return {
            "at": note.at,
            "who": note.who,
            "text": self._notes.encrypt(note.text.encode()),
            "kind": note.kind.value,
            "outcome": note.outcome or "",
            "mail": note.mail,
        }

    def note(self, row: Row[Any]) -> StaffNote:
        """Return the note of a row; raises DecryptionError."""
        return StaffNote(
            at=row.at,
            who=row.who,
            text=self._notes.decrypt(row.text).decode(),
            kind=NoteKind(row.kind),
            outcome=Outcome(row.outcome) if row.outcome else None,
            mail=row.mail,
        )


def _digests(keys: tuple[bytes, ...], text: str) -> tuple[str, ...]:
    return tuple(hmac.new(key, text.encode(), hashlib.sha256).hexdigest() for key in keys)


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
