"""Find every fault of a questionnaire's flow: in its steps, and in the order of them.

`python -m broker.questionnaire.check [path]` prints the faults of a file, a line each, and exits with 1 if there
are any.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from broker.questionnaire.flow import (
    RATE_KINDS,
    START,
    SUBMIT,
    Calculator,
    Choice,
    Fault,
    Flow,
    FlowError,
    Input,
    Inputs,
    Option,
    Radio,
    Range,
    Rates,
    Step,
    cycles,
    questions_left,
    reachable,
)
from broker.questionnaire.flow_reader import parse_json, read_leniently
from broker.questionnaire.forms import MAX_INPUTS, NAMES
from broker.rates.customers import Customer

DEFAULT_PATH = Path("data/questionnaire.json")

MAX_STEPS = 500
"""Four times the steps of the specification."""

_COLUMNS = 12
_ID = re.compile(r"q[a-z0-9-]{1,20}")
"""The id of a step is part of its page's address, and differs from the names of other pages there."""


def load_flow(text: str) -> Flow:
    """Parse a JSON text and name the flow by its digest; raises FlowError with every fault."""
    tree = parse_json(text)
    if faults := faults_in(tree):
        raise FlowError(faults)
    return replace(read_leniently(tree)[0], name=sha256(text.encode()).hexdigest()[:12])


def faults_in(tree: object) -> tuple[Fault, ...]:
    """Return the faults of a JSON tree: what cannot be parsed, then what is wrong with the rest.

    Of an object that cannot be parsed no other faults are reported: they may follow from the first.
    """
    flow, unparsed = read_leniently(tree)
    reported = {_object_of(fault) for fault in unparsed}
    if not flow.steps:
        return unparsed
    if len(flow.steps) > MAX_STEPS:
        return (Fault(words=f"has {len(flow.steps)} steps, more than {MAX_STEPS}"),)
    return (*unparsed, *(fault for fault in check(flow) if _object_of(fault) not in reported))


def check(flow: Flow) -> tuple[Fault, ...]:
    """Return every fault of a flow: of each step in order, then of the flow as a graph."""
    return (*(fault for step in flow.steps.values() for fault in _of_step(step, flow)), *_of_graph(flow))


def _object_of(fault: Fault) -> tuple[str, str]:
    """Return the step and the path of the object that a fault's field belongs to."""
    return fault.step, fault.field.rpartition(" ")[0]


def _of_graph(flow: Flow) -> Iterator[Fault]:
    if flow.start != START:
        yield Fault(words=f"begins with {flow.start!r}, not with {START}")
    for entry in flow.entries:
        if entry not in flow.steps:
            yield Fault(words=f"begins with {entry!r}, which is no step")
    reached = reachable(flow)
    ends = questions_left(flow)
    for id_ in flow.steps:
        if id_ not in reached:
            yield Fault(step=id_, words="is reached from nowhere")
        if id_ not in ends:
            yield Fault(step=id_, words=f"never leads to {SUBMIT}")
    for cycle in cycles(flow):
        yield Fault(step=cycle[0], words=f"leads back to itself: {', '.join((*cycle, cycle[0]))}")


def _of_step(step: Step, flow: Flow) -> Iterator[Fault]:
    if not _ID.fullmatch(step.id):
        yield Fault(step=step.id, field="query_id", words="must be a q with a number, for example q12")
    if not step.question:
        yield Fault(step=step.id, field="query", words="is missing")
    match step.asks:
        case Choice(options=options):
            if not options:
                yield Fault(step=step.id, field="options", words="has no options")
            for option in options:
                yield from _of_option(option, flow, step=step.id)
        case Inputs() as asks:
            yield from _of_inputs(asks, step=step.id)
            yield from _of_next(asks.next_id, flow, step=step.id, place="next_option next_id")
        case Rates() as asks:
            yield from _of_rates(asks, step=step.id)
            yield from _of_next(asks.next_id, flow, step=step.id, place="rates next_id")


