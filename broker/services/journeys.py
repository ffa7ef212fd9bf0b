"""A visitor's way through the questionnaire, kept from answer to answer (decision 31).

Each call reads what is kept, lets the engine judge, and writes the next version: of two writers at once the later
one reads again and loses nothing. What returns was on disk before. Every call may raise StorageError: then nothing
was kept, and the visitor is told to try again.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from broker.domain.enquiries.stored_records import StorageError, StoredJourney
from broker.domain.questionnaire.answers import Value
from broker.domain.questionnaire.flow import Flow
from broker.domain.questionnaire.journey import Journey, Refused, replay, take
from broker.services.signed_tokens import SignedToken, TokenSigner, utc_now
from broker.storage.enquiries.journeys import JourneyStore, JourneyValues

KEPT_FOR = timedelta(days=30)
"""How long answers are kept after the last of them, and how long a link leads back to them (decision 35)."""

ATTEMPTS = 20
"""How often an answer is written anew that met another tab's."""

GONE = "These answers are not kept any longer: they were sent, or deleted, or 30 days have passed. Please start again"
FORGED = "This link is not complete, or not one of ours. Please copy the whole of it, or start again"
EXPIRED = "This link was good for 30 days, and they have passed. Please start again"
OTHERS = "You have answers in this browser already. Go on with them, or with those that you saved"

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A journey that is kept: the visitor's token (for a cookie, never for a page), its version, and where it leads."""

    token: str
    version: int
    journey: Journey


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """There is no such journey, and why, in a sentence for the visitor."""

    words: str = GONE


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoJourneys:
    """A link leads to a journey while the browser is on another; the visitor chooses (`resume(..., replace=True)`)."""

    own: Held
    saved: Held
    words: str = OTHERS


class JourneyService:
    """Journeys by the token that only the visitor's browser has."""

    def __init__(
        self, store: JourneyStore, flow: Flow, *, links: TokenSigner, clock: Callable[[], datetime] = utc_now
    ) -> None:
        """Keep where journeys are stored, the questions, and what makes links."""
        self._store = store
        self._flow = flow
        self._links = links
        self._clock = clock

    async def open(self, token: str, entry: str = "") -> Held:
        """Return the journey of a token, or a new one under a new token, which the browser is to keep.

        Another entry than before leads through the same answers from there; an empty one goes on as before.
        """
        kept = await self._kept(token)
        if kept is None:
            return await self._begin(entry)
        if entry and entry != kept.entry and entry in self._flow.entries:
            changed = await self._change(token, lambda now: (entry, dict(now.answers)))
            return changed or await self._begin(entry)
        return self._held(token, kept)

    async def find(self, token: str) -> Held | None:
        """Return the journey of a token, None where nothing is kept under it; nothing is stored."""
        kept = await self._kept(token)
        return self._held(token, kept) if kept else None

    async def answer(
        self, token: str, step: object, *, answer: object, seen: int | None = None
    ) -> Held | Refused | Gone:
        """Keep an answer to a step of the path, in place of one before; a refused one changes nothing.

        An answer to an entry that is not on the path leads on from there; the other answers are kept beside it.
        `seen` is for an answer that had to wait, for a connection for example: the version that the visitor saw when
        giving it. Where the step was answered since, in another tab, that answer stands.
        """
        refused: list[Refused] = []

        def change(kept: StoredJourney) -> tuple[str, dict[str, Value]]:
            refused.clear()
            newer = seen is not None and isinstance(step, str) and kept.written.get(step, 0) > seen
            entry = self._entry(kept, step)
            taken = take(self._flow, entry, answers=kept.answers, step=step, answer=answer)
            if isinstance(taken, Refused) and not newer:
                refused.append(taken)
            if newer or isinstance(taken, Refused):
                return kept.entry, dict(kept.answers)
            return entry, taken.answers

        held = await self._change(token, change)
        return refused[0] if refused else held or Gone()

    async def forget(self, token: str) -> bool:
        """Delete a journey at the visitor's wish, and tell whether there was one."""
        return bool(_TOKEN.fullmatch(token)) and await self._store.delete(token)

    async def link(self, token: str) -> str | Gone:
        """Return what a link holds that leads back to a journey for 30 days, for which the answers are kept from now.

        It is the key to the answers: it is shown to the visitor, and to nobody else.
        """
        held = await self._change(token, lambda kept: (kept.entry, dict(kept.answers)), always=True)
        return self._links.write(SignedToken(says=token, made=self._clock())) if held else Gone()

    async def resume(self, link: object, *, own: str = "", replace: bool = False) -> Held | TwoJourneys | Gone:
        """Return the journey that a link leads to; its token then takes the place of the browser's `own`.

        A browser that is on another journey already, with answers, is asked first, unless it is to `replace` it.
        """
        ticket = self._links.read(link)
        if ticket is None:
            return Gone(words=FORGED)
        if self._clock() >= ticket.made + KEPT_FOR:
            return Gone(words=EXPIRED)
        saved = await self.find(ticket.says)
        if saved is None:
            return Gone()
        here = None if replace or own == ticket.says else await self.find(own)
        return TwoJourneys(own=here, saved=saved) if here and here.journey.answers else saved

    async def _begin(self, entry: str) -> Held:
        token, now = secrets.token_urlsafe(32), self._clock()
        start = entry if entry in self._flow.entries else self._flow.start
        write = JourneyValues(entry=start, answers={}, written={}, version=1, now=now, delete_after=now + KEPT_FOR)
        await self._store.add(token, write)
        return Held(token=token, version=1, journey=replay(self._flow, start, {}))

    async def _kept(self, token: str) -> StoredJourney | None:
        return await self._store.find(token, self._clock()) if _TOKEN.fullmatch(token) else None

    def _entry(self, kept: StoredJourney, step: object) -> str:
        """Return where an answered step's path begins: at the step itself where it is an entry off the path."""
        if isinstance(step, str) and step in self._flow.entries:
            return kept.entry if step in replay(self._flow, kept.entry, kept.answers).path else step
        return kept.entry

    def _held(self, token: str, kept: StoredJourney) -> Held:
        return Held(token=token, version=kept.version, journey=replay(self._flow, kept.entry, kept.answers))

    async def _change(
        self,
        token: str,
        change: Callable[[StoredJourney], tuple[str, dict[str, Value]]],
        *,
        always: bool = False,
    ) -> Held | None:
        """Write what a change makes of a journey, and return it; None where there is none.

        What changes nothing is not written, unless `always`, which keeps it for 30 days more.
        """
        for _ in range(ATTEMPTS):
            kept = await self._kept(token)
            if kept is None:
                return None
            entry, answers = change(kept)
            if not always and (entry, answers) == (kept.entry, dict(kept.answers)):
                return self._held(token, kept)
            write = _next(kept, entry, answers, now=self._clock())
            if await self._store.save(token, write):
                return Held(token=token, version=write.version, journey=replay(self._flow, entry, answers))
        raise StorageError("a journey is written to by too many at once")


def _next(kept: StoredJourney, entry: str, answers: Mapping[str, Value], *, now: datetime) -> JourneyValues:
    """Return the next version of a journey, each step with the version that its answer came with."""
    version = kept.version + 1
    same = {step for step, value in answers.items() if step in kept.answers and kept.answers[step] == value}
    return JourneyValues(
        entry=entry,
        answers=answers,
        written={step: kept.written.get(step, version) if step in same else version for step in answers},
        version=version,
        now=now,
        delete_after=now + KEPT_FOR,
    )
