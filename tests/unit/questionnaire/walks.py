"""Random answers, good and forged, drawn from a seed."""

from random import Random
from typing import Any

from broker.questionnaire.answers import SEEN, Value
from broker.questionnaire.flow import Choice, Flow, Inputs, Radio, Range, Step


def good_answer(step: Step, draw: Random) -> Value:
    if isinstance(step.asks, Choice):
        return draw.choice(step.asks.options).key
    if not isinstance(step.asks, Inputs):
        return SEEN
    value: dict[str, int | str] = {}
    for each in step.asks.inputs:
        if isinstance(each, Range):
            value[each.key] = draw.choice((each.low, each.high, draw.randint(each.low, each.high)))
        elif isinstance(each, Radio):
            value[each.key] = draw.choice(each.options).key
    return value


def forged_answer(draw: Random, depth: int = 0) -> Any:
    if depth < 3 and draw.random() < 0.35:
        inner = [forged_answer(draw, depth + 1) for _ in range(draw.randrange(4))]
        return inner if draw.random() < 0.4 else {draw.choice(_KEYS): each for each in inner}
    return draw.choice(_SCALARS)


_KEYS: tuple[Any, ...] = ("01", "02", "03", "04", "1", 1, "yes", "", None, "q1", "__class__")
_SCALARS: tuple[Any, ...] = (None, True, False, 0, 1, 2, -1, 30, 2_000, 250_000, 10**400, 1.0, 0.5, 1e308)
_SCALARS += (float("nan"), float("inf"), "", "yes", "no", "flat", "repayment", "employed", "seen", "remortgage")
_SCALARS += ("1", "2000", "250,000", "£30,000", "9" * 200, "x" * 2_000, "\ud800", "\u202e1", "submit", "01", object())


def forged_step(flow: Flow, draw: Random, here: str) -> Any:
    """Return a step that an event may name: the one asked, any of the flow, or none at all."""
    known = draw.choice(tuple(flow.steps))
    return draw.choice((here, here, known, known, known, "submit", "q0", "", None, 7, ["q1"], {"step": here}, object()))
