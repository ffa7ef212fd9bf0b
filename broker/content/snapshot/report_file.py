"""The report of the last copy of the content, beside the snapshots."""

import json
import os
from pathlib import Path

from broker.content.errors import ContentError
from broker.content.snapshot.serialisation import from_plain, to_plain
from broker.domain.staff.content_report import ContentReport

FILE = "report.json"


def write_report(folder: Path, report: ContentReport) -> None:
    """Replace the report; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{FILE}.{os.getpid()}"
    part.write_text(json.dumps(to_plain(report), ensure_ascii=False, indent=1), encoding="utf-8")
    part.replace(folder / FILE)


def read_report(folder: Path) -> ContentReport | None:
    """Return the report; None where there is none, or none that can be read."""
    try:
        tree = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return from_plain(ContentReport, tree, source=str(folder / FILE))
    except (OSError, ValueError, ContentError):
        return None
