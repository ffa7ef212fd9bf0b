"""Parsing of a flow from JSON: the site's own file, or a WordPress answer (specification 3, "Questionnaire step").

Optional fields besides the specification's: `why` and `label` of a step, `label`,
`range_default` and `value_02_kind` of an input, `note` of an option, `customer` of rates.
PHP writes numbers as texts, keyed maps as lists, `[]` for nothing, `input_range` for `range`, and HTML entities.
"""

import json
from types import MappingProxyType
from typing import Any

from broker.domain.questionnaire.entries import ENTRY_STEPS
from broker.domain.questionnaire.errors import Fault, FlowError
from broker.domain.questionnaire.flow import START, Flow, Step
from broker.domain.questionnaire.json_reader import Item, JsonObject
from broker.domain.questionnaire.step_reader import read_prompt

_ENVELOPE = "queries"
"""The key of the steps in a WordPress answer; the site's own file has the steps at the top level."""


def parse(text: str) -> Any:
    """Parse a JSON text and record duplicate keys; raises FlowError for invalid JSON."""
    try:
        return json.loads(text, object_pairs_hook=JsonObject)
    except (ValueError, RecursionError) as error:
        raise FlowError([Fault(words=f"is not JSON: {error}")]) from error


def read(tree: object) -> Flow:
    """Return the flow of a tree; raises FlowError with every field that cannot be parsed.

    `check.check` finds the faults between steps.
    """
    flow, faults = read_leniently(tree)
    if faults:
        raise FlowError(faults)
    return flow


def read_leniently(tree: object) -> tuple[Flow, tuple[Fault, ...]]:
    """Return the flow of the valid parts of a tree, and a fault for every field that cannot be parsed."""
    faults: list[Fault] = []
    whole = Item.of(tree, faults=faults)
    wrapped = _ENVELOPE in whole.values
    listed = Item.of(whole.values[_ENVELOPE], faults=faults) if wrapped else whole
    if not listed.values and not faults:
        faults.append(Fault(words="has no steps"))
    steps = {id_: _step(id_, values, faults=faults) for id_, values in listed.values.items()}
    start = whole.text("start") if wrapped else ""
    start = start or START
    entries = tuple(dict.fromkeys((start, *(id_ for id_ in ENTRY_STEPS if id_ in steps))))
    return Flow(steps=MappingProxyType(steps), start=start, entries=entries), tuple(faults)


def _step(id_: str, values: object, *, faults: list[Fault]) -> Step:
    item = Item.of(values, faults=faults, step=id_)
    if item.values and (named := item.text("query_id")) != id_:
        item.fault("query_id", f"is {named!r} under the key {id_!r}" if named else "is missing")
    question = item.text("query")
    return Step(
        id=id_, question=question, label=item.text("label") or question, why=item.text("why"), asks=read_prompt(item)
    )
