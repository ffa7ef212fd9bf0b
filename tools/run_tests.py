"""Run pytest, then the failed tests again, alone: `tools.run_tests [ARGUMENTS OF PYTEST]`.

A test that then passes is flaky: it is printed, to be fixed the same day, and does not fail the run.
"""

import subprocess
import sys
from collections.abc import Sequence

import pytest

MAX_AGAIN = 20
"""Failed tests that are run again; more of them have a common cause."""


class FailedTests:
    """Pytest plugin that collects the ids of failed tests, and of files that could not be imported."""

    def __init__(self) -> None:
        self.ids: dict[str, None] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.ids[report.nodeid] = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.ids[report.nodeid] = None


def run(arguments: Sequence[str]) -> int:
    """Return pytest's exit code, that of the second run if there is one."""
    failed = FailedTests()
    code = pytest.main(list(arguments), plugins=[failed])
    if code != pytest.ExitCode.TESTS_FAILED or not 0 < len(failed.ids) <= MAX_AGAIN:
        return int(code)
    ids = list(failed.ids)
    print(f"\nRunning what failed once more, alone: {len(ids)}", flush=True)
    again = subprocess.run([sys.executable, "-m", "pytest", *ids], check=False).returncode
    if again == pytest.ExitCode.OK:
        print("\nUnsteady, to be mended: failed among the others, passed alone:", *ids, sep="\n  ")
    return again


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
