import re
from base64 import b64encode
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import dkim
import html5lib
import pytest
from icalendar import Calendar, Event

from broker.content.text.colour_contrast import contrast
from broker.mail.dkim_signature import dkim_signer
from broker.mail.mail import ClaimedMail, MailKind
from broker.settings import Settings, SettingsError
from tests.unit.mail.mails import (
    APPOINTMENT,
    APPOINTMENT_NOTE,
    CONFIRMATION,
    NOTE,
    SENDER,
    private_pem,
    public_der,
    renderer,
)

TO_VISITORS = (
    *(MailKind.APPOINTMENT_BOOKED, MailKind.APPOINTMENT_MOVED, MailKind.APPOINTMENT_CANCELLED),
    MailKind.APPOINTMENT_REMINDER,
)
REPLY = replace(
    CONFIRMATION,
    kind=MailKind.CASE_REPLY,
    context={
        "text": "Dear A. Example,\n\nPayslips & <accounts>:\nthree months",
        "link": "abc",
        "reference": "HG-7K3M-Q2XD",
    },
)
KINDS = {
    each.kind: each
    for each in (
        REPLY,
        *(CONFIRMATION, NOTE, replace(CONFIRMATION, kind=MailKind.TEST), APPOINTMENT_NOTE),
        *(replace(APPOINTMENT, kind=kind) for kind in TO_VISITORS),
    )
}


def read(mail: ClaimedMail) -> EmailMessage:
    message = message_from_bytes(renderer().content(mail), policy=default)
    assert isinstance(message, EmailMessage)
    return message


def part(mail: ClaimedMail, kind: str) -> str:
    body = read(mail).get_body((kind,))
    assert body
    return body.get_content().replace("\r\n", "\n")


def test_confirmation_has_the_headers_of_an_answer_and_nothing_personal_in_its_subject() -> None:
    headers = dict(read(CONFIRMATION).items())
    assert headers == {
        "Subject": "We have your enquiry HG-7K3M-Q2XD",
        "From": "Hearthgate Mortgages <site@broker.example>",
        "To": "zebedee@quill.example",
        "Date": "Tue, 31 Mar 2026 12:00:00 +0000",
        "Message-ID": "<0123456789abcdef0123456789abcdef@broker.example>",
        "Auto-Submitted": "auto-replied",
        "MIME-Version": "1.0",
        "Content-Type": 'multipart/alternative; boundary="=_0123456789abcdef0123456789abcdef"',
    }


def test_note_to_staff_names_the_enquiry_and_the_page_to_read_it_on() -> None:
    mail = read(NOTE)
    assert [mail[name] for name in ("Subject", "To", "Message-ID", "Auto-Submitted")] == [
        *("Callback request HG-7K3M-Q2XD", "staff@broker.example", "<HG-7K3M-Q2XD@broker.example>", "auto-generated")
    ]
    assert part(NOTE, "plain") == (
        "Callback request HG-7K3M-Q2XD\n\n"
        "Sent from /remortgaging/ at 13:00 on 31 March 2026.\n"
        "We promised a call before 11:00 on 1 April 2026, UK time.\n"
        "Read it at https://broker.example/staff/enquiry/?reference=HG-7K3M-Q2XD\n"
    )


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_both_parts_say_the_reference_the_time_and_the_link(kind: str) -> None:
    text = part(CONFIRMATION, kind)
    link = f"https://broker.example/your-enquiry/?link=gAAAAAB{'x' * 120}%3D%3D"
    for words in ("HG-7K3M-Q2XD", "11am on Wednesday 1 April 2026", "in the morning as you asked", link, "FRN 1"):
        assert words in text, words


@pytest.mark.parametrize("kind", KINDS)
def test_html_is_valid_has_inlined_styles_a_dark_scheme_and_no_pictures(kind: MailKind) -> None:
    html = part(KINDS[kind], "html")
    html5lib.HTMLParser(strict=True).parse(html)
    assert html.count("<table") == html.count('role="presentation"')
    assert ("<img" in html, "background-image" in html, "prefers-color-scheme: dark" in html) == (False, False, True)
    assert '<html lang="en-GB">' in html
    assert '<p style="' in html


