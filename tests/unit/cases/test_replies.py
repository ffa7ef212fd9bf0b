from dataclasses import replace
from datetime import UTC, datetime

import pytest

from broker.cases.case import Refused, WaitingFor
from broker.cases.replies import (
    FIELD_IN_SUBJECT,
    FIELDS,
    MAX_NAME,
    MAX_REPLY,
    MAX_SUBJECT,
    MAX_TEMPLATES,
    NAME_TOO_LONG,
    NO_NAME,
    NO_TEMPLATE,
    NO_TEXT,
    SUBJECT_TOO_LONG,
    TOO_LONG,
    TOO_MANY_TEMPLATES,
    ReplyTemplate,
    TemplateConflict,
    filled,
    parse_reply,
    parse_template,
    unfilled,
)
from broker.cases.template_store import NAME_TAKEN, TemplateStore
from broker.staff.audit import Act
from tests.unit.cases.cases import case
from tests.unit.storage.stores import LATER, Stores

ALL = "".join(f"{{{field}}}|" for field in FIELDS)


def test_fields_are_filled_in_from_the_case() -> None:
    at = datetime(2026, 11, 26, 10, 40, tzinfo=UTC)
    found = case(appointment=at, waiting_for=WaitingFor.CLIENT, waiting_note="payslips")
    written = "Zoë|Ada|HG-7K3M-Q2XD|10:40am on Thursday 26 November 2026, UK time|payslips|"
    assert filled(ALL, found, adviser="Ada") == written


def test_field_that_the_case_has_nothing_for_stays_and_is_not_sent() -> None:
    found = case(waiting_for=WaitingFor.LENDER, waiting_note="an offer")
    text = filled("{name}, {papers}, {adviser}", found, adviser="")
    assert text == "Zoë, {papers}, {adviser}"
    assert unfilled(text) == "Write something instead of {papers}, {adviser}, of which the case says nothing"
    assert parse_reply(text) == Refused(words=unfilled(text))
    assert unfilled("Hello") == ""
    assert parse_reply(" As said.\r\n") == "As said."


REFUSED = {
    "no name": ("", "Hello", NO_NAME),
    "a long name": ("n" * (MAX_NAME + 1), "Hello", NAME_TOO_LONG),
    "no text": ("Papers", " ", NO_TEXT),
    "a long text": ("Papers", "x" * (MAX_REPLY + 1), TOO_LONG),
    "no text at all": ("Papers", None, NO_TEXT),
}


@pytest.mark.parametrize("name", REFUSED)
def test_template_needs_a_name_and_a_text(name: str) -> None:
    named, text, words = REFUSED[name]
    assert parse_template(named, text) == Refused(words=words)


@pytest.mark.parametrize("subject", ["Papers for {name}", "{reference}", "Papers }", "{"])
def test_subject_has_no_fields(subject: str) -> None:
    assert parse_template("Papers", "Hello", subject) == Refused(words=FIELD_IN_SUBJECT)


def test_subject_is_one_line_or_none() -> None:
    found = parse_template("Papers", "Hello", " Papers\nBcc: a@example.com ")
    assert found == ReplyTemplate(name="Papers", subject="Papers Bcc: a@example.com", text="Hello")
    assert parse_template("Papers", "Hello", "") == parse_template("Papers", "Hello", None)
    assert parse_template("Papers", "Hello", "s" * (MAX_SUBJECT + 1)) == Refused(words=SUBJECT_TOO_LONG)


def test_field_that_there_is_not_is_refused_by_its_name() -> None:
    found = parse_template("Papers", "Dear {title} {name}, {loan amount}")
    assert isinstance(found, Refused)
    assert found.words.startswith("There is no field {title}, {loan amount}. There are {name}, ")
    assert parse_template(" Papers ", ALL) == ReplyTemplate(name="Papers", text=ALL)


async def test_templates_are_kept_changed_and_deleted(stores: Stores) -> None:
    store = TemplateStore(stores.database)
    begun = await store.all()
    assert all(isinstance(parse_template(each.name, each.text, each.subject), ReplyTemplate) for each in begun)
    assert all(each.subject for each in begun)
    new = ReplyTemplate(name="A. First", subject="First", text="Hello")
    saved = await store.save(new, seen=None, who="ada", at=LATER)
    assert isinstance(saved, ReplyTemplate)
    assert saved == replace(new, id=saved.id, version=1, changed_by="ada", changed_at=LATER)
    assert (await store.all())[0] == saved
    assert await store.save(new, seen=None, who="bob", at=LATER) == Refused(words=NAME_TAKEN)
    renamed = await store.save(replace(new, name="A. Second"), seen=saved, who="bob", at=LATER)
    assert isinstance(renamed, ReplyTemplate)
    assert renamed == replace(saved, name="A. Second", version=2, changed_by="bob")
    assert [await store.delete(renamed, who="bob", at=LATER) for _ in range(2)] == [True, False]
    assert await store.save(new, seen=renamed, who="bob", at=LATER) == Refused(words=NO_TEMPLATE)
    assert await store.all() == begun
    acts = [(each.what, each.about) for each in await stores.audit.latest(3)]
    assert acts == [
        (Act.TEMPLATE_DELETED, "A. Second"),
        (Act.TEMPLATE_SAVED, "A. Second"),
        (Act.TEMPLATE_SAVED, "A. First"),
    ]


async def test_template_that_somebody_changed_since_stays_as_it_is(stores: Stores) -> None:
    store = TemplateStore(stores.database)
    seen = await store.save(ReplyTemplate(name="A. First", text="Hello"), seen=None, who="ada", at=LATER)
    assert isinstance(seen, ReplyTemplate)
    theirs = await store.save(replace(seen, name="A. Renamed", text="Theirs"), seen=seen, who="bob", at=LATER)
    assert isinstance(theirs, ReplyTemplate)
    conflict = TemplateConflict(template=theirs)
    assert await store.save(replace(seen, text="Mine"), seen=seen, who="ada", at=LATER) == conflict
    assert await store.delete(seen, who="ada", at=LATER) == conflict
    assert (await store.all())[0] == theirs
    mine = await store.save(replace(seen, text="Mine"), seen=theirs, who="ada", at=LATER)
    assert isinstance(mine, ReplyTemplate)
    assert (mine.text, mine.version) == ("Mine", 3)


async def test_there_is_a_limit_of_templates(stores: Stores) -> None:
    store = TemplateStore(stores.database)
    for number in range(len(await store.all()), MAX_TEMPLATES):
        await store.save(ReplyTemplate(name=f"T {number}", text="x"), seen=None, who="ada", at=LATER)
    full = await store.save(ReplyTemplate(name="One more", text="x"), seen=None, who="ada", at=LATER)
    assert full == Refused(words=TOO_MANY_TEMPLATES)
