"""Faults of a flow, each with its place, and the error that holds them."""

from collections.abc import Iterable
from dataclasses import dataclass

_MAX_PART_LENGTH = 200
"""Characters of each part of a fault's line; keys and ids of a flow have no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault: its step, the field of that step, and a description. Both places are empty for the whole flow."""

    step: str = ""
    field: str = ""
    words: str

    def __str__(self) -> str:
        """Return the fault as one line, truncated: `q4 input_options 01 range_from: is missing`."""
        place = " ".join(part[:_MAX_PART_LENGTH] for part in (self.step, self.field) if part)
        return f"{place or 'the flow'}: {self.words[:_MAX_PART_LENGTH]}"


class FlowError(ValueError):
    """A text that is no flow, or a flow with faults; `faults` are in the order of its steps."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))
