"""How long the export of a person takes at a served site with 100,000 enquiries: as JSON, and as a PDF."""

import json
import secrets
import sys
import time
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from broker import routes
from broker.cases.case import StaffNote
from broker.duties.complaint import Complainant
from broker.duties.complaint_store import ComplaintCipher
from broker.enquiries.contact_details import ContactDetails
from broker.enquiries.enquiry import Attachment
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.mail.outbox_store import MailCipher
from broker.storage.encryption import SecretKeys
from broker.storage.tables import AuditRow, ComplaintRow, EnquiryRow, MailRow, NoteRow, WatchRow
from broker.watches.store import NewWatch, WatchCipher
from broker.watches.watch import WatchContact
from tests.databases.cluster import Cluster
from tests.databases.fixtures import KEY, TEMPLATE
from tests.pdf_text import read_pdf
from tests.soak.desk_site import Rows, desk_site, signed_in, store
from tests.soak.test_figures import enquiry, entry, note
from tests.unit.cases.test_export import DOCUMENT
from tests.unit.storage.stores import new
from tests.unit.watches.watching import WATCH
from tools.project import Project

ENQUIRIES, WATCHES, COMPLAINTS = 100_000, 10_000, 1_000
OWN, OWN_EACH = 20, 10
"""Enquiries of the person, and the notes, mails and audit entries of each."""

GOAL = 10
"""Seconds for a file."""

KEPT = datetime(2100, 1, 1, tzinfo=UTC)
"""No row is due for deletion before."""

PERSON = ContactDetails(name="A. Example", telephone="+447700900123", email="a@example.com")
KEYS = SecretKeys((KEY,))
ADA = "ada"


def rows() -> Rows:
    """Return the rows of a large firm: the first enquiries are the person's, and only theirs are encrypted."""
    random = Random(35)
    own = [number for number in range(1, OWN + 1) for _ in range(OWN_EACH)]
    text = EnquiryCipher(KEYS).note_values(StaffNote(at=KEPT, who=ADA, text="Rang; they look for a house. " * 20))
    notes = [note(random, number, ENQUIRIES) | {"text": text["text"]} for number in range(1, 2 * ENQUIRIES + 1)]
    entries = [entry(random, number, ENQUIRIES) for number in range(1, 3 * ENQUIRIES + 1)]
    for number, of in enumerate(own):
        notes[number] |= {"enquiry_id": of}
        entries[number] |= {"about": f"HG-{of:08}"}
    return {
        EnquiryRow: [an_enquiry(random, number) for number in range(1, ENQUIRIES + 1)],
        NoteRow: notes,
        MailRow: [a_mail(number, own) for number in range(ENQUIRIES)],
        AuditRow: entries,
        WatchRow: watches(),
        ComplaintRow: complaints(),
    }


def an_enquiry(random: Random, number: int) -> dict[str, Any]:
    held = enquiry(random, number) | {"delete_after": KEPT}
    if number > OWN:
        return held | {"phone_digest": f"{number:064x}", "email_digest": f"{number:064x}", "needs": None}
    sent = replace(new(number).enquiry, contact=PERSON, message="x" * 500, attachment=Attachment(document=DOCUMENT))
    return held | EnquiryCipher(KEYS).values(sent)


def a_mail(number: int, own: list[int]) -> dict[str, Any]:
    is_own = number < len(own)
    email = PERSON.email if is_own else f"another{number % 100}@example.com"
    return {
        "kind": "reply",
        "recipient": None,
        "context": None,
        "digest": MailCipher(KEYS).digests(email)[0] if is_own else f"{number:064x}",
        "key": secrets.token_hex(16),
        "enquiry_id": own[number] if is_own else number,
        "created": KEPT,
        "due": KEPT,
        "attempts": 1,
        "sent_at": KEPT,
        "problem": "",
    }


