"""Outcomes of changes of logos: in words for staff, and as JSON for the page that sent a file.

The page passes the text to its own state, so a forged one harms only its author.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, cast

from broker.enquiries.summary import uk_moment
from broker.lenders.logos.logo import LogoKind, LogoVersion
from broker.lenders.logos.reports import LogoReport, LogoResult, ZipReport

MAX_LENGTH = 600_000
"""Characters of an outcome as JSON: a zip file of 500 files, each with the longest name and sentence."""

NOTHING_TO_UNDO = -1

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
}

_NOT_SENT = {
    "nowhere": "That was not dropped on a lender, and nothing was sent. Drop it on the lender’s line of the table.",
    "several": "Several files came at once, and nothing was sent. Give one picture to one lender, or send several in "
    "a zip file.",
    "nothing": "There was no picture in that, and nothing was sent. Copy the picture itself, or choose its file.",
    "lost": "{name} could not be read, or did not arrive: we cannot tell whether it was stored. Look at the list, and "
    "send it again.",
    "refused": "{name} was not taken. {text}",
    "unknown": "{name} was sent, and the answer was lost. Look at the list to see whether it was stored.",
}
"""Why a page did not send a file, or received no valid response (`components.forms.file_upload`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One change; `now` and `picture` are the current version in a conflict, `undo_to` is the version to restore.

    `before` is the sentence of an earlier change, if undo applies to that one.
    """

    what: str = ""
    tone: str = ""
    sentence: str = ""
    file_name: str = ""
    now: str = ""
    picture: str = ""
    lender_id: int = 0
    undo_to: int = NOTHING_TO_UNDO
    number: int = 0
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZipOutcome:
    """The outcome of a zip file; refused files come first."""

    sentence: str = ""
    tone: str = ""
    files: tuple[Outcome, ...] = ()


def outcome(report: LogoReport, address: Callable[[str], str]) -> Outcome:
    """Return the outcome of a change; `address` maps a picture's file name to its URL."""
    what, tone = _WHAT[report.result]
    newest, is_conflict = report.newest, report.result is LogoResult.CONFLICT
    number = newest.number if newest else 0
    return Outcome(
        what=what,
        tone=tone,
        sentence=report.sentence,
        file_name=report.file_name,
        now=_version_words(newest) if is_conflict else "",
        picture=address(newest.picture) if is_conflict and newest and newest.picture else "",
        lender_id=report.lender_id,
        undo_to=number - 1 if report.is_changed else NOTHING_TO_UNDO,
        number=number,
    )


def zip_outcome(report: ZipReport, address: Callable[[str], str]) -> ZipOutcome:
    """Return the outcome of a zip file; `address` maps a picture's file name to its URL."""
    files = sorted((outcome(each, address) for each in report.files), key=_is_success)
    tone = _BAD if not files else _GOOD if _is_success(files[0]) else _WARN
    return ZipOutcome(sentence=report.sentence, tone=tone, files=tuple(files))


def updated_zip(before: ZipOutcome, done: Outcome) -> ZipOutcome:
    """Return the outcome of a zip file after a later change of one of its lenders' logos, for example its undo."""
    if done.undo_to == NOTHING_TO_UNDO:
        return before
    files = (
        replace(done, file_name=file.file_name) if file.lender_id == done.lender_id and file.number else file
        for file in before.files
    )
    return replace(before, files=tuple(files))


def refused_after(before: ZipOutcome, refusal: ZipOutcome) -> ZipOutcome:
    """Return the outcome of a refused zip file, with the files of the one before, which can still be undone."""
    more = " Below is the result of the zip file before." if before.files else ""
    return replace(refusal, sentence=f"{refusal.sentence}{more}", files=before.files)


def with_undo_of(before: Outcome, latest: Outcome) -> Outcome:
    """Return the latest outcome; if it changed nothing, it can undo the change before, and names that."""
    if latest.undo_to != NOTHING_TO_UNDO or before.undo_to == NOTHING_TO_UNDO:
        return latest
    undone = before.before or before.sentence
    return replace(latest, before=undone, lender_id=before.lender_id, undo_to=before.undo_to, number=before.number)


def not_sent(problem: str, *, name: str, text: str) -> Outcome:
    """Return the outcome of a file that was not sent, or whose response (`text`) was no outcome."""
    words = _NOT_SENT.get(problem, _NOT_SENT["unknown"])
    # the name is put in last: it may hold braces itself
    sentence = words.replace("{text}", text[:300]).replace("{name}", name)
    return Outcome(what="Not sent", tone=_BAD, sentence=sentence, file_name=name)


def _version_words(version: LogoVersion | None) -> str:
    """Return the sentence for the current version in a conflict: what it shows, who made it, and when."""
    if version is None:
        return "There now: what was there before staff changed anything."
    what = {LogoKind.PICTURE: version.file_name or "a picture", LogoKind.HIDDEN: "no logo"}
    by = f"by {version.who}, at {uk_moment(version.at)}"
    return f"There now: {what.get(version.kind, 'what the feed has')}, {by}."


def _is_success(done: Outcome) -> bool:
    return done.tone in (_GOOD, _PLAIN)


def write_outcome(done: Outcome | ZipOutcome) -> str:
    return json.dumps(asdict(done), ensure_ascii=False, separators=(",", ":"))


def read_outcome(text: str) -> Outcome | ZipOutcome | None:
    """Parse the JSON of `write_outcome`; None for any other text."""
    try:
        data = json.loads(text) if len(text) <= MAX_LENGTH else None
        if isinstance(data, dict) and "files" in data:
            values = cast(dict[str, Any], data)
            files = tuple(_read_one(each) for each in values["files"])
            return ZipOutcome(sentence=str(values["sentence"]), tone=str(values["tone"]), files=files)
        return _read_one(data)
    except (ValueError, TypeError, LookupError, RecursionError):
        return None


def _read_one(data: Any) -> Outcome:
    """Return one outcome; raises TypeError for anything else."""
    if not isinstance(data, dict):
        raise TypeError("an outcome is an object")
    values = cast(dict[str, Any], data)
    for each in fields(Outcome):
        if type(values.get(each.name)) is not type(each.default):
            raise TypeError(f"{each.name} of an outcome is of another kind")
    return Outcome(**{each.name: values[each.name] for each in fields(Outcome)})
