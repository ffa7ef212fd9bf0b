"""A visitor's journey through the questionnaire, stored with every answer and replayed once a request (decision 31).

A journey follows the flow that it began with; one without an answer has not begun, and follows the current one. A write
names the version that it follows: of two writers at once the later one reads again, so nothing is lost. What a method
returns is on disk. Every method may raise StorageError, and has then stored nothing.
"""

import logging
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from broker.analytics.counted import Counted
from broker.clock import utc_now
from broker.questionnaire.answers import Answered, Value, read_answer
from broker.questionnaire.flow import Flow, Step
from broker.questionnaire.flows import RETENTION, QuestionnaireFlows
from broker.questionnaire.forms import is_outdated
from broker.questionnaire.journey import ANSWERS_NOT_FOUND, Accepted, Journey, Refused, answer_step, replay
from broker.questionnaire.journey_store import JourneyStore, StoredJourney
from broker.storage.encryption import DecryptionError
from broker.storage.errors import StorageError
from broker.storage.rate_limit import RateLimits
from broker.storage.signed_tokens import TokenSigner

MAX_BEGUN = (1_000, timedelta(hours=1))
"""Questionnaires that one network may begin in a time; a mobile network's visitors share an address."""

_MAX_ATTEMPTS = 20
"""Tries to store an answer while other tabs store theirs."""

_CODE_LIFETIME = timedelta(minutes=1)

INVALID_LINK = "This link is incomplete, or is not one of ours. Please copy the whole link, or start again"
EXPIRED_LINK = "This link has expired, because links work for 30 days. Please start again"
CONFIRM_REPLACE = "You already have answers in this browser. Carry on with those, or open the ones you saved"
ANSWER_NOT_STORED = (
    "We could not save this answer just now. It is still on this page: please try again in a minute, or call us"
)
ANSWERS_UNAVAILABLE = (
    "We could not load your answers just now. They are saved: please load this page again in a minute, or call us"
)

log = logging.getLogger(__name__)

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")

_Outcome = TypeVar("_Outcome")


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorJourney:
    """A stored journey, replayed; its token may be in the visitor's cookie, and never in a page."""

    token: str
    version: int
    journey: Journey


@dataclass(frozen=True, slots=True, kw_only=True)
class JourneyNotFound:
    """No journey is stored under a token or a link; `message` is for the visitor."""

    message: str = ANSWERS_NOT_FOUND


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionConflict:
    """A late answer was not stored, as there is a newer one to the same question; `stored` has the newer one."""

    stored: VisitorJourney


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoJourneys:
    """A link leads to a journey while the browser has another; the visitor chooses (`resume(..., replace=True)`)."""

    own: VisitorJourney
    saved: VisitorJourney
    message: str = CONFIRM_REPLACE


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChanged:
    """Nothing was stored: the form shows another version of its question than `step` of the visitor's flow."""

    step: Step
    journey: Journey


