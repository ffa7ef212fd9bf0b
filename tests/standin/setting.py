"""Settings of the stand-in: for the whole server or a single request, and the names of answers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.standin.forms import php_fields, text
from tests.standin.wire import Request

OK = "ok"

SHAPES = {
    "ok": "as the recorded answers",
    "one": "one row, as an object",
    "none-object": "no rows: objSchemes is {}",
    "none-list": "no rows: objSchemes is []",
    "gaps-object": "rows as an object with gaps in its keys",
    "empties-as-list": "nothing as [] and not {}",
    "prefix-kept": "s:Body, a:LenderName",
    "prefix-glued": "sBody, aLenderName",
    "numbers-typed": "numbers as numbers",
    "double-encoded": "the whole answer as one JSON text",
    "xml-body": "the service's own XML",
    "logo-gif": "logos are GIFs",
    "logo-bad-base64": "logos cannot be decoded",
    "logos-mixed": "every second logo fails, each in its own way",
    "acf-false": "pages with acf: false",
    "acf-list": "pages with acf: []",
    "acf-missing": "pages without acf",
}
"""Unusual but valid answers, with a description."""

FAILURES = {
    "fault": "a fault with words, HTTP 200",
    "fault-empty": "a fault whose faultstring is {}",
    "status-not-ok": "no fault, a bad ReturnStatus and no rows",
    "null": "the body null",
    "false": "the body false",
    "empty-text": 'the body ""',
    "empty-list": "the body []",
    "empty-object": "the body {}",
    "empty-body": "no body at all",
    "no-body-key": "a SOAP answer without Body",
    "html-502": "an HTML page with status 502",
    "html-200": "an HTML page with status 200",
    "status-500": "WordPress's own error with status 500",
    "php-warning": "PHP's warning before the answer",
    "php-warning-500": "the same with status 500",
    "redirect": "status 302",
    "slow": "a byte every 50 ms",
    "silent": "nothing, for as long as the client waits",
    "huge": "64 MB of spaces",
    "short": "half of the promised body, then good-bye",
    "reset": "the connection dropped",
    "gql-errors": "GraphQL: errors and no data",
    "gql-partial": "GraphQL: errors and data",
    "gql-errors-empty": "GraphQL: an empty list of errors",
}
"""Faulty answers, with a description."""

NAMES = {**SHAPES, **FAILURES}
ROWS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A guide as an editor saves it; `html` is the text, `day` when it was created, as dd/mm/yyyy."""

    slug: str
    title: str = "Bridging loans & what they cost"
    description: str = "What a bridging loan is, what it costs, and when it is the wrong answer."
    category: str = "property"
    html: str = "<h2>What it is</h2>\n<p>A short loan &#8211; secured on a home.</p>\n"
    day: str = "20/11/2026"

    def row(self, number: int) -> dict[str, Any]:
        fields = {"url": f"mortgage-guides/{self.slug}", "guideCategory": [self.category], "showOnHomepage": False}
        fields |= {"guideDescription": self.description, "createdDate": self.day}
        return {"node": {"databaseId": number, "title": self.title, "seoGuides": fields}}

    def texts(self) -> dict[str, Any]:
        content = {"rendered": self.html, "protected": False}
        return {"content": content, "date": "2026-11-20T09:00:00", "modified": "2026-11-21T10:30:00"}


class UnknownSwitchError(ValueError):
    """A switch that the stand-in does not have, or a figure that is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How requests are answered: `name` from NAMES, milliseconds before an answer, the most rows, follow-on figures.

    `only` narrows the name to one route, by the name of the call; the delay is for all. `published` are guides that
    came since the recordings were made, `lenders` is how many there are beside the market's own, `names` are the
    ids and names of those that are called otherwise.
    """

    name: str = OK
    delay: int = 0
    rows: int = ROWS
    final: bool = True
    only: str = ""
    published: tuple[Published, ...] = ()
    lenders: int = 0
    names: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise UnknownSwitchError(f"no switch is called {self.name!r}; there are {', '.join(NAMES)}")
        if min(self.delay, self.rows, self.lenders) < 0:
            raise UnknownSwitchError("a delay, a number of rows and one of lenders are 0 or more")

    def named(self, call: str) -> str:
        return self.name if self.only in ("", call) else OK


_READERS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("name", "only"), str),
    **dict.fromkeys(("delay", "rows", "lenders"), int),
    "final": lambda words: words.lower() in ("1", "true"),
}


def changed(setting: Setting, given: dict[str, str]) -> Setting:
    """Return a setting with what is given as text (name, delay, rows, ...); raises UnknownSwitchError."""
    try:
        return replace(setting, **{name: read(given[name]) for name, read in _READERS.items() if name in given})
    except ValueError as error:
        raise UnknownSwitchError(str(error)) from error


def asked_for(setting: Setting, request: Request) -> Setting:
    """Return what holds for one request: `x-fixture`, `x-delay`, `x-rows`, `x-final`, as headers or in the query."""
    query = php_fields(request.query)
    names = {"x-fixture": "name", "x-delay": "delay", "x-rows": "rows", "x-final": "final"}
    given = {name: request.headers.get(key) or text(query, key) for key, name in names.items()}
    own = {name: value for name, value in given.items() if value}
    return changed(replace(setting, only="") if "name" in own else setting, own)
