"""Columns are as long as the texts that features store in them."""

from typing import Any

from broker.analytics.counted import Counted
from broker.documents.document import MAX_NAME
from broker.staff.accounts import MAX_NAME_LENGTH
from broker.staff.audit import MAX_ACTOR_LENGTH, MAX_DETAIL_LENGTH, MAX_SUBJECT_LENGTH
from broker.storage.tables import AuditRow, DailyCountRow, EnquiryRow, LogoVersionRow, NoteRow, StaffRow


def length(table: Any, name: str) -> int:
    return table.__table__.columns[name].type.length


def test_columns_hold_the_longest_names_and_audit_entries() -> None:
    assert [length(AuditRow, name) for name in ("who", "about", "detail")] == [
        MAX_ACTOR_LENGTH,
        MAX_SUBJECT_LENGTH,
        MAX_DETAIL_LENGTH,
    ]
    actors = ((NoteRow, "who"), (EnquiryRow, "assigned"), (EnquiryRow, "changed_by"), (LogoVersionRow, "who"))
    assert {length(table, name) for table, name in actors} == {MAX_ACTOR_LENGTH}
    assert length(StaffRow, "name") == MAX_NAME_LENGTH
    assert length(LogoVersionRow, "file_name") == MAX_NAME


def test_column_holds_the_longest_name_of_a_count() -> None:
    assert max(map(len, Counted)) <= length(DailyCountRow, "kind")