def watches() -> list[dict[str, Any]]:
    """Return watches, the first of them the person's; the others are of one address."""
    cipher = WatchCipher(KEYS)

    def row(email: str) -> dict[str, Any]:
        watch = NewWatch(
            contact=WatchContact(watch=WATCH, email=email),
            submissions=("form",),
            created=KEPT - timedelta(days=1),
            delete_after=KEPT,
            consent_text="1",
            consent_words="Tell me.",
            consent_page="/",
        )
        return cipher.row(watch, "address")

    one, other = row(PERSON.email), row("another@example.com")
    return [
        {**(other if number else one), **{name: f"{name} {number}" for name in ("link", "stop", "submission")}}
        for number in range(WATCHES)
    ]


def complaints() -> list[dict[str, Any]]:
    """Return complaints, the first of them the person's; the others are of somebody else."""
    cipher = ComplaintCipher(KEYS)
    whose = {True: Complainant(name=PERSON.name, email=PERSON.email), False: Complainant(name="B. Example")}
    values = {is_own: cipher.person_values(person) for is_own, person in whose.items()}
    words = cipher._encrypt({"about": "a call", "matter": "late", "remedy": ""})
    held = {
        "version": 1,
        "subject": "service",
        "cause": "advice",
        "received": date(2026, 3, 31),
        "redress": 0,
        "outcome": "",
        "assigned": ADA,
        "reference": "",
        "words": words,
        "delete_after": KEPT.date(),
        "created": KEPT,
        "changed_by": ADA,
        "changed_at": KEPT,
    }
    return [{**held, **values[number == 0]} for number in range(COMPLAINTS)]


def check(project: Project, folder: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Time the first two files of each kind as a browser gets them, and check the goal and what is in them."""
    store(url, rows(), (ADA,))
    lines, taken = list[str](), list[float]()
    with desk_site(project, folder, url) as server, signed_in(server, ADA) as client:
        for form in ("json", "pdf"):
            for which in ("first", "second"):
                start = time.perf_counter()
                asked = {"person": f"{PERSON.telephone}, {PERSON.email}", "form": form}
                answer = client.post(routes.STAFF_FORMS["person-file"], data=asked)
                taken.append(time.perf_counter() - start)
                assert (answer.status_code, form in answer.headers["content-disposition"]) == (200, True), answer.text
                size = len(answer.content) / 1_000
                lines.append(f"{form.upper()}, {which}: {taken[-1]:.2f} s, {size:,.0f} kB (goal {GOAL} s)")
            check_file(form, answer.content)
    words = f"{ENQUIRIES:,} enquiries, {3 * ENQUIRIES:,} audit rows, {WATCHES:,} watches, {COMPLAINTS:,} complaints"
    with capsys.disabled():
        sys.stdout.write(f"\nexport of a person on {url.partition(':')[0]}: {words}\n  " + "\n  ".join(lines) + "\n")
    assert max(taken) < GOAL


def check_file(form: str, content: bytes) -> None:
    """Check that a file has all of the person's, and nothing of others."""
    if form == "pdf":
        assert PERSON.name in read_pdf(content).words
        return
    records = json.loads(content)["records"]
    found = {name: len(held) for name, held in records.items()}
    each = OWN * OWN_EACH
    assert {name: found[name] for name in ("enquiries", "watches", "complaints")} == {
        "enquiries": OWN,
        "watches": 1,
        "complaints": 1,
    }
    assert min(found[name] for name in ("enquiry_notes", "mail", "audit")) >= each


@pytest.mark.soak
def test_person_is_exported_in_seconds_on_sqlite(
    site: Path, project: Project, tmp_path: Path, sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    del site
    check(project, tmp_path, sqlite_url, capsys)


@pytest.mark.soak
def test_person_is_exported_in_seconds_on_postgresql(
    site: Path, project: Project, tmp_path: Path, cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    del site
    check(project, tmp_path, cluster.create("many_people", template=TEMPLATE), capsys)