def test_panel_is_dark_in_the_dark_scheme_and_its_words_and_links_are_readable() -> None:
    dark = part(CONFIRMATION, "html").partition("prefers-color-scheme: dark")[2]

    def rule(selector: str) -> dict[str, str]:
        found = re.search(rf"^ *{re.escape(selector)} {{(.*)}}", dark, re.MULTILINE)
        assert found, selector
        declared = [each.replace("!important", "").partition(":") for each in found[1].split(";") if each.strip()]
        return {name.strip(): value.strip() for name, _, value in declared}

    panel, sheet = rule(".fact"), rule(".sheet")
    assert contrast(panel["background-color"], sheet["background-color"]) < 2
    for words in (panel["color"], rule(".main a")["color"]):
        assert contrast(words, panel["background-color"]) >= 4.5


@pytest.mark.parametrize("kind", KINDS)
def test_lines_are_short_ascii_and_the_mail_is_the_same_at_each_attempt(kind: MailKind) -> None:
    mail = KINDS[kind]
    content = renderer().content(mail)
    assert content.isascii()
    assert max(map(len, content.partition(b"\r\n\r\n")[2].split(b"\r\n"))) <= 78
    assert content == renderer().content(replace(mail, attempts=9))


def test_context_is_text_in_html_and_makes_no_header() -> None:
    hostile = {**CONFIRMATION.context, "as_asked": "<script>alert(1)</script>"}
    assert "&lt;script&gt;" in part(replace(CONFIRMATION, context=hostile), "html")
    broken = {**NOTE.context, "reference": "HG\r\nBcc: all@evil.example"}
    with pytest.raises(ValueError, match="linefeed or carriage return"):
        renderer().content(replace(NOTE, context=broken))


@pytest.mark.parametrize("form", ["text", "one line", "file"])
def test_signature_is_valid_and_covers_the_headers_and_the_text(form: str, tmp_path: Path) -> None:
    key, file = private_pem(), tmp_path / "dkim.pem"
    if form == "file":
        file.write_text(key)
        key = str(file)
    elif form == "one line":
        key = key.strip().replace("\n", "\\n")
    signer = dkim_signer(Settings(mail_from=SENDER, dkim_key=key, dkim_selector="mail"))
    assert signer
    content = renderer().content(CONFIRMATION)
    signed = signer.sign(content) + content
    asked = []

    def record(name: bytes, **_: object) -> bytes:
        asked.append(name)
        return b"v=DKIM1; k=rsa; p=" + b64encode(public_der())

    assert dkim.verify(signed, dnsfunc=record)
    assert asked == [b"mail._domainkey.broker.example."]
    for old, new in ((b"Subject: We", b"Subject: You"), (b"HG-7K3M", b"HG-0000")):
        assert not dkim.verify(signed.replace(old, new), dnsfunc=record)


@pytest.mark.parametrize(
    ("key", "selector", "sentence"),
    [
        ("/nowhere/dkim.pem", "mail", "BROKER_DKIM_KEY takes"),
        ("-----BEGIN RSA PRIVATE KEY-----\\nno key\\n", "mail", "BROKER_DKIM_KEY takes"),
        ("/nowhere/dkim.pem", "", "BROKER_DKIM_KEY needs BROKER_DKIM_SELECTOR"),
    ],
)
def test_key_that_signs_nothing_is_refused_and_not_repeated(key: str, selector: str, sentence: str) -> None:
    with pytest.raises(SettingsError, match=f"^{sentence}") as refused:
        dkim_signer(Settings(mail_from=SENDER, dkim_key=key, dkim_selector=selector))
    assert "no key" not in str(refused.value)


def calendar_of(mail: ClaimedMail) -> tuple[EmailMessage, Event]:
    """Return the calendar file of a mail, and its one event."""
    (attached,) = read(mail).iter_attachments()
    assert isinstance(attached, EmailMessage)
    calendar = Calendar.from_ical(attached.get_content())
    (event,) = calendar.walk("VEVENT")
    assert isinstance(event, Event)
    assert calendar["METHOD"] == attached["Content-Type"].params["method"]
    return attached, event


