import subprocess

import pytest

from tools import check
from tools.project import ToolError


def test_every_check_runs_and_every_failure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = {"lint": ["lint"], "types": ["types"], "spelling": ["spelling"]}
    ran: list[str] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        ran.append(command[0])
        return subprocess.CompletedProcess(command, int(command[0] != "types"))

    monkeypatch.setattr(check, "checks", lambda _: commands)
    monkeypatch.setattr(check.subprocess, "run", run)
    with pytest.raises(ToolError, match=r"Failed: lint, spelling\."):
        check.main()
    assert ran == ["lint", "types", "spelling"]
