"""The clock of a site's processes, which a test sets by Debian's libfaketime; all other clocks stay as they are."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

FOLDERS = ("lib/*/faketime", "lib64/faketime", "lib/faketime")
LIBRARY = "libfaketimeMT.so.1"
"""The library for processes of several threads."""

MEMORY = Path("/dev/shm")
"""Where the library has two small files for each process, which stay when that is killed."""

SLACK = 3.0
"""Seconds after which every process has seen that its clock was set."""


def find_library() -> Path | None:
    """Return the library, or None where it is not installed."""
    return next((found for folder in FOLDERS for found in Path("/usr").glob(f"{folder}/{LIBRARY}")), None)


class ProcessClock:
    """The clock of the processes of a site that was started with `settings`; it is right until it is set."""

    def __init__(self, library: Path, folder: Path) -> None:
        folder.mkdir()
        self._file = folder / "offset"
        self.set_ahead(0)
        self.settings: Mapping[str, str] = {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # with it each step to a thread and back takes up to 1 ms
            "NO_FAKE_STAT": "1",
        }

    def set_ahead(self, seconds: int) -> None:
        """Set the clock so many seconds ahead of the right time, or back for fewer than none."""
        part = self._file.with_suffix(".part")
        part.write_text(f"{seconds:+}\n")
        part.replace(self._file)


@contextmanager
def process_clock(folder: Path) -> Iterator[ProcessClock | None]:
    """Yield a clock of processes, with its files in a folder that it makes; None without the library."""
    library = find_library()
    if library is None:
        yield None
        return
    try:
        yield ProcessClock(library, folder)
    finally:
        for file in MEMORY.glob("*faketime_s*_*"):
            if not Path("/proc", file.name.rpartition("_")[2]).exists():
                file.unlink(missing_ok=True)
