"""A visitor's questions: which page may be shown, and an answer that begins a journey where there is none.

The rules of beginning, for the socket and for plain forms alike: whoever opens a page to begin at has a journey from
then on, so that a second tab finds it; an answer to such a page is never lost for want of one.
"""

from __future__ import annotations

from dataclasses import dataclass

from broker.domain.questionnaire.answers import Answered, read_answer
from broker.domain.questionnaire.flow import Flow
from broker.domain.questionnaire.journey import Refused
from broker.services.journeys import Gone, Held, JourneyService

COOKIE = "journey"
"""The cookie that holds a visitor's token: the pages keep it, and the edge reads it with plain forms."""

AWAY = "We could not keep this answer just now. It still stands here: please try again in a minute, or call us"
UNREAD = "We could not read your answers just now. They are kept: please load this page again in a minute, or call us"


@dataclass(frozen=True, slots=True, kw_only=True)
class Newer:
    """An answer that waited met a newer one to the same question, which stands; nothing was written."""

    held: Held


class Questions:
    """The journeys of visitors over a flow, as its pages ask for them. Every call may raise StorageError."""

    def __init__(self, journeys: JourneyService, flow: Flow) -> None:
        """Keep where journeys are, and the flow."""
        self._journeys = journeys
        self.flow = flow

    async def opened(self, token: str, step: str) -> Held | None:
        """Return the visitor's journey; a new one where there is none and the step is one to begin at, else None."""
        if held := await self._journeys.find(token):
            return held
        return await self._journeys.open("", step) if step in self.flow.entries else None

    async def answer(
        self, token: str, step: object, *, answer: object, seen: int | None = None
    ) -> Held | Newer | Refused | Gone:
        """Keep an answer; where nothing is kept any longer and the step is one to begin at, in a new journey.

        `seen` is the version that the visitor saw: an answer of another tab since then stands, and the visitor is told.
        """
        taken = await self._journeys.answer(token, step, answer=answer, seen=seen)
        if isinstance(taken, Gone) and isinstance(step, str) and step in self.flow.entries:
            held = await self._journeys.open("", step)
            return await self._journeys.answer(held.token, step, answer=answer)
        if isinstance(taken, Held) and seen is not None and not self._stands(taken, step, answer):
            return Newer(held=taken)
        return taken

    def _stands(self, held: Held, step: object, answer: object) -> bool:
        """Tell whether what is kept of a step is the answer that was given to it."""
        if not isinstance(step, str) or step not in self.flow.steps:
            return False
        read = read_answer(self.flow.steps[step], answer)
        return isinstance(read, Answered) and held.journey.answers.get(step) == read.value
