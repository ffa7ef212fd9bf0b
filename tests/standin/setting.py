"""Settings of the stand-in: for the whole server or a single request, and the names of answers."""

from dataclasses import dataclass, replace

from tests.standin.forms import php_fields, text
from tests.standin.publishing import Published
from tests.standin.wire import Request

OK = "ok"

SHAPES = {
    "ok": "as the recorded answers",
    "ok-many": "the same",
    "one": "one row, as an object",
    "ok-one": "the same",
    "none-object": "no rows: objSchemes is {}",
    "ok-none-object": "the same",
    "none-list": "no rows: objSchemes is []",
    "ok-none-list": "the same",
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


class UnknownSwitchError(ValueError):
    """A switch that the stand-in does not have, or a figure that is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How requests are answered: `name` from NAMES, milliseconds before an answer, the most rows, follow-on figures.

    `only` narrows the name to one route, by the name of the call; the delay is for all. `published` are guides that
    came since the recordings were made, `lenders` is how many there are beside the market's own.
    """

    name: str = OK
    delay: int = 0
    rows: int = ROWS
    final: bool = True
    only: str = ""
    published: tuple[Published, ...] = ()
    lenders: int = 0

    def __post_init__(self) -> None:
        """Refuse what the stand-in does not have; raises UnknownSwitchError."""
        if self.name not in NAMES:
            raise UnknownSwitchError(f"no switch is called {self.name!r}; there are {', '.join(NAMES)}")
        if min(self.delay, self.rows, self.lenders) < 0:
            raise UnknownSwitchError("a delay, a number of rows and one of lenders are 0 or more")

    def named(self, call: str) -> str:
        """Return the name that holds for a call."""
        return self.name if self.only in ("", call) else OK


def changed(setting: Setting, given: dict[str, str]) -> Setting:
    """Return a setting with what is given as text (name, delay, rows, ...); raises UnknownSwitchError."""
    try:
        return replace(
            setting,
            name=given.get("name", setting.name),
            delay=int(given.get("delay", setting.delay)),
            rows=int(given.get("rows", setting.rows)),
            final=given["final"].lower() in ("1", "true") if "final" in given else setting.final,
            only=given.get("only", setting.only),
            lenders=int(given.get("lenders", setting.lenders)),
        )
    except ValueError as error:
        raise UnknownSwitchError(str(error)) from error


def asked_for(setting: Setting, request: Request) -> Setting:
    """Return what holds for one request: `x-fixture`, `x-delay`, `x-rows`, `x-final`, as headers or in the query."""
    query = php_fields(request.query)
    names = {"x-fixture": "name", "x-delay": "delay", "x-rows": "rows", "x-final": "final"}
    given = {name: request.headers.get(key) or text(query, key) for key, name in names.items()}
    own = {name: value for name, value in given.items() if value}
    if not own:
        return setting
    return changed(replace(setting, only="") if "name" in own else setting, own)
