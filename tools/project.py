"""Paths of a checkout, its settings, and the error that ends a tool.

Standard library only: a tool imports it before anything is installed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from broker.settings import Settings


class ToolError(Exception):
    """A tool cannot continue; the message says why and what to do about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A checkout, by its root folder; by default the one that this file is in."""

    root: Path = Path(__file__).resolve().parent.parent

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
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
        """Return the folder of locks and logs, created if missing."""
        folder = self.root / ".build"
        folder.mkdir(exist_ok=True)
        return folder

    @property
    def browser_tools(self) -> Path:
        """Return the folder that axe, Lighthouse and cspell are installed in."""
        return self.root / "tests" / "browser_tools"

    def environment(self, **extra: str) -> dict[str, str]:
        """Return the process's environment with our Python and Node first on PATH, and `extra`."""
        ours = {
            "PATH": f"{self.venv / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "",  # unset, so that servers share compiled modules
            "REFLEX_DIR": str(self.work / "reflex"),
            "REFLEX_USE_NPM": "1",
            "REFLEX_TELEMETRY_ENABLED": "false",
            "REFLEX_CHECK_LATEST_VERSION": "false",
            # lock files hold versions and digests, not the address of the registry that was used
            "npm_config_omit_lockfile_registry_resolved": "true",
            "npm_config_audit": "false",
            "npm_config_fund": "false",
        }
        return {**os.environ, **ours, **extra}


def load_settings() -> Settings:
    """Return the settings of the environment; raises ToolError for one that cannot be used."""
    from broker.settings import SettingsError, read_settings  # not installed while the environment is set up

    try:
        return read_settings()
    except SettingsError as error:
        raise ToolError(str(error)) from error


def run_tool(tool: Callable[[], None]) -> None:
    """Run a tool's main function; exit with the message of a ToolError and code 1, or with 130 on Ctrl+C."""
    try:
        tool()
    except ToolError as error:
        sys.exit(f"\n{error}")
    except KeyboardInterrupt:
        sys.exit(130)
