"""Outcomes of changes to logos, a report a file, with sentences that say what to do."""

from collections.abc import Iterator, Sequence

from broker.lenders.logos.logo import LogoKind, LogoVersion
from broker.lenders.logos.reports import LogoReport, LogoResult, ZipReport
from broker.lenders.logos.store import (
    LogoChange,
    LogoOutcome,
    VersionConflict,
    VersionExpired,
    VersionStored,
    VersionUnchanged,
)
from broker.lenders.logos.upload import RefusedFile
from broker.staff.audit import Act, AuditEntry

_SENTENCES = {
    LogoResult.ADDED: "{lender} has its logo now.",
    LogoResult.REPLACED: "The logo of {lender} is replaced.",
    LogoResult.REMOVED: "The logo of {lender} is removed, and its monogram stands instead.",
    LogoResult.RESTORED: "{lender} is shown as it was before.",
    LogoResult.SAME: "{lender} has that already. Nothing was changed.",
    LogoResult.NO_LENDER: "There is no lender {number}. Choose one of the list, or fetch the list of lenders again.",
    LogoResult.CONFLICT: "{who} changed the logo of {lender} meanwhile. Nothing was stored. Look at the logo that "
    "stands now, and try again.",
    LogoResult.TOO_OLD: "That version of the logo of {lender} is no longer kept. Choose another one.",
    LogoResult.AWAY: "The logos cannot be stored just now, and nothing was changed. Please try again in a minute.",
}
_ACTS = {
    LogoResult.ADDED: Act.LOGO_UPLOADED,
    LogoResult.REPLACED: Act.LOGO_REPLACED,
    LogoResult.REMOVED: Act.LOGO_REMOVED,
    LogoResult.RESTORED: Act.LOGO_RESTORED,
}


def report(
    result: LogoResult, *, lender_id: int, lender: str = "", file_name: str = "", newest: LogoVersion | None = None
) -> LogoReport:
    """Return the report of a change; `newest` is the version that stands after it, or in its way."""
    values = {"{number}": str(lender_id), "{who}": newest.who if newest else "Somebody", "{lender}": lender}
    sentence = _SENTENCES[result]
    for name, value in values.items():
        sentence = sentence.replace(name, value)
    said = f"{file_name}: {sentence}" if file_name else sentence
    return LogoReport(
        result=result, sentence=said, lender_id=lender_id, lender=lender, file_name=file_name, newest=newest
    )


def refusal(file: RefusedFile, *, lender_id: int = 0, lender: str = "") -> LogoReport:
    """Return the report of a file that was refused; its sentence names the file."""
    return LogoReport(
        result=LogoResult.REFUSED, sentence=file.sentence, lender_id=lender_id, lender=lender, file_name=file.name
    )


def outcome_report(change: LogoChange, outcome: LogoOutcome, *, lender: str) -> LogoReport:
    result, newest = _result(change, outcome)
    return report(result, lender_id=change.lender_id, lender=lender, file_name=change.file_name, newest=newest)


def summary(name: str, files: tuple[LogoReport, ...]) -> ZipReport:
    """Return the report of a zip file that was taken."""
    changed = sum(one.is_changed for one in files)
    same = sum(one.result is LogoResult.SAME for one in files)
    others = len(files) - changed - same
    many = f"{len(files)} file" if len(files) == 1 else f"{len(files)} files"
    sentence = f"{name} held {many}: {changed} stored, {same} the same as before, {others} not taken."
    return ZipReport(sentence=sentence, files=files)


def entries_of(changes: Sequence[LogoChange], reports: Sequence[LogoReport], *, bulk: str) -> Iterator[AuditEntry]:
    """Yield the audit record's line of each change that was made, and one for the zip file that they came in."""
    done = [(change, one) for change, one in zip(changes, reports, strict=True) if one.is_changed]
    for change, one in done:
        detail = ", ".join(filter(None, (one.lender, change.file_name)))
        yield AuditEntry(
            at=change.at, who=change.who, what=_ACTS[one.result], about=f"lender {change.lender_id}", detail=detail
        )
    if bulk and changes:
        first = changes[0]
        yield AuditEntry(at=first.at, who=first.who, what=Act.LOGOS_BULK, detail=f"{bulk}, {len(done)} stored")


def _result(change: LogoChange, outcome: LogoOutcome) -> tuple[LogoResult, LogoVersion | None]:
    match outcome:
        case VersionConflict():
            return LogoResult.CONFLICT, outcome.newest
        case VersionUnchanged():
            return LogoResult.SAME, outcome.version
        case VersionExpired():
            return LogoResult.TOO_OLD, None
        case VersionStored():
            return _stored(change, outcome), outcome.version


def _stored(change: LogoChange, outcome: VersionStored) -> LogoResult:
    if change.restores is not None:
        return LogoResult.RESTORED
    if change.kind is LogoKind.HIDDEN:
        return LogoResult.REMOVED
    return LogoResult.REPLACED if outcome.before and outcome.before.picture else LogoResult.ADDED
