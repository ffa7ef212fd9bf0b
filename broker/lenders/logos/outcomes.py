"""Reports of changes of logos: in words for staff, and as JSON for the page that sent a file.

The page passes the text to its own state, so a forged one harms only its author.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import msgspec

from broker.lenders.logos.list_view import short_moment
from broker.lenders.logos.logo import MIN_WIDTH, LogoKind, LogoVersion, logo_address
from broker.lenders.logos.reports import NOTHING_TO_UNDO, LogoReport, LogoResult

MAX_LENGTH = 600_000
"""Characters of reports as JSON: a zip file of 500 files, each with the longest name and sentence."""

MAX_REPORTS = 500
"""Reports that the page keeps: those of the largest zip file."""

UNDO_TIME = timedelta(minutes=10)
"""Time for which a key undoes the last change; a report and the list of versions undo at any time."""

_GOOD, _PLAIN, _WARN, _BAD = "good", "", "warn", "bad"

_WHAT = {
    LogoResult.ADDED: ("Stored", _GOOD),
    LogoResult.REPLACED: ("Replaced", _GOOD),
    LogoResult.REMOVED: ("Removed", _GOOD),
    LogoResult.RESTORED: ("Put back", _GOOD),
    LogoResult.SAME: ("Same as before", _PLAIN),
    LogoResult.REFUSED: ("Refused", _BAD),
    LogoResult.NO_LENDER: ("No such lender", _BAD),
    LogoResult.CONFLICT: ("Changed meanwhile", _WARN),
    LogoResult.TOO_OLD: ("No longer kept", _WARN),
    LogoResult.AWAY: ("Not stored", _BAD),
    LogoResult.NOT_SENT: ("Not sent", _BAD),
}

_NOT_SENT = {
    "nowhere": "It was pasted for no lender, and nothing was sent. Choose the lender in the list, and paste it again.",
    "several": "Several files came for one lender, and nothing was sent. Drop them at the top of the page: their names "
    "say where they belong.",
    "nothing": "There was no picture in that, and nothing was sent. Copy the picture itself, or choose its file.",
    "lost": "{name} could not be read, or did not arrive: we cannot tell whether it was stored. Look at the list, and "
    "send it again.",
    "refused": "{name} was not taken. {text}",
    "unknown": "{name} was sent, and the answer was lost. Look at the list to see whether it was stored.",
}
"""Why a page did not send a file, or received no valid response (`components.forms.file_upload`)."""


def logo_report(
    result: LogoResult,
    sentence: str,
    *,
    lender_id: int = 0,
    lender: str = "",
    file_name: str = "",
    newest: LogoVersion | None = None,
) -> LogoReport:
    """Return the report of a file or change; `newest` is the version after it, or the one in conflict with it."""
    what, tone = _WHAT[result]
    number, is_conflict = newest.number if newest else 0, result is LogoResult.CONFLICT
    report = LogoReport(
        result=result,
        what=what,
        tone=tone,
        sentence=sentence,
        lender_id=lender_id,
        lender=lender,
        file_name=file_name,
        now=_version_words(newest) if is_conflict else "",
        picture=logo_address(newest.picture) if is_conflict and newest and newest.picture else "",
        number=number,
    )
    if not report.is_changed or newest is None:
        return report
    if newest.is_small and result in (LogoResult.ADDED, LogoResult.REPLACED):
        small = f"It is {newest.width} pixels wide and looks blurred: one of at least {MIN_WIDTH} is better."
        report = replace(report, tone=_WARN, sentence=f"{sentence} {small}")
    return replace(report, undo_to=number - 1, at=newest.at.astimezone(UTC).isoformat())


def merged(before: Sequence[LogoReport], latest: Sequence[LogoReport]) -> tuple[LogoReport, ...]:
    """Return the reports to show, latest first, refused files before others; an undo takes its file's own place.

    An earlier change of a lender that was changed again can no longer be undone from its report.
    """
    undone = {one.lender_id: one for one in latest if one.result is LogoResult.RESTORED}
    changed = {one.lender_id for one in latest if one.is_changed}
    kept = list[LogoReport]()
    for one in before:
        later = undone.get(one.lender_id) if one.undo_to != NOTHING_TO_UNDO else None
        if later:
            kept.append(replace(later, file_name=one.file_name))
            del undone[one.lender_id]
        else:
            kept.append(replace(one, undo_to=NOTHING_TO_UNDO) if one.lender_id in changed else one)
    new = sorted(
        (one for one in latest if one.result is not LogoResult.RESTORED or one.lender_id in undone), key=_is_success
    )
    return (*new, *kept)[:MAX_REPORTS]


def told(reports: Sequence[LogoReport]) -> str:
    """Return the sentence that sums reports up; empty for none."""
    if not reports:
        return ""
    changed = sum(one.is_changed for one in reports)
    same = sum(one.result is LogoResult.SAME for one in reports)
    many = "1 result" if len(reports) == 1 else f"{len(reports)} results"
    return f"{many}: {changed} stored, {same} the same as before, {len(reports) - changed - same} not taken."


def last_undoable(reports: Iterable[LogoReport], now: datetime) -> LogoReport | None:
    """Return the report of the newest change that a key may still undo."""
    found = (one for one in reports if one.undo_to != NOTHING_TO_UNDO and one.at)
    return next((one for one in found if now - datetime.fromisoformat(one.at) <= UNDO_TIME), None)


def not_sent(problem: str, *, name: str, text: str) -> LogoReport:
    """Return the report of a file that was not sent, or whose response (`text`) was no report."""
    words = _NOT_SENT.get(problem, _NOT_SENT["unknown"])
    # the name is put in last: it may hold braces itself
    sentence = words.replace("{text}", text[:300]).replace("{name}", name)
    return logo_report(LogoResult.NOT_SENT, sentence, file_name=name)


def _version_words(version: LogoVersion | None) -> str:
    """Return the sentence for the current version in a conflict: what it shows, who made it, and when."""
    if version is None:
        return "There now: what was there before staff changed anything."
    what = {LogoKind.PICTURE: version.file_name or "a picture", LogoKind.HIDDEN: "no logo"}
    by = f"by {version.who}, {short_moment(version.at)}"
    return f"There now: {what.get(version.kind, 'what the feed has')}, {by}."


def _is_success(done: LogoReport) -> bool:
    return done.tone in (_GOOD, _PLAIN)


def write_reports(reports: Sequence[LogoReport]) -> str:
    return msgspec.json.encode(reports).decode()


def read_reports(text: str) -> tuple[LogoReport, ...]:
    """Parse the JSON of `write_reports`; none for any other text."""
    if len(text) > MAX_LENGTH:
        return ()
    try:
        reports = msgspec.json.decode(text, type=tuple[LogoReport, ...])
        for at in filter(None, (one.at for one in reports)):
            datetime.fromisoformat(at)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return ()
    return reports
