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


NOTICE = {
    "Enquiry and its case, no advice given": ("Enquiries on which we gave no advice", "12 months"),
    "Case with advice: needs and reasons": ("Our advice", "three years"),
    "Questionnaire that was not sent": ("Answers to our questions that you did not send", "30 days"),
    "Complaint and its letters": ("Complaints", "three years"),
    "Request about data": ("Your requests about your information", "Three years"),
    "Watch": ("A watch on your mortgage", "12 months"),
    "Watch that was not confirmed": ("A watch on your mortgage that you did not confirm", "Seven days"),
    "Mail: when it was sent, and to which hash": ("The record that an email was sent", "60 days"),
    "“Do not write” mark, a hash": ("The code of an address that emails came back from", "A year"),
    "Record of what staff did; counts by day": ("Our record of who saw or changed what", "Without end"),
}
"""The line of the privacy notice for each rule about visitors, and its time; other rules are about the firm's own."""


def test_privacy_notice_says_how_long_each_is_kept() -> None:
    file = Path(Project().root) / "data" / "content" / "pages" / "privacy-notice.md"
    lines = [line.strip("| ").split(" | ") for line in file.read_text(encoding="utf-8").splitlines() if "|" in line]
    kept = {cells[0]: cells[-1] for cells in lines}
    told = {rule.what: rule.kept for rule in retention_rules(Settings().enquiry_months)}
    assert set(told) - set(NOTICE) == {"Draft of a note", "Promotion as shown"}
    for what, (line, time) in NOTICE.items():
        assert time in kept.get(line, ""), what
        written = {"A year": "1 year", "three years": "3 years", "Three years": "3 years", "Seven days": "7 days"}
        assert written.get(time, time).casefold() == told[what], what


def test_rules_of_visitors_are_told_to_the_person() -> None:
    """Nobody's data are in a promotion, nor a name in what a questionnaire holds before it is sent."""
    rules = retention_rules(12, advice_years=6, complaint_years=7)
    assert {rule.what for rule in rules if not rule.told[0]} == {
        "Questionnaire that was not sent",
        "Promotion as shown",
    }
    assert [rule.told[1][:7] for rule in rules if rule.setting] == ["12 mont", "6 years", "7 years"]


def test_setting_of_a_rule_is_one_of_the_settings() -> None:
    names = {str(field.validation_alias) for field in Settings.model_fields.values()}
    assert {rule.setting for rule in retention_rules(12)} - {""} <= names
