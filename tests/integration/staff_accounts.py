"""Accounts of staff, made as whoever runs the site makes them: on its command line."""

import subprocess
from pathlib import Path

from tools.project import Project


def on_the_command_line(project: Project, state: Path, *words: str) -> str:
    command = [str(project.python), "-m", "broker.staff", *words]
    environment = project.environment(BROKER_STATE_DIR=str(state))
    done = subprocess.run(command, cwd=project.root, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def add_account(project: Project, state: Path, name: str) -> str:
    return on_the_command_line(project, state, "add", name, "--generate").split()[-1]
