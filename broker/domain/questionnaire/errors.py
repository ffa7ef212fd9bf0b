"""What can be wrong with a flow: each fault by its place and in words, and the error that carries all of them.

FlowError   a text or tree that is no flow, or a flow with faults
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_LONGEST = 200
"""Characters of each part of a fault's line; a key or an id of the flow may be as long as it likes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong with a flow: the step it is in, the field of that step, and what is wrong in words.

    Both places are empty for a fault of the flow as a whole.
    """

    step: str = ""
    field: str = ""
    words: str

    def __str__(self) -> str:
        """Return the fault as one line, cut where it is long: `q4 input_options 01 range_from: is missing`."""
        place = " ".join(part[:_LONGEST] for part in (self.step, self.field) if part)
        return f"{place or 'the flow'}: {self.words[:_LONGEST]}"


class FlowError(ValueError):
    """A flow that cannot be used; `faults` are all that were found, in the order of its steps."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Keep the faults; the message has a line for each."""
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))
