"""Marked values, submitted and then looked for everywhere: they are in the enquiry, and nowhere else."""

import asyncio
import base64
import logging
from collections.abc import Iterator
from dataclasses import replace
from email.message import Message
from pathlib import Path

import pytest

from broker.clock import utc_now
from broker.enquiries import store
from broker.enquiries.enquiry import HIDDEN, Enquiry, EnquiryKind, StoredEnquiry
from broker.enquiries.service import EnquiryCredentials
from broker.questionnaire.journeys import VisitorJourney
from broker.settings import Settings
from broker.storage.errors import StorageError
from tests.integration.mail_server import MailServer, Mood
from tests.unit.enquiries.enquiring import running, sent, thanked

NAME, NUMBER, EMAIL = "Xylophia Zwickensteen", "07700 900987", "xylophia.z@marked.example"
MESSAGE = "Flügelhorn marmalade under the viaduct"
YEAR = 1987
ADDRESS = "203.0.113.199"
MARKS = {
    "name": ("Xylophia", "Zwickensteen"),
    "telephone": ("07700900987", "7700 900987", "7700900987", "900987"),
    "email": ("xylophia", "marked.example"),
    "message": ("marmalade", "viaduct", "Flügelhorn"),
    "address": (ADDRESS,),
    "answers": ('"01":1987', '"q1":"stay"', "'01': 1987"),
}
FORM = {"name": NAME, "telephone": NUMBER, "email": EMAIL, "message": MESSAGE}


class Overheard(logging.Handler):
    """Keeps every line of every log as it would be written, errors with their causes included."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line; what the mail server of the tests says to itself is the mail, looked at by itself."""
        if record.name != "mail.log":
            self.lines.append(self.format(record))


@pytest.fixture
def overheard() -> Iterator[Overheard]:
    handler, root = Overheard(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield handler
    root.setLevel(level)
    root.removeHandler(handler)


async def visit(settings: Settings, server: MailServer) -> tuple[list[Enquiry], list[Message], list[str]]:
    """Answer, enquire in every way, be refused, look; return what was found, the mails, and what a browser holds."""
    async with running(settings, utc_now) as services:
        admin, journeys = services.enquiries, services.journeys
        left, held = await journeys.begin(), await journeys.begin()
        for token in (left.token, held.token):
            await journeys.answer(token, "q1", answer="stay")
            assert isinstance(await journeys.answer(token, "q4", answer={"01": YEAR}), VisitorJourney)
        link = str(await journeys.link(left.token))
        forms = [
            replace(sent(kind, **FORM), address=ADDRESS, token=held.token)
            for kind in EnquiryKind
            if kind is not EnquiryKind.CALL
        ]
        done = [thanked(await admin.submit(form)) for form in forms]
        for spoilt in ({"name": ""}, {HIDDEN: NAME}, {"telephone": f"{NUMBER}9"}):
            await admin.submit(replace(forms[0], given={**forms[0].given, **spoilt}))
        await journeys.resume(f"{link}{NAME}")
        proofs = [EnquiryCredentials(address=ADDRESS, reference=each.reference, digits=NUMBER) for each in done]
        found = [await admin.find(proof) for proof in proofs]
        mails = [await asyncio.to_thread(server.next) for _ in range(2 * len(done))]
    kept = [each.enquiry for each in found if isinstance(each, StoredEnquiry)]
    return kept, mails, [link, *(text for each in done for text in (each.reference, each.link))]


async def fail(settings: Settings) -> None:
    async with running(settings, utc_now) as services:
        for kind in (EnquiryKind.CONTACT, EnquiryKind.CALLBACK):
            form = replace(sent(kind, **{**FORM, "message": f"{MESSAGE} again"}), address=ADDRESS)
            await services.enquiries.submit(form)


def marks_in(text: bytes) -> list[str]:
    """Return the marks that a text holds, as they are or in a common code."""
    low = text.lower()
    found = []
    for mark in (each for group in MARKS.values() for each in group):
        plain = mark.encode()
        codes = [plain.lower(), plain.hex().encode(), mark.encode("utf-16-le").lower()]
        if any(code in low for code in codes) or (len(plain) > 8 and base64.b64encode(plain)[:-4] in text):
            found.append(mark)
    return found


def test_marked_values_are_in_the_enquiry_and_nowhere_else(
    db_settings: Settings, overheard: Overheard, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    capfd: pytest.CaptureFixture[str] = request.getfixturevalue("capfd")
    server = MailServer()
    settings = db_settings.changed(smtp_url=server.url, mail_to="a@b.example", mail_from="c@d.example")
    with server.up():
        kept, mails, texts = asyncio.run(visit(settings, server))
        server.mood = Mood.REFUSES
        same = {**(store.EnquiryStore.__init__.__kwdefaults__ or {}), "reference": lambda: texts[1]}
        monkeypatch.setattr(store.EnquiryStore.__init__, "__kwdefaults__", same)
        asyncio.run(fail(settings))
    assert [(each.contact.name, each.contact.email, each.message) for each in kept] == [(NAME, EMAIL, MESSAGE)] * 3
    folder: Path = request.getfixturevalue("tmp_path")
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    out, err = capfd.readouterr()
    assert {str(path): marks for path, content in files.items() if (marks := marks_in(content))} == {}
    assert any(texts[1].encode() in content for content in files.values())
    assert [line for line in overheard.lines if line.startswith("broker.enquiries")]
    assert [line for line in overheard.lines if marks_in(line.encode())] == []
    assert marks_in("\n".join([out, err, *texts]).encode()) == []
    # a confirmation names its recipient in the header that delivers it, and nowhere else
    addressed = [mail["To"] for mail in mails]
    for mail in mails:
        del mail["To"]
    assert (addressed.count(EMAIL), [marks_in(mail.as_bytes()) for mail in mails]) == (3, [[]] * 6)


def test_marks_are_found_where_they_are() -> None:
    for code in (MESSAGE.encode(), MESSAGE.upper().encode(), NAME.encode().hex().encode(), NAME.encode("utf-16-le")):
        assert marks_in(b"before" + code + b"after")


def test_error_of_the_database_holds_no_values() -> None:
    assert marks_in(repr(StorageError("the database cannot be used: DataError")).encode()) == []
