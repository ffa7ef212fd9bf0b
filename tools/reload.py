"""Have the running server take the code and the release that are on disk: `make reload` after `make build`."""

import os
import signal

from tools.project import ToolError, run_tool
from tools.serve import process_file
from tools.settings import load_settings


def main() -> None:
    """Signal the server of BROKER_STATE_DIR; raises ToolError where none runs."""
    try:
        os.kill(int(process_file(load_settings()).read_text()), signal.SIGUSR1)
    except (OSError, ValueError) as error:
        raise ToolError("No server runs over this BROKER_STATE_DIR: start one with `make serve`.") from error
    print("The workers are replaced one after the other; the log says when each has started.")


if __name__ == "__main__":
    run_tool(main)
