"""Where things are in a checkout, and the sentence that a tool ends with when it cannot go on."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


class ToolError(Exception):
    """A tool cannot go on; the message says why and what to do about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A checkout, by its root folder; by default the one that this file is in."""

    root: Path = Path(__file__).resolve().parent.parent

    @property
    def venv(self) -> Path:
        """Return the virtual environment."""
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """Return the Python of the virtual environment."""
        return self.venv / "bin" / "python"

    @property
    def web(self) -> Path:
        """Return the folder that Reflex builds in."""
        return self.root / ".web"

    @property
    def exported(self) -> Path:
        """Return the folder that Reflex exports the pages to."""
        return self.web / "build" / "client"

    @property
    def work(self) -> Path:
        """Return the folder of stamps, locks and logs, made when missing."""
        folder = self.root / ".build"
        folder.mkdir(exist_ok=True)
        return folder

    @property
    def browser_tools(self) -> Path:
        """Return the folder of axe, Lighthouse and cspell."""
        return self.root / "tests" / "browser_tools"

    def environment(self, **extra: str) -> dict[str, str]:
        """Return the process's environment with our Python and Node first, Reflex kept quiet, and `extra` on top."""
        ours = {
            "PATH": f"{self.venv / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "",  # each server would compile every module again
            "REFLEX_DIR": str(self.work / "reflex"),
            "REFLEX_USE_NPM": "1",
            "REFLEX_TELEMETRY_ENABLED": "false",
            "REFLEX_CHECK_LATEST_VERSION": "false",
            # lock files then hold versions and digests, and no address of whichever registry was at hand
            "npm_config_omit_lockfile_registry_resolved": "true",
            "npm_config_audit": "false",
            "npm_config_fund": "false",
        }
        return {**os.environ, **ours, **extra}


def run_tool(tool: Callable[[], None]) -> None:
    """Run a tool's main function; a ToolError ends it with its sentence and exit code 1."""
    try:
        tool()
    except ToolError as error:
        sys.exit(f"\n{error}")
    except KeyboardInterrupt:
        sys.exit(130)
