"""A fault in the code or the content, in one screen: what is wrong, the file and line, and the way there."""

import traceback
from html import escape
from pathlib import Path

MAX_FRAMES = 5

_PAGE = """<!doctype html><html lang="en-GB"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<title>Not compiled</title><style>body {{ font: 16px/1.5 system-ui; margin: 3rem; max-width: 70rem }}
pre {{ padding: 1rem; background: #f4f1ec; overflow: auto }}</style>
<h1>This does not compile</h1><pre>{problem}</pre><p>The page comes back by itself once the file is saved right.</p>"""


def described(error: BaseException, root: Path) -> str:
    """Return the error with `file:line` of the project's innermost frame first, then the frames that led there."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename, root)]
    places = [f"{_short(frame.filename, root)}:{frame.lineno} in {frame.name}" for frame in frames]
    if isinstance(error, SyntaxError) and error.filename:
        places.append(f"{_short(error.filename, root)}:{error.lineno}")
    lines = frames[-1].line if frames and not isinstance(error, SyntaxError) else getattr(error, "text", "") or ""
    message = "".join(traceback.format_exception_only(error)).strip()
    where = [places[-1], f"    {(lines or '').strip()}"] if places else []
    way = [f"  from {place}" for place in reversed(places[-1 - MAX_FRAMES : -1])]
    return "\n".join([*where, message, *way])


def error_page(problem: str) -> str:
    """Return the page that shows it, which looks again every two seconds."""
    return _PAGE.format(problem=escape(problem))


def _is_ours(file: str, root: Path) -> bool:
    path = Path(file)
    return (
        path.is_relative_to(root) and not path.is_relative_to(root / ".venv") and root / "tools" / "dev" != path.parent
    )


def _short(file: str, root: Path) -> str:
    path = Path(file)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else file
