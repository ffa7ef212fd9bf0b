"""How long each kind of data is kept, from when and why: one table, by which retention deletes (decision 59)."""

from dataclasses import dataclass
from datetime import timedelta

from broker.lending.money import counted

COMPLAINT_YEARS, ADVICE_YEARS, REQUEST_YEARS = 3, 3, 3
"""Of complaints and advice the least that the rules ask; a setting may say more."""

WATCH_MONTHS = 12
PROMOTION_DAYS = 365
MAIL_DAYS, SUPPRESSED_DAYS = 60, 365
JOURNEY_TIME, DRAFT_TIME, UNCONFIRMED_TIME = timedelta(days=30), timedelta(days=30), timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionRule:
    """A rule in words; `setting` changes it, empty for none; `tables` are those whose rows it deletes."""

    what: str
    kept: str
    since: str
    why: str
    tables: tuple[str, ...]
    setting: str = ""
    told: tuple[str, str] = ("", "")
    """What it is and how long it is kept in words for the person, as in the privacy notice; empty for nobody's data."""


def retention_rules(
    enquiry_months: int, *, advice_years: int = ADVICE_YEARS, complaint_years: int = COMPLAINT_YEARS
) -> tuple[RetentionRule, ...]:
    """Return all rules, with the times that settings say."""
    return (
        RetentionRule(
            what="Enquiry and its case, no advice given",
            kept=counted(enquiry_months, "month"),
            since="receipt",
            why="no law asks for it; as the privacy notice says",
            tables=("enquiries", "enquiry_notes", "appointments", "appointment_cells", "open_cases", "desk_undo"),
            setting="BROKER_ENQUIRY_MONTHS",
            told=(
                "Enquiries on which we gave no advice, with notes and appointments",
                f"{counted(enquiry_months, 'month')} from when we received them",
            ),
        ),
        RetentionRule(
            what="Case with advice: needs and reasons",
            kept=counted(advice_years, "year"),
            since="the last advice, application, offer or completion",
            why="MCOB 4.7A.25R, which asks for 3",
            tables=("enquiries", "enquiry_notes"),
            setting="BROKER_ADVICE_YEARS",
            told=(
                "Our advice, with who you are and what you sent us",
                f"{counted(advice_years, 'year')} from the last advice, application, offer or completion",
            ),
        ),
        RetentionRule(
            what="Draft of a note",
            kept=_days(DRAFT_TIME),
            since="the last word, unless the note is kept before",
            why="it is only for whoever writes it",
            tables=("note_drafts",),
            told=("What an adviser is writing and has not kept", f"{_days(DRAFT_TIME)} from the last word"),
        ),
        RetentionRule(
            what="Questionnaire that was not sent",
            kept=_days(JOURNEY_TIME),
            since="the last answer",
            why="so that its visitor can go on",
            tables=("journeys",),
        ),
        RetentionRule(
            what="Complaint and its letters",
            kept=counted(complaint_years, "year"),
            since="receipt, and until it is closed",
            why="DISP 1.9, which asks for 3",
            tables=("complaints", "complaint_letters"),
            setting="BROKER_COMPLAINT_YEARS",
            told=(
                "Complaints and letters about them",
                f"{counted(complaint_years, 'year')} from when we received them, and until they are closed",
            ),
        ),
        RetentionRule(
            what="Request about data",
            kept=counted(REQUEST_YEARS, "year"),
            since="the answer",
            why="proof that it was answered; without the person once deleted",
            tables=("data_requests",),
            told=(
                "Your requests about your information",
                f"{counted(REQUEST_YEARS, 'year')} from our answer, without your number and address",
            ),
        ),
        RetentionRule(
            what="Promotion as shown",
            kept=counted(PROMOTION_DAYS // 365, "year"),
            since="its last use",
            why="MCOB 3A.9",
            tables=("promotions",),
        ),
        RetentionRule(
            what="Watch",
            kept=counted(WATCH_MONTHS, "month"),
            since="the deal’s end; stopped ones go at once",
            why="consent, for what it says",
            tables=("watches",),
            told=(
                "A watch on your mortgage",
                f"Until you stop it; at most {counted(WATCH_MONTHS, 'month')} after your deal ends",
            ),
        ),
        RetentionRule(
            what="Watch that was not confirmed",
            kept=_days(UNCONFIRMED_TIME),
            since="its form",
            why="the address may be another person’s",
            tables=("watches",),
            told=("A watch on your mortgage that you did not confirm", f"{_days(UNCONFIRMED_TIME)} from your form"),
        ),
        RetentionRule(
            what="Mail: when it was sent, and to which hash",
            kept=f"{MAIL_DAYS} days",
            since="it was sent or given up; its words go at once",
            why="so that mail that comes back is understood",
            tables=("mail",),
            told=("The record that an email was sent", f"{MAIL_DAYS} days; its words are deleted once it is sent"),
        ),
        RetentionRule(
            what="“Do not write” mark, a hash",
            kept=counted(SUPPRESSED_DAYS // 365, "year"),
            since="the last report, unless staff lift it",
            why="so that nobody writes again",
            tables=("suppressed_addresses",),
            told=(
                "The code of an address that emails came back from",
                f"{counted(SUPPRESSED_DAYS // 365, 'year')} from the last report",
            ),
        ),
        RetentionRule(
            what="Record of what staff did; counts by day",
            kept="without end",
            since="",
            why="references and numbers, nobody’s name",
            tables=("audit", "daily_counts"),
            told=("Our record of who saw or changed what", "Without end. It has references, and no names of clients"),
        ),
    )


def _days(time: timedelta) -> str:
    return f"{time.days} days"
