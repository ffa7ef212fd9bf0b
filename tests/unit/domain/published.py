"""Published figures, each with its source, that our arithmetic must give."""

import json
from pathlib import Path
from typing import Any

PUBLISHED: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "golden" / "mortgage.json").read_text(encoding="utf-8")
)
