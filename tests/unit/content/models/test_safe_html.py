import re
from pathlib import Path

MAKERS = {
    "content/models/pictures.py": 2,
    "content/text/markdown.py": 2,
    "content/text/sanitise.py": 3,
    "content/text/term_links.py": 1,
    "content/models/lenders.py": 1,
    "content/wordpress/import_context.py": 1,
    "content/wordpress/entities/lenders.py": 1,
    "build_inputs.py": 1,  # sanitised by rates.feed.html_text
}
"""The renderer, the sanitiser and edits of what they made, with the number of times that each does."""


def test_only_the_renderer_and_the_sanitiser_make_safe_html() -> None:
    broker = Path("broker")
    found = {
        path.relative_to(broker).as_posix(): len(re.findall(r"\bSafeHtml\(", path.read_text(encoding="utf-8")))
        for path in sorted(broker.rglob("*.py"))
    }
    assert {path: count for path, count in found.items() if count} == MAKERS
