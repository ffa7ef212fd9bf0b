"""The flow as a graph: which steps can be reached, which lead in a circle, and how many questions are left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from broker.domain.questionnaire.flow import SUBMIT, Flow, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsLeft:
    """How many questions are still to be answered, on the shortest and on the longest way to the end."""

    least: int
    most: int


@lru_cache(maxsize=8)
def questions_left(flow: Flow) -> Mapping[str, QuestionsLeft]:
    """Return what is left from each step, itself included, worked out once for a flow.

    Pages of rates ask nothing and are not counted. A step that cannot reach the end is left out.
    """
    least, most = _spread(flow, min), _spread(flow, max)
    return MappingProxyType({id_: QuestionsLeft(least=least[id_], most=most[id_]) for id_ in least})


def reachable(flow: Flow) -> set[str]:
    """Return the steps that some visitor can come to, from any of the entries."""
    found: set[str] = set()
    ahead = [id_ for id_ in flow.entries if id_ in flow.steps]
    while ahead:
        if (id_ := ahead.pop()) not in found:
            found.add(id_)
            ahead.extend(next_id for next_id in flow.steps[id_].next_ids if next_id in flow.steps)
    return found


def cycles(flow: Flow) -> Iterator[tuple[str, ...]]:
    """Yield the steps of each circle in the flow, in their order; of circles that share steps, at least one."""
    left = _in_circles(flow)
    while left:
        way = [next(id_ for id_ in flow.steps if id_ in left)]
        while (onwards := _onwards(flow.steps[way[-1]], left)) not in way:
            way.append(onwards)
        circle = tuple(way[way.index(onwards) :])
        yield circle
        left = _in_circles(flow, without=(*(set(flow.steps) - left), *circle))


def _onwards(step: Step, among: set[str]) -> str:
    return next(id_ for id_ in step.next_ids if id_ in among)


def _in_circles(flow: Flow, without: Iterable[str] = ()) -> set[str]:
    """Return the steps from which a circle is reached, once some steps are taken out."""
    left = set(flow.steps) - set(without)
    while ends := {id_ for id_ in left if not left.intersection(flow.steps[id_].next_ids)}:
        left -= ends
    return left


def _spread(flow: Flow, pick: Callable[[Iterable[int]], int]) -> dict[str, int]:
    """Return the questions from each step to the end, picking among its ways on; `pick` is min or max."""
    found = {SUBMIT: 0}
    steps = list(flow.steps.values())[::-1]
    for _ in steps:  # no way is longer than the flow, which also ends the search in a flow with a circle
        before = dict(found)
        for step in steps:
            if ahead := [found[id_] for id_ in step.next_ids if id_ in found]:
                found[step.id] = int(step.is_question) + pick(ahead)
        if found == before:
            break
    return found
