"""Have the running server take the code and the release that are on disk: `make reload` after `make build`.

Ends once all workers are replaced; with code 1 and a sentence where the new code does not start, and the old goes on.
"""

import os
import signal
import time

from broker.settings import Settings
from broker.storage.operation_files import DONE, FAILED, reload_file
from tools.project import ToolError, run_tool
from tools.serve import process_file
from tools.settings import load_settings

WORKER_SECONDS = 200
"""Time to replace one worker: 180 seconds to start and 5 to end, as `tools.web_server` has it, and some more."""


def main() -> None:
    """Signal the server of BROKER_STATE_DIR; raises ToolError where none runs, or the new code does not start."""
    settings = load_settings()
    try:
        reload_file(settings).unlink(missing_ok=True)
        os.kill(int(process_file(settings).read_text()), signal.SIGUSR1)
    except (OSError, ValueError) as error:
        raise ToolError("No server runs over this BROKER_STATE_DIR: start one with `make serve`.") from error
    if _result(settings) != DONE:
        raise ToolError("The new code did not start, and the old workers go on: the server's log says why.")
    print("The workers are replaced.")


def _result(settings: Settings) -> str:
    """Wait for the result of the reload, and return it; empty where none comes."""
    file = reload_file(settings)
    deadline = time.monotonic() + settings.workers * WORKER_SECONDS
    while time.monotonic() < deadline:
        if file.exists() and (found := file.read_text()) in {DONE, FAILED}:
            return found
        time.sleep(0.1)
    return ""


if __name__ == "__main__":
    run_tool(main)