@pytest.mark.parametrize(
    ("kind", "subject", "method"),
    [
        (MailKind.APPOINTMENT_BOOKED, "Your appointment, and your enquiry HG-7K3M-Q2XD", "REQUEST"),
        (MailKind.APPOINTMENT_MOVED, "Your appointment has moved", "REQUEST"),
        (MailKind.APPOINTMENT_CANCELLED, "Your appointment is cancelled", "CANCEL"),
    ],
)
def test_appointment_mails_bring_a_calendar_file_of_the_same_method(kind: MailKind, subject: str, method: str) -> None:
    mail = replace(APPOINTMENT, kind=kind, context={**APPOINTMENT.context, "sequence": "2"})
    assert read(mail)["Subject"] == subject
    attached, event = calendar_of(mail)
    assert (attached.get_content_type(), attached.get_filename()) == ("text/calendar", "appointment.ics")
    assert attached["Content-Type"].params["method"] == method
    assert (event["UID"], event["SEQUENCE"]) == ("fedcba9876543210fedcba9876543210@broker.example", 2)
    assert (event["STATUS"] == "CANCELLED") == (method == "CANCEL")
    assert event["DTSTART"].to_ical() == b"20260402T094000Z"
    assert event["DTEND"].to_ical() == b"20260402T100000Z"
    assert event["ORGANIZER"] == f"mailto:{SENDER}"
    assert event["ATTENDEE"] == "mailto:zebedee@quill.example"


def test_reminder_brings_no_file_and_its_subject_says_no_time() -> None:
    mail = read(KINDS[MailKind.APPOINTMENT_REMINDER])
    assert (mail["Subject"], list(mail.iter_attachments())) == ("A reminder of your appointment", [])


@pytest.mark.parametrize("kind", TO_VISITORS)
@pytest.mark.parametrize("form", ["plain", "html"])
def test_appointment_mails_say_the_uk_time_and_the_reference(kind: MailKind, form: str) -> None:
    text = part(KINDS[kind], form)
    assert "10:40am on Thursday 2 April 2026" in text
    assert "UK time" in text
    assert "HG-7K3M-Q2XD" in text
    assert ("/your-appointment/?link=gAAAAAC" in text) == (kind is not MailKind.APPOINTMENT_CANCELLED)


def test_sentence_of_staff_is_shown_and_escaped() -> None:
    mail = replace(KINDS[MailKind.APPOINTMENT_CANCELLED], context={**APPOINTMENT.context, "sentence": "Ada is <ill>."})
    assert ("<p>Ada is &lt;ill&gt;.</p>" in part(mail, "html").replace(' style="margin: 0 0 16px;"', "")) is True
    assert "Ada is <ill>." in part(mail, "plain")


def test_note_of_a_booking_says_the_appointment_in_place_of_the_promise() -> None:
    booked = {"appointment": "10:40 on 2 April 2026", "minutes": "20", "medium": "video", "adviser": "ada"}
    text = part(replace(NOTE, context={**NOTE.context, **booked}), "plain")
    assert "Appointment at 10:40 on 2 April 2026, UK time: video, 20 minutes, with ada." in text
    assert "promised" not in text


def test_reply_of_an_adviser_says_what_they_wrote_in_the_look_of_all_mail() -> None:
    headers = read(REPLY)
    assert (headers["Subject"], headers["Auto-Submitted"]) == ("About your enquiry HG-7K3M-Q2XD", "no")
    named = read(replace(REPLY, context={**REPLY.context, "about": "Papers we need"}))
    assert named["Subject"] == "Papers we need HG-7K3M-Q2XD"
    assert part(REPLY, "plain").startswith(f"{REPLY.context['text']}\n")
    html = part(REPLY, "html")
    assert "Payslips &amp; &lt;accounts&gt;:<br>three months</p>" in html
    assert "overflow-wrap: anywhere" in html, "a long address fits into 320 px"
    assert all("/your-enquiry/?link=abc" in part(REPLY, kind) for kind in ("plain", "html"))
