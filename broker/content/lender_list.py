"""The lenders of the live feed as they were last read: the list that pages are built with."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from broker.content.snapshot.snapshot import MAX_REMOVED_SHARE
from broker.settings import Settings

FILE = "lenders.json"


def lender_list_file(settings: Settings) -> Path:
    return settings.state_dir / FILE


def read_lender_list(settings: Settings) -> Mapping[int, str]:
    """Return the names of the feed's lenders by id; empty where they were never read, and without a feed."""
    try:
        tree = json.loads(lender_list_file(settings).read_text(encoding="utf-8"))
        if not settings.api_url or tree["source"] != settings.api_url:
            return {}
        return {int(lender_id): str(name) for lender_id, name in tree["names"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def write_lender_list(settings: Settings, names: Mapping[int, str]) -> None:
    """Replace the list; raises OSError."""
    file = lender_list_file(settings)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{FILE}.{os.getpid()}")
    part.write_text(json.dumps({"source": settings.api_url, "names": names}, ensure_ascii=False), encoding="utf-8")
    part.replace(file)


def lacks_too_many(names: Mapping[int, str], *, before: Mapping[int, str]) -> bool:
    """Return whether a list lacks more of the lenders before it than may go at once without being accepted."""
    return len(before.keys() - names.keys()) > MAX_REMOVED_SHARE * len(before)
