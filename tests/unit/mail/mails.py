"""Mails to write, a key to sign them with, and reports of their return."""

from functools import cache

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from broker.mail.mail import ClaimedMail, MailKind
from broker.mail.rendering import MailRenderer
from tests.unit.enquiries.enquiring import BEGINNING, FIRM

SENDER, STAFF = "site@broker.example", "staff@broker.example"
MAIL_KEY = "0123456789abcdef0123456789abcdef"
CONFIRMATION = ClaimedMail(
    id=7,
    kind=MailKind.CONFIRMATION,
    key=MAIL_KEY,
    created=BEGINNING,
    attempts=1,
    recipient="zebedee@quill.example",
    context={
        "reference": "HG-7K3M-Q2XD",
        "call_by": "11am on Wednesday 1 April 2026",
        "as_asked": ", in the morning as you asked",
        "link": f"gAAAAAB{'x' * 120}==",
    },
)
NOTE = ClaimedMail(
    id=8,
    kind=MailKind.NOTE,
    key="HG-7K3M-Q2XD",
    created=BEGINNING,
    attempts=1,
    context={
        "reference": "HG-7K3M-Q2XD",
        "kind": "callback",
        "page": "/remortgaging/",
        "sent": "13:00 on 31 March 2026",
        "call_by": "11:00 on 1 April 2026",
        "appointment": "",
        "minutes": "",
        "medium": "",
        "adviser": "",
    },
)
APPOINTMENT = ClaimedMail(
    id=9,
    kind=MailKind.APPOINTMENT_BOOKED,
    key=MAIL_KEY,
    created=BEGINNING,
    attempts=1,
    recipient="zebedee@quill.example",
    context={
        "reference": "HG-7K3M-Q2XD",
        "when": "10:40am on Thursday 2 April 2026",
        "minutes": "20",
        "medium": "telephone",
        "link": f"gAAAAAC{'y' * 120}==",
        "enquiry_link": f"gAAAAAB{'x' * 120}==",
        "sentence": "",
        "uid": "fedcba9876543210fedcba9876543210",
        "sequence": "0",
        "slot": "20260402T0940Z-20-telephone",
    },
)
APPOINTMENT_NOTE = ClaimedMail(
    id=10,
    kind=MailKind.APPOINTMENT_NOTE,
    key=MAIL_KEY,
    created=BEGINNING,
    attempts=1,
    context={
        "reference": "HG-7K3M-Q2XD",
        "change": "moved",
        "when": "10:40am on Thursday 2 April 2026",
        "minutes": "20",
        "medium": "telephone",
        "adviser": "ada",
    },
)


def renderer() -> MailRenderer:
    return MailRenderer(lambda: FIRM, sender=SENDER, staff=STAFF)


@cache
def rsa_key() -> RSAPrivateKey:
    return generate_private_key(public_exponent=65_537, key_size=2_048)


def private_pem() -> str:
    return rsa_key().private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode()


def public_der() -> bytes:
    return rsa_key().public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


BOUNCE = """\
From: MAILER-DAEMON@mx.example
To: site@broker.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain; charset=us-ascii

This is the mail system. Your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example
Arrival-Date: Tue, 31 Mar 2026 12:00:01 +0000

Final-Recipient: rfc822; zebedee@forwarded.example
Original-Recipient: rfc822;zebedee@quill.example
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 5.1.1 No such user

--b
Content-Type: {original}

Message-ID: <{key}@broker.example>
From: Hearthgate Mortgages <site@broker.example>
To: zebedee@quill.example
Subject: We have your enquiry

--b--
"""

COMPLAINT = """\
From: fbl@mailbox.example
To: site@broker.example
Subject: complaint
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="b"

--b
Content-Type: text/plain

This is an email abuse report.

--b
Content-Type: message/feedback-report

Feedback-Type: {type}
User-Agent: Feedback/1.0
Version: 1
Original-Rcpt-To: zebedee@quill.example

--b
Content-Type: message/rfc822

Message-ID: <{key}@broker.example>
From: Hearthgate Mortgages <site@broker.example>
To: undisclosed
Subject: We have your enquiry

We have your enquiry.

--b--
"""


def bounce(
    *, action: str = "failed", status: str = "5.1.1", original: str = "message/rfc822", key: str = MAIL_KEY
) -> bytes:
    text = BOUNCE.format(action=action, status=status, original=original, key=key)
    return text.replace("\n", "\r\n").encode()


def complaint(kind: str = "abuse", *, key: str = MAIL_KEY) -> bytes:
    return COMPLAINT.format(type=kind, key=key).replace("\n", "\r\n").encode()
