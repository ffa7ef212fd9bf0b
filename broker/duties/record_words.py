"""Details of the audit record in the words of the desk; they are stored by their names in code."""

from dataclasses import replace

from broker.cases.record_words import case_entry_in_words
from broker.duties.complaint import LETTERS, OUTCOMES, ComplaintOutcome, LetterKind
from broker.duties.person_data import REQUESTS, RequestKind
from broker.enquiries.contact_details import parse_word
from broker.staff.audit import Act, AuditEntry


def entry_in_words(entry: AuditEntry) -> AuditEntry:
    """Return an entry with its detail in words; one that is unknown stays as it is."""
    match entry.what:
        case Act.COMPLAINT_CLOSED:
            outcome = parse_word(entry.detail, ComplaintOutcome)
            return replace(entry, detail=OUTCOMES[outcome].lower()) if outcome else entry
        case Act.COMPLAINT_LETTER:
            name, comma, day = entry.detail.partition(", ")
            kind = parse_word(name, LetterKind)
            return replace(entry, detail=f"{LETTERS[kind].lower()}{comma}{day}") if kind else entry
        case Act.PERSON_ASKED:
            request = parse_word(entry.detail, RequestKind)
            return replace(entry, detail=REQUESTS[request].lower().replace("article", "Article")) if request else entry
        case _:
            return case_entry_in_words(entry)
