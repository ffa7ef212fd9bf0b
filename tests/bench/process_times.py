"""Processor time of processes, from `/proc`: what a load costs each part of a site."""

import os
from contextlib import suppress
from pathlib import Path

from tests.integration.hostile import children

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process: int) -> float:
    """Return the processor time of a process and of those below it, ended ones included."""
    spent = 0.0
    with suppress(OSError):  # it may end meanwhile, and counts for its parent then
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        spent = sum(map(int, fields[11:15])) / TICKS + sum(map(processor_seconds, children(process)))
    return spent


def idle_seconds() -> float:
    """Return the time that the machine's cores have been idle, all added up."""
    fields = Path("/proc/stat").read_text().split()
    return (int(fields[4]) + int(fields[5])) / TICKS
