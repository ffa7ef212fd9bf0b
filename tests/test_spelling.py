"""Everything a visitor may read is spelt as in Britain; this part of it needs no built site."""

import re
from pathlib import Path

import pytest

from tests.spelling import misspelt, text_of_page, texts_of_code, texts_of_content, texts_of_pages
from tools.project import Project


def test_content_and_words_in_the_code_are_in_british_english(project: Project, tmp_path: Path) -> None:
    content, code = texts_of_content(project.root / "data"), texts_of_code(project.root / "broker")
    assert misspelt({**content, **code}, tmp_path, project=project) == []
    assert (len(content) > 100, len("".join(code.values()).split()) > 2_000) == (True, True)


def test_apostrophes_are_curly(project: Project) -> None:
    texts = {**texts_of_content(project.root / "data"), **texts_of_code(project.root / "broker")}
    lines = [(name, line) for name, text in texts.items() for line in text.splitlines()]
    assert [found for found in lines if re.search(r"\w'(?:s|t|re|ve|ll|d|m)\b|s' ", found[1])] == []


def test_every_word_let_by_is_written_somewhere(project: Project) -> None:
    texts = {**texts_of_content(project.root / "data"), **texts_of_code(project.root / "broker")}
    written = " ".join([*texts.values(), (project.root / "data" / "market" / "lenders.csv").read_text()]).lower()
    words = [line for line in (project.browser_tools / "words.txt").read_text().splitlines() if line and line[0] != "#"]
    assert [word for word in words if word.lower() not in written] == []


WRONG = ["color", "organization", "organized", "analyzing", "teh", "morgage", "favorite", "gotten", "program", "gray"]
RIGHT = ["colour", "organisation", "size", "prizes", "downsizing", "seized", "judgment", "licence", "programme", "grey"]


@pytest.fixture
def planted(project: Project, tmp_path: Path) -> Path:
    """Return a checkout with one guide, a JSON file, a module and a page, each with wrong words and right ones."""
    content = tmp_path / "data" / "content"
    (content / "guides").mkdir(parents=True)
    guide = (project.root / "data" / "content" / "guides" / "what-is-ltv.md").read_text(encoding="utf-8")
    (content / "guides" / "what-is-ltv.md").write_text(f"{guide}\n\n{' '.join(RIGHT)}.\n\n{' '.join(WRONG)}.\n")
    (content / "site.json").write_text('{"slug": "color", "name": "Our behavior", "url": "https://color.example/"}')
    (tmp_path / "broker" / "pages").mkdir(parents=True)
    (tmp_path / "broker" / "pages" / "home.py").write_text(
        '"""The color of a page."""\n\nWORDS = "We catalog every lender."\nCLASS = "btn btn-color"\n'
    )
    (tmp_path / "client").mkdir()
    (tmp_path / "client" / "index.html").write_text(
        '<title>Our favorite</title><script>"color"</script><p class="color" aria-label="Labor">A <b>theater</b></p>'
    )
    return tmp_path


def test_wrong_word_in_content_code_or_a_page_is_named_with_its_line(planted: Path, project: Project) -> None:
    content, pages = texts_of_content(planted / "data" / "content"), texts_of_pages(planted / "client")
    found = misspelt({**content, **texts_of_code(planted / "broker"), **pages}, planted / "work", project=project)
    last = len(content["guides/what-is-ltv.md"].splitlines())
    named = {*(f"guides/what-is-ltv.md:{last} {word}" for word in WRONG), "site.json:1 behavior"}
    named.add("pages/home.py:3 catalog")
    assert (named - {*found}, len(found)) == (set(), len(named) + 3)
    assert {entry.split()[-1] for entry in found} >= {"Labor", "favorite", "theater"}


def test_documents_keep_their_lines(project: Project) -> None:
    content = project.root / "data" / "content"
    guides = {path: path.read_text(encoding="utf-8") for path in (content / "guides").glob("*.md")}
    texts = texts_of_content(content)
    read = {path: len(texts[path.relative_to(content).as_posix()].splitlines()) for path in guides}
    assert read == {path: len(text.splitlines()) for path, text in guides.items()}


def test_page_is_read_as_its_visitor_does() -> None:
    head = '<meta content="Say it" name="description"/><meta content="noindex" name="robots"><style>p {}</style>'
    html = f'{head}<p>Compare <a href="/x">deals</a> cut sho...</p><img alt="A door">'
    assert text_of_page(html).split() == ["Say", "it", "Compare", "deals", "cut", "A", "door"]


def test_missing_tool_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        misspelt({"a": "words"}, tmp_path / "work", project=Project(root=tmp_path))
