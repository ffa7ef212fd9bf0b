"""The search of this site in the browser: `js/site_search.js` over the file of `presenters.search_index_file`.

It takes its rules from the domain, and a test holds it to the answers of `domain.site_search`.
"""

import json

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar

from broker import routes
from broker.components.client_scripts import TARGET, script_function
from broker.components.client_values import TYPED, MemoizedSection, client_handler
from broker.site_search.index import (
    MAX_JOINED_LENGTH,
    MAX_QUERY_LENGTH,
    MIN_PART_LENGTH,
    MIN_PLURAL_LENGTH,
    MIN_SLIP_LENGTH,
    PLURALS,
    STOP_WORDS,
    WHOLE_WORD,
)
from broker.site_search.view import MAX_SHOWN, QUERY, STEP, EntryGroup, Hit

_RULES = {
    "stopWords": sorted(STOP_WORDS),
    "plurals": PLURALS,
    "minPluralLength": MIN_PLURAL_LENGTH,
    "minPartLength": MIN_PART_LENGTH,
    "minSlipLength": MIN_SLIP_LENGTH,
    "maxJoinedLength": MAX_JOINED_LENGTH,
    "maxQueryLength": MAX_QUERY_LENGTH,
    "wholeWord": WHOLE_WORD,
    "step": STEP,
    "maxShown": MAX_SHOWN,
}

_HERE = f'(new URLSearchParams(window.location.search).get("{QUERY}") ?? "").slice(0, {MAX_QUERY_LENGTH})'

_HOOKS = {
    "const place = useLocation()": None,
    'const [siteQuery, setSiteQuery] = useState("")': None,
    "const [tables, setTables] = useState(knownTables)": None,
    f"useEffect(() => setSiteQuery({_HERE}), [place])": None,
    f"useEffect(() => void loadTables('{routes.SEARCH_INDEX}').then(setTables), [siteQuery])": None,
    "const found = useMemo(() => searchSite(siteQuery, tables), [siteQuery, tables])": None,
}

_DATA = VarData(
    hooks=_HOOKS,
    imports={
        "react": [ImportVar(tag=tag) for tag in ("useState", "useEffect", "useMemo")],
        "react-router": [ImportVar(tag="useLocation")],
        f"$/{TARGET}/site_search.js": [ImportVar(tag=tag) for tag in ("knownTables", "loadTables", "siteSearcher")],
    },
)


def _value(expression: str) -> rx.Var:
    return rx.Var(expression, _var_data=_DATA)


SEARCHED = _value("siteQuery").to(str)  # the query: from the address, then from the field
HAS_QUERY = _value('(siteQuery.trim() !== "")').to(bool)
IS_READY = _value("Boolean(tables.words)").to(bool)  # whether the tables have been loaded
HAS_FAILED = _value("Boolean(tables.failed)").to(bool)  # whether that failed; the next change of the query retries
TOTAL = _value("found.total").to(int)
HAS_ALL_WORDS = _value("found.whole").to(bool)  # whether every result has all words of the query
INSTEAD = _value("found.instead").to(str)  # the words that replaced those typed; empty for none
HITS = _value("found.hits").to(list[Hit])  # the results to show, best first
GROUPS = _value("tables.groups").to(list[EntryGroup])
"""Links to everything that can be found; none before the tables are there, in a document that has none."""


def search_on_type() -> rx.Var:
    """Return the handler of the search field, which searches and puts the query into the address.

    It changes the entry of the history in place and without React Router, which would send the server every letter.
    Back, Forward and a reload read the address.
    """
    show = script_function("site_search", "showQuery").call(QUERY, TYPED)
    return client_handler(
        rx.Var(f"(setSiteQuery({TYPED!s}), {show!s})", _var_data=VarData.merge(_DATA, show._get_all_var_data()))
    )


class _SearchSection(MemoizedSection):
    """The section that must hold every use of the values of this module: its script has the search function."""

    def add_custom_code(self) -> list[str]:
        return [f"const searchSite = siteSearcher({json.dumps(_RULES)});"]


search_section = _SearchSection.create
