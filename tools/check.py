"""Run every check, and say at the end which failed: `make check`."""

import subprocess
from collections.abc import Mapping

from tools.project import Project, ToolError, run_tool


def checks(project: Project) -> Mapping[str, list[str]]:
    """Return the command of each check by name; JavaScript is checked if eslint is installed."""
    python = [str(project.python), "-m"]
    every = {
        "format (make format repairs it)": [*python, "ruff", "format", "--check", "."],
        "lint": [*python, "ruff", "check", "."],
        "types": [*python, "pyright"],
        "architecture and style": [*python, "pytest", "-q", "tests/test_architecture.py", "tests/test_style.py"],
        "spelling": [*python, "pytest", "-q", "tests/test_spelling.py"],
    }
    eslint, config = project.browser_tools / "node_modules/.bin/eslint", project.browser_tools / "eslint.config.js"
    if eslint.exists() and config.exists():
        every["JavaScript"] = [str(eslint), "--config", str(config), "broker", "tools"]
    return every


def main() -> None:
    """Run all checks; raises ToolError with those that failed."""
    project = Project()
    failed = []
    for name, command in checks(project).items():
        print(f"== {name}", flush=True)
        done = subprocess.run(command, cwd=project.root, env=project.environment(), check=False)
        if done.returncode:
            failed.append(name)
    if failed:
        raise ToolError(f"Failed: {', '.join(failed)}.")
    print("Every check passed.")


if __name__ == "__main__":
    run_tool(main)
