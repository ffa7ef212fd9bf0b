"""The project's JavaScript: its own tests, one document that names every file, and none of it in Python strings."""

import ast
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from broker.lending.arithmetic import to_pennies
from broker.lending.money import MAX_POUNDS, decimals, exact, pounds_and_pence
from tools.project import Project

PROJECT = Project()
TESTS = Path(__file__).parent
SCRIPTS = sorted(PROJECT.root.glob("broker/**/*.js"))
NUMBERS = PROJECT.root / "broker" / "components" / "js" / "numbers.js"
DOCUMENT = PROJECT.root / "docs" / "javascript.md"

HARD = [0, -0.0, 0.5, 1.5, 2.5, 1.005, 2.675, 0.045, -0.5, -0.001, -1.005, 5e-7, 9.99e-7, 1e-6, 3e-324, 0.1 + 0.2]
HARD += [999.995, 1_234_567.125, 999_999_999.995, MAX_POUNDS - 0.005, float(MAX_POUNDS)]

_SIGN = re.compile(r"=>|\bfunction\b\s*\w*\(|\bdocument\.|\bwindow\.|\bglobalThis\.|\bconst \w+ =|\bawait ")
_SEVERAL = re.compile(r";\s*\S")


def node(*arguments: str, text: str = "") -> str:
    command = [str(PROJECT.venv / "bin" / "node"), *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_scripts_pass_their_own_tests() -> None:
    node("--test", "--test-timeout=60000", *map(str, sorted(TESTS.glob("*.test.js"))))


def test_every_script_has_a_test_and_a_row_in_the_document() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    names = {file.relative_to(PROJECT.root).as_posix() for file in SCRIPTS}
    assert {name for name in names if not (TESTS / f"{Path(name).stem}.test.js").exists()} == set()
    assert set(re.findall(r"^\| `(broker/\S+\.js)`", document, re.MULTILINE)) == names


def scripts_in(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    inner |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for each in (node for node in ast.walk(tree) if id(node) not in inner):
        if isinstance(each, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in each.values)
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            text = each.value
        else:
            continue
        if _SIGN.search(text) and _SEVERAL.search(text):
            yield f"{file.relative_to(PROJECT.root)}:{each.lineno}"


def test_no_python_string_holds_more_than_one_expression() -> None:
    assert [place for file in sorted(PROJECT.root.glob("broker/**/*.py")) for place in scripts_in(file)] == []


WRITTEN: dict[str, tuple[str, Callable[[float], object]]] = {
    **{
        f"to {places} places": (f"formatDecimals(value, {places})", partial(decimals, places=places))
        for places in range(3)
    },
    "exactly": ("formatExact(value)", exact),
    "in pennies": ("toPennies(value)", to_pennies),
    "in pounds": ("inPounds(formatDecimals(value, 2))", pounds_and_pence),
}


@pytest.mark.parametrize("how", WRITTEN)
def test_numbers_are_written_as_python_writes_them(how: str) -> None:
    in_browser, in_python = WRITTEN[how]
    random = Random(20_261_122)
    halves = [random.randrange(10**9) / 1_000 for _ in range(20_000)]
    products = [random.randrange(10**9) / 100 * random.choice((4.5, 4.75, 5.5, 0.125, 1.1)) for _ in range(20_000)]
    any_size = [random.choice((1, -1)) * 10 ** random.uniform(-8, 10) for _ in range(20_000)]
    values = [*HARD, *halves, *products, *any_size]
    program = (
        f"import {{formatDecimals, formatExact, inPounds, toPennies}} from '{NUMBERS.as_uri()}';"
        "import {readFileSync} from 'node:fs';"
        f"console.log(JSON.stringify(JSON.parse(readFileSync(0)).map((value) => {in_browser})))"
    )
    written = json.loads(node("--input-type=module", "--eval", program, text=json.dumps(values)))
    pairs = zip(values, written, strict=True)
    assert [(value, text) for value, text in pairs if text != in_python(value)] == []
