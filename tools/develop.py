"""Serve with hot reload, for editing: `reflex run`, with our Node, pages on PORT and the backend beside it."""

from __future__ import annotations

import subprocess

from tools.build import given_settings
from tools.project import Project, run_tool
from tools.server import check_free

BACKEND = 8000


def main() -> None:
    """Run Reflex's development server until stopped; raises ToolError when a port is taken."""
    project = Project()
    port = given_settings().port
    check_free(port)
    check_free(BACKEND)
    command = [str(project.python), "-m", "reflex", "run", "--frontend-port", str(port), "--backend-port", str(BACKEND)]
    environment = project.environment(BROKER_SITE_URL=f"http://localhost:{port}")
    subprocess.run(command, cwd=project.root, env=environment, check=False)


if __name__ == "__main__":
    run_tool(main)
