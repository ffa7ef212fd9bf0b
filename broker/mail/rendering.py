"""Writes mail as HTML and text from the templates of this package.

Retention does not reach mailboxes, so a mail holds as little as it can, and its subject nothing personal.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path

from css_inline import CSSInliner
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from broker import routes
from broker.appointments.appointment import parse_slot
from broker.appointments.calendar_file import CalendarEvent, Host, Method, appointment_file
from broker.content.models.site import Site
from broker.mail.mail import ClaimedMail, MailKind

_LONG_HEADERS = SMTP.clone(max_line_length=998)
"""Headers stay whole: a long one would be folded into a form that mail programs do not read (cpython #85725)."""

CALENDAR_FILE = "appointment.ics"

_ABOUT = "About your enquiry"
"""Subject of a reply whose template has none."""

_GENERATED, _REPLIED, _BY_HAND = "auto-generated", "auto-replied", "no"
"""Values of Auto-Submitted (RFC 3834): mail of a program, its answer to what somebody sent, and what a person wrote."""

_ENQUIRIES = {
    "callback": "Callback request",
    "contact": "Contact form",
    "questionnaire": "Questionnaire",
    "call": "Telephone call",
}
"""Titles of notes, by the kind of enquiry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm:
    """The sender as mails name it; `site_url` is the start of their links.

    `risk_warning` and `buy_to_let` are the sentences beside rates, the second for those of let property.
    """

    name: str
    telephone: str
    tel: str
    address: str
    regulation: str
    site_url: str
    risk_warning: str
    buy_to_let: str


def firm_of(site: Site, *, site_url: str) -> Firm:
    return Firm(
        name=site.name,
        telephone=site.phone,
        tel=site.tel,
        address=", ".join(site.address),
        regulation=site.regulation,
        site_url=site_url,
        risk_warning=site.risk_warning,
        buy_to_let=site.buy_to_let_sentence,
    )


def host_of(firm: Firm, *, email: str) -> Host:
    """Return the firm as calendars name it."""
    return Host(name=firm.name, email=email, telephone=firm.telephone, site_url=firm.site_url)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """The headers of a kind of mail; `{}` in the subject is filled in from its context.

    `method` is that of the calendar file of its appointment, where it has one.
    One that `has_stop` ends by one click (RFC 8058), with the token `stop` of its context.
    """

    subject: str
    auto_submitted: str = _GENERATED
    method: Method | None = None
    has_stop: bool = False


_FORMS: Mapping[MailKind, _Form] = {
    MailKind.NOTE: _Form(subject="{title} {reference}"),
    MailKind.CONFIRMATION: _Form(subject="We have your enquiry {reference}", auto_submitted=_REPLIED),
    MailKind.APPOINTMENT_BOOKED: _Form(
        subject="Your appointment, and your enquiry {reference}", auto_submitted=_REPLIED, method=Method.REQUEST
    ),
    MailKind.APPOINTMENT_MOVED: _Form(subject="Your appointment has moved", method=Method.REQUEST),
    MailKind.APPOINTMENT_CANCELLED: _Form(subject="Your appointment is cancelled", method=Method.CANCEL),
    MailKind.APPOINTMENT_REMINDER: _Form(subject="A reminder of your appointment"),
    MailKind.APPOINTMENT_NOTE: _Form(subject="Appointment {change}, {reference}"),
    MailKind.WATCH_CONFIRM: _Form(subject="Confirm your watch", auto_submitted=_REPLIED),
    MailKind.WATCH_REMINDER: _Form(subject="Your watch has not begun", has_stop=True),
    MailKind.WATCH_NEWS: _Form(subject="News of your mortgage", has_stop=True),
    MailKind.STAFF_LINK: _Form(subject="Set up signing in to the staff area"),
    MailKind.CASE_REPLY: _Form(subject="{about} {reference}", auto_submitted=_BY_HAND),
    MailKind.TEST: _Form(subject="A test of our mail"),
}


_WHOLE = re.compile(r"([0-9]+-year|[0-9]{1,2} [A-Z][a-z]+ [0-9]{4})")
"""What stays on one line: the length of a deal, and a date."""


class MailRenderer:
    """Writes mails from `sender`; those without a recipient are to `staff`."""

    def __init__(self, firm: Callable[[], Firm], *, sender: str, staff: str) -> None:
        self._firm, self._sender, self._staff = firm, sender, staff
        self._environment = Environment(
            loader=FileSystemLoader(Path(__file__).with_name("templates")),
            autoescape=select_autoescape(("html",)),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals["routes"] = routes
        self._environment.filters["unbroken"] = _unbroken
        self._inliner = CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)

    def content(self, mail: ClaimedMail) -> bytes:
        """Return a mail as it is sent."""
        return self.message(mail).as_bytes(policy=_LONG_HEADERS)

    def message(self, mail: ClaimedMail) -> EmailMessage:
        """Return a mail: the same at each attempt, its Message-ID included. Raises ValueError for a broken header."""
        firm, form = self._firm(), _FORMS[mail.kind]
        context = {"title": _ENQUIRIES.get(mail.context.get("kind", ""), ""), "about": _ABOUT, **mail.context}
        subject = form.subject.format_map(context)
        values = {**context, "firm": firm, "subject": subject}
        message = EmailMessage(policy=SMTP)
        message["Subject"] = subject
        message["From"] = Address(display_name=firm.name, addr_spec=self._sender)
        message["To"] = mail.recipient or self._staff
        message["Date"] = format_datetime(mail.created)
        message["Message-ID"] = f"<{mail.key}@{self._sender.rpartition('@')[2]}>"
        message["Auto-Submitted"] = form.auto_submitted
        if form.has_stop:
            message["List-Unsubscribe"] = f"<{firm.site_url}{routes.watch_stop(context['stop'])}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        # quoted-printable has short lines of ASCII, which no server rewrites: that would break the signature
        message.set_content(self._render(f"{mail.kind}.txt", values), cte="quoted-printable")
        html = self._inliner.inline(self._render(f"{mail.kind}.html", values))
        message.add_alternative(html, subtype="html", cte="quoted-printable")
        if form.method:
            message.set_boundary(f"=_{mail.key[:16]}_text")  # short, for a line of its own that no server folds
            self._attach_calendar(message, mail, form.method, firm=firm)
        message.set_boundary(f"=_{mail.key}")
        return message

    def _attach_calendar(self, message: EmailMessage, mail: ClaimedMail, method: Method, *, firm: Firm) -> None:
        """Attach the appointment of a mail as a calendar file, of the same method as its type says (RFC 6047)."""
        slot = parse_slot(mail.context["slot"])
        if slot is None:
            raise ValueError("a mail of an appointment without its slot")
        event = CalendarEvent(
            uid=mail.context["uid"],
            sequence=int(mail.context["sequence"]),
            slot=slot,
            is_cancelled=method is Method.CANCEL,
        )
        host = host_of(firm, email=self._sender)
        content = appointment_file(event, host, method, at=mail.created, attendee=mail.recipient)
        message.add_attachment(
            content.decode(),
            subtype="calendar",
            cte="quoted-printable",
            filename=CALENDAR_FILE,
            params={"method": method.value},
        )

    def _render(self, name: str, values: Mapping[str, object]) -> str:
        return self._environment.get_template(name).render(values)


def _unbroken(text: str) -> Markup:
    """Return a text as HTML in which dates and lengths of deals do not break."""
    whole = Markup('<span class="whole">{}</span>')
    # the parts at odd places are those that the pattern found
    parts = (whole.format(part) if place % 2 else escape(part) for place, part in enumerate(_WHOLE.split(text)))
    return Markup("").join(parts)
