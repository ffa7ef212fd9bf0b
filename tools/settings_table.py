"""Write docs/reference/settings.md and .env.example from the fields of Settings: `python -m tools.settings_table`."""

import re
from pathlib import Path

from pydantic.fields import FieldInfo

from broker.settings import ROOT, Settings, bounds_of, variable_of

PAGE = ROOT / "docs" / "reference" / "settings.md"

INTRODUCTION = """# Settings

Read from the environment when the site is built and when it starts. All may be left out; a blank value counts as left
out. This page is written by `python -m tools.settings_table` from `broker/settings.py`.

"""

EXAMPLE = ROOT / ".env.example"

EXAMPLE_FIELDS = (
    *("site_url", "hosts", "trusted_proxies", "secret_keys", "state_dir", "database_url", "redis_url"),
    *("api_url", "smtp_url", "mail_from", "mail_to", "metrics_tokens", "log_format"),
)
"""The fields of Settings in .env.example: those that an installation sets."""

EXAMPLE_HEAD = """# Settings that an installation sets. All may be left out, as blank ones are: then the site
# serves its sample on http://localhost:3000. Copy this file to `.env`, load it (`set -a; . ./.env; set +a`). Of these
# compose.yaml takes the secret key, mail, the token of the metrics and the last two; it sets the others itself.
# All settings: docs/reference/settings.md. This file is written by `python -m tools.settings_table`.
"""

COMPOSE = """
# For compose.yaml alone
# Host name of the site; BROKER_SITE_URL and BROKER_HOSTS follow from it
SITE_HOST=
# Password of the database
POSTGRES_PASSWORD=
"""


def settings_example() -> str:
    """Return .env.example: a variable a line, below the first clause of its description."""
    fields = (Settings.model_fields[name] for name in EXAMPLE_FIELDS)
    lines = (f"# {_first_clause(field.description or '')}\n{variable_of(field)}=\n" for field in fields)
    return EXAMPLE_HEAD + "\n" + "".join(lines) + COMPOSE


def _first_clause(description: str) -> str:
    return re.split(r"[.;] ", description, maxsplit=1)[0].replace("`", "")


def settings_table() -> str:
    """Return the page, with a row for each setting."""
    rows = ["| variable | default | takes | what for |", "|---|---|---|---|"]
    rows += (
        f"| `{variable_of(field)}` | {_default(field)} | {_takes(field)} | {field.description} |"
        for field in Settings.model_fields.values()
    )
    return INTRODUCTION + "\n".join(rows) + "\n"


def _default(field: FieldInfo) -> str:
    default = field.default
    if isinstance(default, Path):
        default = default.relative_to(ROOT)
    return "none" if default in ("", ()) else f"`{default}`"


def _takes(field: FieldInfo) -> str:
    if bounds := bounds_of(field):
        return f"{bounds[0]:,} to {bounds[1]:,}"
    if field.annotation is Path:
        return "a folder"
    if field.annotation is bool:
        return "`true` or `false`"
    if field.annotation is not str:
        return "names, with commas between" if variable_of(field) == "BROKER_HOSTS" else "keys"
    return {"mail": "an email address", "dkim": "a text", "log": "`text` or `json`", "bind": "an IP address"}.get(
        variable_of(field).split("_")[1].lower(), "a URL"
    )


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(settings_table(), encoding="utf-8")
    EXAMPLE.write_text(settings_example(), encoding="utf-8")
