"""The flow as a graph: reachable steps, cycles, and the number of questions left."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from broker.domain.questionnaire.flow import SUBMIT, Flow, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsLeft:
    """The number of questions left, on the shortest and on the longest path to the end."""

    least: int
    most: int


@lru_cache(maxsize=64)
def questions_left(flow: Flow) -> Mapping[str, QuestionsLeft]:
    """Return the questions left from each step, itself included, cached by flow.

    Rate steps are not counted. A step that cannot reach the end is left out.
    """
    least, most = _spread(flow, min), _spread(flow, max)
    return MappingProxyType({id_: QuestionsLeft(least=least[id_], most=most[id_]) for id_ in least})


def reachable(flow: Flow) -> set[str]:
    """Return the steps that are reachable from the entries."""
    found: set[str] = set()
    ahead = [id_ for id_ in flow.entries if id_ in flow.steps]
    while ahead:
        if (id_ := ahead.pop()) not in found:
            found.add(id_)
            ahead.extend(next_id for next_id in flow.steps[id_].next_ids if next_id in flow.steps)
    return found


def cycles(flow: Flow) -> Iterator[tuple[str, ...]]:
    """Yield the steps of each cycle in order; of cycles that share steps, at least one."""
    left = _leading_to_cycles(flow)
    while left:
        way = [next(id_ for id_ in flow.steps if id_ in left)]
        while (onwards := _onwards(flow.steps[way[-1]], left)) not in way:
            way.append(onwards)
        cycle = tuple(way[way.index(onwards) :])
        yield cycle
        left = _leading_to_cycles(flow, without=(*(set(flow.steps) - left), *cycle))


def _onwards(step: Step, among: set[str]) -> str:
    return next(id_ for id_ in step.next_ids if id_ in among)


def _leading_to_cycles(flow: Flow, without: Iterable[str] = ()) -> set[str]:
    """Return the steps from which a cycle is reached, without some steps."""
    left = set(flow.steps) - set(without)
    while ends := {id_ for id_ in left if not left.intersection(flow.steps[id_].next_ids)}:
        left -= ends
    return left


def _spread(flow: Flow, pick: Callable[[Iterable[int]], int]) -> dict[str, int]:
    """Return the questions from each step to the end; `pick`, min or max, chooses among next steps."""
    found = {SUBMIT: 0}
    steps = list(flow.steps.values())[::-1]
    for _ in steps:  # no path is longer than the flow; this also ends the loop for a flow with a cycle
        before = dict(found)
        for step in steps:
            if ahead := [found[id_] for id_ in step.next_ids if id_ in found]:
                found[step.id] = int(step.is_question) + pick(ahead)
        if found == before:
            break
    return found