def _of_next(next_id: str, flow: Flow, *, step: str, place: str) -> Iterator[Fault]:
    if next_id != SUBMIT and next_id not in flow.steps:
        yield Fault(step=step, field=place, words=f"leads to {next_id!r}, which is no step")


def _of_option(option: Option, flow: Flow, *, step: str) -> Iterator[Fault]:
    place = f"options {option.key}"
    if not option.text:
        yield Fault(step=step, field=f"{place} text", words="is missing")
    if not 1 <= option.width <= _COLUMNS:
        yield Fault(step=step, field=f"{place} col_width", words=f"is {option.width}, not 1 to {_COLUMNS}")
    yield from _of_next(option.next_id, flow, step=step, place=f"{place} next_id")


def _of_rates(rates: Rates, *, step: str) -> Iterator[Fault]:
    if rates.kind not in RATE_KINDS:
        words = f"is {rates.kind!r}, not {', '.join(RATE_KINDS)}" if rates.kind else "is missing"
        yield Fault(step=step, field="rates input_type", words=words)
    if rates.customer and rates.customer not in set(Customer):
        yield Fault(step=step, field="rates customer", words=f"is {rates.customer!r}, which is no customer type")


def _of_inputs(asks: Inputs, *, step: str) -> Iterator[Fault]:
    if not any(isinstance(each, Range | Radio) for each in asks.inputs):
        yield Fault(step=step, field="input_options", words="asks for nothing")
    if len(asks.inputs) > MAX_INPUTS:
        yield Fault(step=step, field="input_options", words=f"has {len(asks.inputs)} inputs, more than {MAX_INPUTS}")
    for number, each in enumerate(asks.inputs):
        place = f"input_options {each.key}"
        if each.key in NAMES:
            yield Fault(step=step, field=place, words="has a name that the form uses itself")
        if not each.question:
            yield Fault(step=step, field=f"{place} input_query", words="is missing")
        if isinstance(each, Range):
            found = _of_range(each)
        elif isinstance(each, Radio):
            found = _of_radio(each)
        else:
            found = _of_calculator(each, asks.inputs[:number], asks.inputs)
        yield from (Fault(step=step, field=f"{place} {name}", words=words) for name, words in found)


def _of_range(each: Range) -> Iterator[tuple[str, str]]:
    if each.low > each.high:
        yield "range_from", f"is {each.low}, above range_to, {each.high}"
    if each.low < 0:
        yield "range_from", f"is {each.low}, below 0"
    if each.unit < 1:
        yield "range_unit", f"is {each.unit}, below 1"
    if each.default is not None and each.low <= each.high and not each.low <= each.default <= each.high:
        yield "range_default", f"is {each.default}, outside {each.low} to {each.high}"


def _of_radio(each: Radio) -> Iterator[tuple[str, str]]:
    if not each.options:
        yield "options", "has no options"
    for option in each.options:
        if not option.text:
            yield f"options {option.key} text", "is missing"


def _of_calculator(each: Calculator, before: tuple[Input, ...], every: tuple[Input, ...]) -> Iterator[tuple[str, str]]:
    ranges = {one.key for one in before if isinstance(one, Range)}
    keys = {one.key for one in every}
    for name, value in (("value_01", each.value_01), ("value_02", each.value_02)):
        if value == each.key:
            yield name, "refers to the calculator itself"
        elif value not in keys:
            yield name, f"refers to {value!r}, which is no input of this step" if value else "is missing"
        elif value not in ranges:
            yield name, f"refers to {value!r}, which is not a range before it"
    if each.value_01 == each.value_02 and each.value_01 in ranges:
        yield "value_02", "refers to the same input as value_01"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every fault of a questionnaire file; return 1 if there are any, else 0."""
    parser = argparse.ArgumentParser(prog="python -m broker.questionnaire.check", description=main.__doc__)
    parser.add_argument("path", nargs="?", type=Path, default=DEFAULT_PATH, help=f"default: {DEFAULT_PATH}")
    path: Path = parser.parse_args(arguments).path
    try:
        flow = load_flow(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.stdout.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{path}: {len(flow.steps)} steps, no faults\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
