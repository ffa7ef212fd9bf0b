from datetime import UTC, datetime

import pytest

from broker.cases.case import Refused, WaitingFor
from broker.cases.replies import (
    FIELDS,
    MAX_NAME,
    MAX_REPLY,
    MAX_TEMPLATES,
    NAME_TOO_LONG,
    NO_NAME,
    NO_TEMPLATE,
    NO_TEXT,
    TOO_LONG,
    TOO_MANY_TEMPLATES,
    ReplyTemplate,
    filled,
    parse_reply,
    parse_template,
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
    assert parse_reply(text) == Refused(words="Write something instead of {papers}, {adviser}")
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


def test_field_that_there_is_not_is_refused_by_its_name() -> None:
    found = parse_template("Papers", "Dear {title} {name}, {loan amount}")
    assert isinstance(found, Refused)
    assert found.words.startswith("There is no field {title}, {loan amount}. There are {name}, ")
    assert parse_template(" Papers ", ALL) == ReplyTemplate(name="Papers", text=ALL)


async def test_templates_are_kept_changed_and_deleted(stores: Stores) -> None:
    store = TemplateStore(stores.database)
    begun = await store.all()
    assert all(isinstance(parse_template(each.name, each.text), ReplyTemplate) for each in begun)
    new = ReplyTemplate(name="A. First", text="Hello")
    saved = await store.save(new, before="", who="ada", at=LATER)
    assert saved == ReplyTemplate(name="A. First", text="Hello", changed_by="ada", changed_at=LATER)
    assert (await store.all())[0] == saved
    assert await store.save(new, before="", who="bob", at=LATER) == Refused(words=NAME_TAKEN)
    renamed = ReplyTemplate(name="A. Second", text="Hello")
    assert isinstance(await store.save(renamed, before="A. First", who="bob", at=LATER), ReplyTemplate)
    assert await store.save(renamed, before="A. First", who="bob", at=LATER) == Refused(words=NO_TEMPLATE)
    assert [await store.delete("A. Second", who="bob", at=LATER) for _ in range(2)] == [True, False]
    assert await store.all() == begun
    acts = [(each.what, each.about) for each in await stores.audit.latest(3)]
    assert acts == [
        (Act.TEMPLATE_DELETED, "A. Second"),
        (Act.TEMPLATE_SAVED, "A. Second"),
        (Act.TEMPLATE_SAVED, "A. First"),
    ]


async def test_there_is_a_limit_of_templates(stores: Stores) -> None:
    store = TemplateStore(stores.database)
    for number in range(len(await store.all()), MAX_TEMPLATES):
        await store.save(ReplyTemplate(name=f"T {number}", text="x"), before="", who="ada", at=LATER)
    full = await store.save(ReplyTemplate(name="One more", text="x"), before="", who="ada", at=LATER)
    assert full == Refused(words=TOO_MANY_TEMPLATES)
