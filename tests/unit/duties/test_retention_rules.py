from pathlib import Path

from sqlmodel import SQLModel

from broker.duties.retention_rules import retention_rules
from broker.settings import Settings
from tools.project import Project

WITHOUT_A_TIME = {"retention", "watch_checks", "reply_templates", "saved_filters", "logo_pictures", "logo_versions"}
WITHOUT_A_TIME |= {"lender_windows", "content_changes"}
ACCOUNTS = ("staff", "adviser_", "calendar_feeds")
"""Tables of accounts and of the site itself, whose times data-protection.md gives."""


def test_every_table_of_visitors_has_a_rule() -> None:
    ruled = {table for rule in retention_rules(12) for table in rule.tables}
    others = {name for name in SQLModel.metadata.tables if name in WITHOUT_A_TIME or name.startswith(ACCOUNTS)}
    assert ruled | others == set(SQLModel.metadata.tables)
    assert not ruled & others


def test_rules_are_on_the_page_of_data_protection() -> None:
    page = (Path(Project().root) / "docs" / "data-protection.md").read_text(encoding="utf-8")
    wanted = [
        f"| {rule.what} | {rule.kept} | {rule.since} | {rule.why} |"
        for rule in retention_rules(Settings().enquiry_months)
    ]
    assert [line for line in wanted if line not in page] == []


def test_setting_of_a_rule_is_one_of_the_settings() -> None:
    names = {str(field.validation_alias) for field in Settings.model_fields.values()}
    assert {rule.setting for rule in retention_rules(12)} - {""} <= names
