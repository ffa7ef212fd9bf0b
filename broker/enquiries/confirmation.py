"""The mail that confirms an enquiry to its sender, where an email address was given."""

from datetime import datetime

from broker.enquiries.contact_details import ContactDetails
from broker.enquiries.summary import AS_ASKED, uk_moment
from broker.mail.mail import MailKind, NewMail
from broker.storage.encryption import SecretKeys
from broker.storage.signed_tokens import TokenSigner


def mail_links(keys: SecretKeys) -> TokenSigner:
    """Return the signer of the links of mails, each of which opens one enquiry."""
    return TokenSigner(keys.cipher_for("enquiry mail link"))


def confirmation(
    contact: ContactDetails,
    *,
    reference: str,
    enquiry_id: int | None,
    created: datetime,
    call_by: datetime,
    links: TokenSigner,
) -> NewMail:
    """Return the mail, with neither name nor number: an address may be mistyped."""
    context = {
        "reference": reference,
        "call_by": uk_moment(call_by),
        "as_asked": AS_ASKED[contact.when],
        "link": links.write(reference, made=created),
    }
    return NewMail(
        kind=MailKind.CONFIRMATION, created=created, recipient=contact.email, context=context, enquiry_id=enquiry_id
    )
