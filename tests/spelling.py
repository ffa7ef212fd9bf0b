"""What visitors read, and which words of it British English does not know: cspell, its British dictionary, our names.

`words.txt` beside cspell's configuration holds names and terms. The British dictionary also knows Oxford's `-ize`,
which this site does not write, so that ending is looked for here.
"""

import ast
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any

from tools.project import Project, ToolError

Texts = Mapping[str, str]
"""Texts by the name of the file that each is from, line for line where that file has lines."""

VISIBLE = ("components", "content", "calculators", "documents", "enquiries", "lenders", "pages", "plans")
VISIBLE += ("questionnaire", "rates", "server/forms", "site_search", "staff", "state")
"""Folders of `broker` whose strings a visitor may read."""

VOCABULARY = ("content/structured_data.py", "documents/pdf.py", "enquiries/contact_details.py", "site_search/index.py")
VOCABULARY += ("lenders/logos/upload.py", "rates/feed/product_rows.py", "staff/agents.py")
"""Modules with words of a standard, such as schema.org's Organization, or that a text is searched for."""

_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\{\w*\}")
_MARKUP = re.compile(
    r"\]\([^)]*\)|`[^`\n]*`|<[^>]+>|\b[\w.+-]+@[\w.-]+|\b(?:https?://|www\.)\S+|\b[\w-]+(?:\.[\w-]+)+/?\S*"
)
_FIELD = re.compile(r"^( *(?:- )?)(\w+): ?(.*)$")
_CODE_FIELDS = {"slug", "updated", "created", "related", "near", "centre", "path", "theme", "door", "kind", "customers"}
_CODE_FIELDS |= {
    "calculators",
    "categories",
    "show_on_homepage",
    "picture",
    "rate_display_preference",
    "view_all_link",
    "url",
}
_CODE_FIELDS |= {"id", "key", "email", "functions", "unit", "source", "target", "facebook", "instagram"}
_SEEN = re.compile(
    r"""<title>(.*?)</title>|\b(?:alt|aria-label|placeholder|title)="([^"]*)"|>([^<]+)"""
    r"""|<meta (?=[^>]*\b(?:description|title|alt)")[^>]*?\bcontent="([^"]*)\"""",
    re.DOTALL,
)
_UNSEEN = re.compile(r"<(script|style|svg|code|noscript)\b.*?</\1>|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_CUT = re.compile(r"\w*(?:\.\.\.|…)")
_SENTENCE = re.compile(r"^[A-Z£“\"(][^_{};=<>]*[a-z]|[a-z][.?!]$")
_NAMES = ("class_name", "id", "href", "src", "key")
_PROBLEM = re.compile(r"^(.*?):(\d+):\d+ - .*?\((.*?)\)", re.MULTILINE)
_OXFORD = re.compile(r"\b\w*?[a-z](?:iz(?:e[ds]?|ers?|ing|able|ations?|ational)|yz(?:e[ds]?|ing))\b", re.IGNORECASE)
_NOT_OXFORD = re.compile(
    r"(?:\w*(?:size|sized|sizes|sizing|seize|seized|seizes|seizing)|prizes?|prized|maize|resizable)$"
)


def texts_of_content(folder: Path) -> Texts:
    """Return the words of every Markdown and JSON file below a folder, without keys, addresses and sums."""
    texts = {path.relative_to(folder).as_posix(): _of_markdown(path.read_text()) for path in folder.rglob("*.md")}
    for path in folder.rglob("*.json"):
        texts[path.relative_to(folder).as_posix()] = "\n".join(_of_json(json.loads(path.read_text(encoding="utf-8"))))
    return texts


def texts_of_code(broker: Path) -> Texts:
    """Return the strings of our modules that read like words of a page, each on its own line number."""
    modules = {
        path.relative_to(broker).as_posix(): path for folder in VISIBLE for path in (broker / folder).rglob("*.py")
    }
    return {
        name: _of_module(path.read_text(encoding="utf-8")) for name, path in modules.items() if name not in VOCABULARY
    }


def texts_of_pages(client: Path) -> Texts:
    """Return what exported pages say, by address; a line that stands on several is kept for the first."""
    seen: set[str] = set()
    texts: dict[str, str] = {}
    for path in sorted(client.rglob("*.html")):
        lines = dict.fromkeys(text_of_page(path.read_text(encoding="utf-8")).splitlines())
        texts[path.relative_to(client).as_posix()] = "\n".join(line for line in lines if line not in seen)
        seen.update(lines)
    return texts


def text_of_page(html: str) -> str:
    found = (part for groups in _SEEN.findall(_UNSEEN.sub(" ", html)) for part in groups if part)
    return "\n".join(_MARKUP.sub(" ", _CUT.sub("", unescape(part))) for part in found)


def misspelt(texts: Texts, work: Path, *, project: Project) -> list[str]:
    """Return a line for each word that is not British English: its file, its line and the word. Raises ToolError."""
    for name, text in texts.items():
        path = work / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    tools = project.browser_tools
    cli = tools / "node_modules" / "cspell" / "bin.mjs"
    flags = ["--config", str(tools / "cspell.json"), "--root", str(work), "--no-progress", "--no-summary", "--no-color"]
    command = [str(project.venv / "bin" / "node"), str(cli), "lint", *flags, "--relative", "**/*.txt"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1) or (done.returncode and not done.stdout):
        raise ToolError(f"cspell gave no answer: {done.stderr.strip()[-500:]}")
    unknown = [f"{name.removesuffix('.txt')}:{line} {word}" for name, line, word in _PROBLEM.findall(done.stdout)]
    return list(dict.fromkeys([*unknown, *_oxford(texts)]))


def _oxford(texts: Texts) -> Iterator[str]:
    for name, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            yield from (
                f"{name}:{number} {word}" for word in _OXFORD.findall(line) if not _NOT_OXFORD.match(word.lower())
            )


def _of_markdown(document: str) -> str:
    front, _, body = document.removeprefix("---\n").partition("\n---\n")
    fields = "\n".join(_of_field(line) for line in front.splitlines())
    return _MARKUP.sub(" ", _PLACEHOLDER.sub(" ", f"\n{fields}\n\n{_named_parts(body)}"))


def _named_parts(body: str) -> str:
    """Return a body without the names of its parts, `# section_1` and `cta_text:`, which nobody sees."""
    return re.sub(r"^(?:# \w+$|\w+_\w+:)", "", body, flags=re.MULTILINE)


def _of_field(line: str) -> str:
    field = _FIELD.match(line)
    return "" if field and field[2] in _CODE_FIELDS else field[3] if field else line


def _of_json(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _of_json(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _of_json(inner, name)
    elif isinstance(value, str) and name not in _CODE_FIELDS:
        yield _MARKUP.sub(" ", _PLACEHOLDER.sub(" ", value))


def _of_module(source: str) -> str:
    lines = [""] * (source.count("\n") + 1)
    for number, words in _strings(ast.parse(source)):
        lines[number - 1] += " " + " ".join(words.split())
    return "\n".join(_MARKUP.sub(" ", _PLACEHOLDER.sub(" ", line)) for line in lines)


def _strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module that read like words, with their lines: no docstrings, style classes or names."""
    passed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    passed |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg in _NAMES}
    for node in ast.walk(tree):
        words = ""
        if isinstance(node, ast.JoinedStr):
            words = " ".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
            passed |= {id(part) for part in node.values}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value
        if id(node) not in passed and _SENTENCE.search(words.strip()):
            yield getattr(node, "lineno", 1), words
