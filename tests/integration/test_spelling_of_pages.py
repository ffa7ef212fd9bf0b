"""What the exported pages say, in British English: words of every family, the market's lenders among them."""

from pathlib import Path

from tests.spelling import misspelt, texts_of_pages
from tools.project import Project


def test_exported_pages_are_in_british_english(site: Path, project: Project, tmp_path: Path) -> None:
    texts = texts_of_pages(site)
    assert (misspelt(texts, tmp_path, project=project), len(texts) > 100) == ([], True)
