"""Write the lock files: `make lock`, after a change of `requirements.txt` or `requirements-dev.txt`.

Packages that are not named there keep their version where it still fits. `ARGS="--upgrade"` raises all of them,
`ARGS="--upgrade-package NAME"` one.
"""

import sys

from tools.environment import DEV_LOCK, LOCK, RUN, TESTS, call, say
from tools.project import Project, run_tool

PYTHON_VERSION = "3.11"


def main() -> None:
    """Write both lock files, with a hash for each file that pip may install; raises ToolError."""
    project = Project()
    lock(project, [RUN], target=LOCK)
    lock(project, [RUN, TESTS, "--constraints", LOCK], target=DEV_LOCK)
    print(f"Written: {LOCK} and {DEV_LOCK}. The next `make` installs them.")


def lock(project: Project, sources: list[str], *, target: str) -> None:
    """Write one lock file, with extras, for which pip would otherwise look beyond it."""
    say(f"Writing {target}")
    options = ["--universal", "--generate-hashes", "--python-version", PYTHON_VERSION]
    options += ["--no-annotate", "--no-header", "--no-emit-index-url", "--no-strip-extras", "--quiet"]
    call(
        [str(project.python), "-m", "uv", "pip", "compile", *options, *sys.argv[1:], *sources, "-o", target],
        problem="No versions fit together: the lines above name the packages that want different ones.",
        folder=project.root,
    )


if __name__ == "__main__":
    run_tool(main)
