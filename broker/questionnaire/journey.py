"""A visitor's journey through the flow, replayed from the answers every time (decision 31).

The path is not stored: it follows from the entry and the answers. An answer to a step off the path has no effect, but
is kept, so that Back and Change bring it back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from broker.questionnaire.answers import Answered, Invalid, Line, Value, read_answer
from broker.questionnaire.flow import SUBMIT, Flow, QuestionsLeft, Step, questions_left

COMPLETE = QuestionsLeft(least=0, most=0)

OFF_PATH = "That question does not fit your answers. Please carry on from the question you were on"
ANSWERS_NOT_FOUND = (
    "We no longer have these answers: they were sent or deleted, or 30 days have passed. Please start again"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """The state of a journey through a flow: the steps answered, in order, and the current step, None at the end.

    `invalid` has the reasons against a stored answer to the current step. `left` counts the questions left, the current
    one included. `set_aside` has the valid answers to steps off the path.
    """

    flow: Flow = field(compare=False, repr=False)
    entry: str
    done: tuple[Answered, ...]
    current: Step | None
    invalid: tuple[Invalid, ...]
    left: QuestionsLeft
    set_aside: Mapping[str, Value]

    @property
    def is_complete(self) -> bool:
        return self.current is None

    @property
    def path(self) -> tuple[str, ...]:
        """Return the ids of the answered steps and of the current one."""
        return (*(each.step.id for each in self.done), *((self.current.id,) if self.current else ()))

    @property
    def answers(self) -> dict[str, Value]:
        """Return every valid answer: those on the path in order, then those set aside."""
        return {**{each.step.id: each.value for each in self.done}, **self.set_aside}

    @property
    def lines(self) -> tuple[Line, ...]:
        """Return the questions and answers so far in words, in order."""
        return tuple(line for each in self.done for line in each.lines)

    def answered(self, step: str) -> Answered | None:
        return next((each for each in self.done if each.step.id == step), None)

    def step_before(self, step: str) -> str:
        """Return the previous step of the path; empty for the first step and for one off the path."""
        path = self.path
        return path[path.index(step) - 1] if step in path[1:] else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """An accepted answer: all the answers to store, and their journey."""

    answers: dict[str, Value]
    journey: Journey


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A refused answer, with a sentence for each reason, and the unchanged journey."""

    invalid: tuple[Invalid, ...]
    journey: Journey
    off_path: bool


def replay(flow: Flow, entry: str, answers: object) -> Journey:
    """Return the journey of some answers by step id (`Journey.answers`).

    Any input is allowed: an unknown entry counts as the start of the flow, and an invalid answer ends the path at its
    step. The flow must have no faults (`check.check`).
    """
    given = answers if isinstance(answers, Mapping) else {}
    entry = entry if entry in flow.entries else flow.start
    done: list[Answered] = []
    invalid: tuple[Invalid, ...] = ()
    at = entry
    while at != SUBMIT and at in given:
        read = read_answer(flow.steps[at], given[at])
        if isinstance(read, tuple):
            invalid = read
            break
        done.append(read)
        at = read.next_id
    return Journey(
        flow=flow,
        entry=entry,
        done=tuple(done),
        current=flow.steps.get(at),
        invalid=invalid,
        left=questions_left(flow).get(at, COMPLETE),
        set_aside=_valid_answers(flow, given, excluding={at, *(each.step.id for each in done)}),
    )


def answer_step(flow: Flow, entry: str, *, answers: object, step: object, answer: object) -> Accepted | Refused:
    """Return the journey with an answer to a step, replayed once; or why the answer is refused.

    It is refused for a step that is not on the path, and for an invalid value.
    """
    given = answers if isinstance(answers, Mapping) else {}
    known = step if isinstance(step, str) and step in flow.steps else ""
    read = read_answer(flow.steps[known], answer) if known else ()
    is_valid = isinstance(read, Answered)
    # whether a step is on the path does not depend on its own answer, so the journey with it decides
    journey = replay(flow, entry, {**given, known: read.value} if is_valid else given)
    if known not in journey.path:
        if is_valid:
            before = {key: value for key, value in journey.set_aside.items() if key != known}
            journey = replace(
                journey,
                set_aside=before
                | _valid_answers(flow, {key: given[key] for key in given if key == known}, excluding=set()),
            )
        return Refused(invalid=(Invalid(step=known, reason=OFF_PATH),), journey=journey, off_path=True)
    if is_valid:
        return Accepted(answers=journey.answers, journey=journey)
    return Refused(invalid=read, journey=journey, off_path=False)


def _valid_answers(flow: Flow, given: Mapping[object, object], excluding: set[str]) -> dict[str, Value]:
    """Return the valid answers to the steps of the flow, excluding some."""
    found: dict[str, Value] = {}
    for id_, step in flow.steps.items():
        if id_ in given and id_ not in excluding:
            read = read_answer(step, given[id_])
            if isinstance(read, Answered):
                found[id_] = read.value
    return found