class JourneyCookies:
    """Codes that a page exchanges for the cookie with its token.

    A socket cannot set a cookie, and the token may not reach a script. So the state sends a code, and the page posts it
    to the edge, which sets the cookie.
    """

    def __init__(self, codes: TokenSigner, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._codes, self._clock = codes, clock

    def code(self, token: str) -> str:
        """Return the code for the cookie with a token; for an empty token the cookie is deleted."""
        return self._codes.write(token, made=self._clock())

    def token(self, code: object) -> str | None:
        """Return the token of a code; None for a code that is forged or expired."""
        signed = self._codes.read(code)
        return signed.value if signed and self._clock() < signed.made + _CODE_LIFETIME else None


class JourneyService:
    """Journeys by the token that only the visitor's browser has; `observe` counts their first and last answers."""

    def __init__(
        self,
        store: JourneyStore,
        flows: QuestionnaireFlows,
        *,
        links: TokenSigner,
        cookies: JourneyCookies,
        rate_limits: RateLimits | None = None,
        observe: Callable[[Counted], None] = lambda _: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.flows, self.cookies = flows, cookies
        most, window = MAX_BEGUN
        self._begun = (rate_limits or RateLimits(clock=clock)).limit("questionnaires", most=most, window=window)
        self._store, self._links, self._observe, self._clock = store, links, observe, clock

    async def find(self, token: str) -> VisitorJourney | None:
        stored = await self._stored(token)
        if stored is None:
            return None
        return VisitorJourney(token=token, version=stored.version, journey=self._replayed(stored))

    async def open(self, token: str, step: str, *, address: str = "") -> VisitorJourney | None:
        """Return the visitor's journey, or begin one at an entry step; None where there is none and no entry."""
        if found := await self.find(token):
            return found
        return await self.begin(step, address=address) if step in self.flows.current.entries else None

    async def begin(self, entry: str = "", *, address: str = "") -> VisitorJourney:
        """Store an empty journey under a new token, from an entry step or else from the flow's start.

        `address` is the visitor's network address; raises StorageError where its network began too many.
        """
        return await self._add(replay(self.flows.current, entry, {}), version=1, address=address)

    async def answer(
        self,
        token: str,
        step: object,
        *,
        answer: object,
        digest: object = "",
        seen: int | None = None,
        address: str = "",
    ) -> VisitorJourney | VersionConflict | QuestionChanged | Refused | JourneyNotFound:
        """Store an answer to a step of the path, replacing an earlier one; a refused one changes nothing.

        An answer to an entry step off the path continues from there, or begins a journey where none is stored. `seen`
        is the version that a delayed answer was given to: an answer of another tab since then is not replaced.
        `digest` is that of the question on the form; an answer to another version of the question is not stored.
        """
        known, before = step if isinstance(step, str) else "", list[StoredJourney]()

        def attempt(
            stored: StoredJourney,
        ) -> tuple[StoredJourney | None, VisitorJourney | VersionConflict | QuestionChanged | Refused]:
            before[:] = [stored]
            flow = self._flow_of(stored, known, digest)
            if is_outdated(digest, asked := flow.steps.get(known)) and asked:
                return None, QuestionChanged(step=asked, journey=replay(flow, stored.entry, stored.answers))
            if seen is not None and isinstance(step, str) and stored.written.get(step, 0) > seen:
                return None, self._late(token, stored, step, answer)
            taken = self._take(flow, stored, step, answer)
            if isinstance(taken, Refused):
                return None, taken
            is_new = (taken.journey.entry, taken.answers) != (stored.entry, dict(stored.answers))
            changed = self._next(stored, taken.journey, taken.answers) if is_new else None
            version = changed.version if changed else stored.version
            return changed, VisitorJourney(token=token, version=version, journey=taken.journey)

        outcome = await self._update(token, attempt) or await self._begin_with(known, answer, digest, address=address)
        if isinstance(outcome, VisitorJourney):
            self._count(before[0] if before else None, outcome.journey)
        return outcome

    async def forget(self, token: str) -> bool:
        """Delete a journey at the visitor's wish; False where there was none."""
        return bool(_TOKEN.fullmatch(token)) and await self._store.delete(token)

    async def link(self, token: str) -> str | JourneyNotFound:
        """Return the secret part of a link to a journey, valid for 30 days; the answers are stored as long.

        It is the key to the answers: show it to the visitor alone.
        """

        def extend(stored: StoredJourney) -> tuple[StoredJourney, bool]:
            return self._next(stored, self._replayed(stored), stored.answers), True

        if not await self._update(token, extend):
            return JourneyNotFound()
        return self._links.write(token, made=self._clock())

    async def resume(
        self, link: object, *, own: str = "", replace: bool = False
    ) -> VisitorJourney | TwoJourneys | JourneyNotFound:
        """Return the journey of a link, whose token is to replace the browser's `own`.

        If that browser has other answers, return both for the visitor to choose, unless `replace` is set.
        """
        signed = self._links.read(link)
        if signed is None:
            return JourneyNotFound(message=INVALID_LINK)
        if self._clock() >= signed.made + RETENTION:
            return JourneyNotFound(message=EXPIRED_LINK)
        saved = await self.find(signed.value)
        if saved is None:
            return JourneyNotFound()
        here = None if replace or own == signed.value else await self.find(own)
        return TwoJourneys(own=here, saved=saved) if here and here.journey.answers else saved

    def _count(self, before: StoredJourney | None, after: Journey) -> None:
        """Count a first answer, and one that leaves no question open, also after a change of earlier answers."""
        if after.answers and not (before and before.answers):
            self._observe(Counted.QUESTIONNAIRE_STARTED)
        if after.is_complete and not (before and self._replayed(before).is_complete):
            self._observe(Counted.QUESTIONNAIRE_FINISHED)

    async def _begin_with(
        self, step: str, answer: object, digest: object, *, address: str
    ) -> VisitorJourney | QuestionChanged | Refused | JourneyNotFound:
        """Begin a journey with the answer to its entry step; any other step belongs to a journey no longer stored."""
        flow = self.flows.with_question(step, digest)
        if step not in flow.entries:
            return JourneyNotFound()
        if is_outdated(digest, asked := flow.steps[step]):
            return QuestionChanged(step=asked, journey=replay(flow, step, {}))
        taken = answer_step(flow, step, answers={}, step=step, answer=answer)
        return taken if isinstance(taken, Refused) else await self._add(taken.journey, version=2, address=address)

    async def _add(self, journey: Journey, *, version: int, address: str) -> VisitorJourney:
        if address and not await self._begun.take(address):
            raise StorageError("one network begins too many questionnaires")
        token, now, answers = secrets.token_urlsafe(32), self._clock(), journey.answers
        new = StoredJourney(
            flow=journey.flow.name,
            entry=journey.entry,
            answers=answers,
            written=dict.fromkeys(answers, version),
            version=version,
            delete_after=now + RETENTION,
        )
        await self._store.add(token, new, now=now)
        return VisitorJourney(token=token, version=version, journey=journey)

    async def _stored(self, token: str) -> StoredJourney | None:
        """Return a stored journey; None also for one that no key decrypts: the visitor begins again."""
        try:
            return await self._store.find(token, self._clock()) if _TOKEN.fullmatch(token) else None
        except DecryptionError as error:
            log.error("answers cannot be decrypted, so the visitor begins again: %s", error)
            return None

    async def _update(
        self, token: str, attempt: Callable[[StoredJourney], tuple[StoredJourney | None, _Outcome]]
    ) -> _Outcome | None:
        """Store the change that an attempt returns, if any, and return its outcome; None where no journey is stored."""
        for _ in range(_MAX_ATTEMPTS):
            stored = await self._stored(token)
            if stored is None:
                return None
            changed, outcome = attempt(stored)
            if changed is None or await self._store.save(token, changed, now=self._clock()):
                return outcome
        raise StorageError("a journey is written to by too many at once")

    def _flow_of(self, stored: StoredJourney, step: str = "", digest: object = "") -> Flow:
        """Return the flow that a journey began with; for one that has not begun, that of the question in a form."""
        return self.flows.named(stored.flow) if stored.answers else self.flows.with_question(step, digest)

    def _replayed(self, stored: StoredJourney) -> Journey:
        return replay(self._flow_of(stored), stored.entry, stored.answers)

    def _take(self, flow: Flow, stored: StoredJourney, step: object, answer: object) -> Accepted | Refused:
        """Apply an answer; one to an entry step off the path begins there."""
        taken = answer_step(flow, stored.entry, answers=stored.answers, step=step, answer=answer)
        if isinstance(taken, Refused) and taken.off_path and isinstance(step, str) and step in flow.entries:
            return answer_step(flow, step, answers=stored.answers, step=step, answer=answer)
        return taken

    def _late(self, token: str, stored: StoredJourney, step: str, answer: object) -> VisitorJourney | VersionConflict:
        """Return the stored journey, as a conflict unless the late answer is the same."""
        journey = self._replayed(stored)
        current = VisitorJourney(token=token, version=stored.version, journey=journey)
        steps = journey.flow.steps
        read = read_answer(steps[step], answer) if step in steps else None
        is_same = isinstance(read, Answered) and journey.answers.get(step) == read.value
        return current if is_same else VersionConflict(stored=current)

    def _next(self, stored: StoredJourney, journey: Journey, answers: Mapping[str, Value]) -> StoredJourney:
        """Return the next version of a journey, each step with the version in which its answer changed last."""
        version = stored.version + 1
        same = {step for step, value in answers.items() if step in stored.answers and stored.answers[step] == value}
        return StoredJourney(
            flow=journey.flow.name,
            entry=journey.entry,
            answers=dict(answers),
            written={step: stored.written.get(step, version) if step in same else version for step in answers},
            version=version,
            delete_after=self._clock() + RETENTION,
        )
