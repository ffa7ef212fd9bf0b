"""Write docs/reference/settings.md from the fields of Settings: `python -m tools.settings_table`."""

from pathlib import Path

from pydantic.fields import FieldInfo

from broker.settings import ROOT, Settings, bounds_of, variable_of

PAGE = ROOT / "docs" / "reference" / "settings.md"

INTRODUCTION = """# Settings

Read from the environment when the site is built and when it starts. All may be left out; a blank value counts as left
out. This page is written by `python -m tools.settings_table` from `broker/settings.py`.

"""


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
