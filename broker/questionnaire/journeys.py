"""A visitor's journey through the questionnaire, stored with every answer and replayed once a request (decision 31).

A journey is judged by the flow that it began with: one without an answer has not begun, and takes the current one.
A write names the version it follows: of two writers at once the later one reads again, so nothing is lost. Whatever is
returned is on disk. Every method may raise StorageError, and has then stored nothing.
"""

import logging
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from broker.enquiries.records import StoredJourney
from broker.questionnaire.answers import Answered, Value, read_answer
from broker.questionnaire.flow import Flow, Step
from broker.questionnaire.flows import RETENTION, QuestionnaireFlows
from broker.questionnaire.forms import is_outdated
from broker.questionnaire.journey import ANSWERS_NOT_FOUND, Accepted, Journey, Refused, answer_step, replay
from broker.questionnaire.journey_store import JourneyStore, JourneyValues
from broker.storage.encryption import DecryptionError
from broker.storage.errors import StorageError
from broker.storage.rate_limit import RateLimits
from broker.storage.signed_tokens import TokenSigner, utc_now

# A socket cannot set a cookie, and the token may not reach a script. So the state sends a code, and the page posts it
# to the edge, which answers with the cookie.

CODE_LIFETIME = timedelta(minutes=1)


class JourneyCookies:
    """Writes and reads the codes; nobody else can make one."""

    def __init__(self, codes: TokenSigner, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._codes, self._clock = codes, clock

    def code(self, token: str) -> str:
        """Return the code for the cookie with a token; for an empty token the cookie is deleted."""
        return self._codes.write(token, made=self._clock())

    def token(self, code: object) -> str | None:
        """Return the token that a code stands for; None for a code that is forged or older than CODE_LIFETIME."""
        signed = self._codes.read(code)
        return signed.value if signed and self._clock() < signed.made + CODE_LIFETIME else None


MAX_BEGUN = (1_000, timedelta(hours=1))
"""Questionnaires that one network may begin in a time; a mobile network's visitors share an address."""

MAX_ATTEMPTS = 20
"""Tries to store an answer while other tabs store theirs."""

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

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorJourney:
    """A stored journey, replayed; its token belongs in the visitor's cookie and never in a page."""

    token: str
    version: int
    journey: Journey


@dataclass(frozen=True, slots=True, kw_only=True)
class JourneyNotFound:
    """No journey is stored under a token or a link; `message` tells the visitor why."""

    message: str = ANSWERS_NOT_FOUND


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionConflict:
    """An answer that arrived late met a newer one to the same question; the newer one is `stored`."""

    stored: VisitorJourney


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoJourneys:
    """A link leads to a journey while the browser has another; the visitor chooses (`resume(..., replace=True)`)."""

    own: VisitorJourney
    saved: VisitorJourney
    message: str = CONFIRM_REPLACE


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChanged:
    """A form shows another version of its question than the visitor's flow has, which is `step`; nothing is stored."""

    step: Step
    journey: Journey


class JourneyService:
    """Journeys by the token that only the visitor's browser has."""

    def __init__(
        self,
        store: JourneyStore,
        flows: QuestionnaireFlows,
        *,
        links: TokenSigner,
        cookies: JourneyCookies,
        rate_limits: RateLimits | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.flows, self.cookies = flows, cookies
        most, window = MAX_BEGUN
        self._begun = (rate_limits or RateLimits(clock=clock)).limit("questionnaires", most=most, window=window)
        self._store, self._links, self._clock = store, links, clock

    async def find(self, token: str) -> VisitorJourney | None:
        """Return the journey of a token, None where none is stored."""
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
        """Store an empty journey under a new token; it begins at the flow's start unless told another entry.

        `address` is the visitor's network address: StorageError where its network began too many.
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
        """Store an answer to a step of the path, in place of one before; a refused one changes nothing.

        An answer to an entry step off the path continues from there, or begins a journey where none is stored. `seen`
        is the version that a delayed answer was given to: an answer of another tab since then is not replaced.
        `digest` is that of the question as the form shows it; an answer to another version of it is not stored.
        """
        known = step if isinstance(step, str) else ""

        def attempt(
            stored: StoredJourney,
        ) -> tuple[JourneyValues | None, VisitorJourney | VersionConflict | QuestionChanged | Refused]:
            flow = self._flow_of(stored, known, digest)
            if is_outdated(digest, asked := flow.steps.get(known)) and asked:
                return None, QuestionChanged(step=asked, journey=replay(flow, stored.entry, stored.answers))
            if seen is not None and isinstance(step, str) and stored.written.get(step, 0) > seen:
                return None, self._late(token, stored, step, answer)
            taken = self._take(flow, stored, step, answer)
            if isinstance(taken, Refused):
                return None, taken
            is_new = (taken.journey.entry, taken.answers) != (stored.entry, dict(stored.answers))
            write = _next(stored, taken.journey, taken.answers, now=self._clock()) if is_new else None
            version = write.version if write else stored.version
            return write, VisitorJourney(token=token, version=version, journey=taken.journey)

        return await self._update(token, attempt) or await self._begin_with(known, answer, digest, address=address)

    async def forget(self, token: str) -> bool:
        """Delete a journey at the visitor's wish; False where there was none."""
        return bool(_TOKEN.fullmatch(token)) and await self._store.delete(token)

    async def link(self, token: str) -> str | JourneyNotFound:
        """Return the secret part of a link to a journey, good for 30 days; the answers are stored as long.

        It is the key to the answers: show it to the visitor, and to nobody else.
        """

        def extend(stored: StoredJourney) -> tuple[JourneyValues, bool]:
            return _next(stored, self._replayed(stored), stored.answers, now=self._clock()), True

        if not await self._update(token, extend):
            return JourneyNotFound()
        return self._links.write(token, made=self._clock())

    async def resume(
        self, link: object, *, own: str = "", replace: bool = False
    ) -> VisitorJourney | TwoJourneys | JourneyNotFound:
        """Return the journey of a link; its token is to replace the browser's `own`.

        Where that browser has answers of its own the visitor is asked first, unless `replace` says that they were.
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

    async def _begin_with(
        self, step: str, answer: object, digest: object, *, address: str
    ) -> VisitorJourney | QuestionChanged | Refused | JourneyNotFound:
        """Begin a journey with the answer to its entry step; a step that is no entry belongs to a lost journey."""
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
        written, until = dict.fromkeys(answers, version), now + RETENTION
        write = JourneyValues(
            flow=journey.flow.name,
            entry=journey.entry,
            answers=answers,
            written=written,
            version=version,
            now=now,
            delete_after=until,
        )
        await self._store.add(token, write)
        return VisitorJourney(token=token, version=version, journey=journey)

    async def _stored(self, token: str) -> StoredJourney | None:
        """Return a stored journey; None for one that no key opens: the visitor begins anew."""
        try:
            return await self._store.find(token, self._clock()) if _TOKEN.fullmatch(token) else None
        except DecryptionError as error:
            log.error("answers cannot be opened, and are begun anew: %s", error)
            return None

    async def _update(
        self, token: str, attempt: Callable[[StoredJourney], tuple[JourneyValues | None, Outcome]]
    ) -> Outcome | None:
        """Store what an attempt makes of a journey, None for no change; return its outcome, None for no journey."""
        for _ in range(MAX_ATTEMPTS):
            stored = await self._stored(token)
            if stored is None:
                return None
            write, outcome = attempt(stored)
            if write is None or await self._store.save(token, write):
                return outcome
        raise StorageError("a journey is written to by too many at once")

    def _flow_of(self, stored: StoredJourney, step: str = "", digest: object = "") -> Flow:
        """Return the flow that a journey began with; for one that has not begun, that of the question in a form."""
        return self.flows.named(stored.flow) if stored.answers else self.flows.with_question(step, digest)

    def _replayed(self, stored: StoredJourney) -> Journey:
        return replay(self._flow_of(stored), stored.entry, stored.answers)

    def _take(self, flow: Flow, stored: StoredJourney, step: object, answer: object) -> Accepted | Refused:
        """Judge an answer; one to an entry step off the path is judged from there."""
        taken = answer_step(flow, stored.entry, answers=stored.answers, step=step, answer=answer)
        if isinstance(taken, Refused) and taken.off_path and isinstance(step, str) and step in flow.entries:
            return answer_step(flow, step, answers=stored.answers, step=step, answer=answer)
        return taken

    def _late(self, token: str, stored: StoredJourney, step: str, answer: object) -> VisitorJourney | VersionConflict:
        """Return the journey as it is stored; as a conflict unless the late answer says the same."""
        journey = self._replayed(stored)
        current = VisitorJourney(token=token, version=stored.version, journey=journey)
        steps = journey.flow.steps
        read = read_answer(steps[step], answer) if step in steps else None
        is_same = isinstance(read, Answered) and journey.answers.get(step) == read.value
        return current if is_same else VersionConflict(stored=current)


def _next(stored: StoredJourney, journey: Journey, answers: Mapping[str, Value], *, now: datetime) -> JourneyValues:
    """Return the next version of a journey, each step with the version in which its answer changed last."""
    version = stored.version + 1
    same = {step for step, value in answers.items() if step in stored.answers and stored.answers[step] == value}
    return JourneyValues(
        flow=journey.flow.name,
        entry=journey.entry,
        answers=dict(answers),
        written={step: stored.written.get(step, version) if step in same else version for step in answers},
        version=version,
        now=now,
        delete_after=now + RETENTION,
    )
