"""The mails about an appointment: to its visitor with a calendar file, and to staff."""

from dataclasses import dataclass
from datetime import datetime

from broker.appointments.appointment import Appointment
from broker.enquiries.summary import uk_moment
from broker.mail.mail import MailKind, NewMail
from broker.storage.encryption import SecretKeys
from broker.storage.signed_tokens import TokenSigner


def appointment_links(keys: SecretKeys) -> TokenSigner:
    """Return the signer of the links of mails and receipts, each of which opens one appointment."""
    return TokenSigner(keys.cipher_for("appointment link"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a mail to a visitor says: by default that the appointment is booked; `sentence` is by staff."""

    kind: MailKind = MailKind.APPOINTMENT_BOOKED
    enquiry_link: str = ""
    sentence: str = ""


def notice_mail(
    appointment: Appointment,
    notice: Notice,
    *,
    recipient: str,
    links: TokenSigner,
    enquiry_id: int | None,
    at: datetime,
) -> NewMail:
    """Return a mail to a visitor, with neither name nor number; it is late news once the appointment begins."""
    slot = appointment.slot
    context = {
        "reference": appointment.reference,
        "when": uk_moment(slot.start),
        "minutes": str(slot.minutes),
        "medium": slot.medium.value,
        "link": links.write(appointment.uid, made=at),
        "enquiry_link": notice.enquiry_link,
        "sentence": notice.sentence,
        "uid": appointment.uid,
        "sequence": str(appointment.sequence),
        "slot": slot.value,
    }
    return NewMail(
        kind=notice.kind, created=at, recipient=recipient, context=context, enquiry_id=enquiry_id, expires=slot.start
    )


def staff_note(appointment: Appointment, *, change: str, enquiry_id: int | None, at: datetime) -> NewMail:
    """Return a mail to staff about a visitor's `change`: `moved` or `cancelled`."""
    slot = appointment.slot
    context = {
        "reference": appointment.reference,
        "change": change,
        "when": uk_moment(slot.start),
        "minutes": str(slot.minutes),
        "medium": slot.medium.value,
        "adviser": appointment.adviser,
    }
    return NewMail(kind=MailKind.APPOINTMENT_NOTE, created=at, context=context, enquiry_id=enquiry_id)
