"""The search of this site in the browser: `js/site_search.js` over the files of `presenters.search_index_files`.

It takes its rules from the domain, and a test holds it to the answers of `domain.site_search`.
"""

from __future__ import annotations

import json
from typing import Any

import reflex as rx
from reflex.vars import VarData
from reflex_base.constants.compiler import MemoizationMode
from reflex_base.utils.imports import ImportVar
from reflex_components_core.el.elements.sectioning import Section

from broker.components.client_scripts import TARGET, script_function
from broker.components.client_values import TYPED, client_handler
from broker.domain.search_words import MIN_PLURAL_LENGTH, PLURALS, STOP_WORDS
from broker.domain.site_search import MAX_QUERY_LENGTH, WHOLE_WORD
from broker.presenters.search_index_files import ENTRIES, STEP, WORDS
from broker.presenters.site_search import MAX_SHOWN, QUERY, Hit

_RULES = {
    "stopWords": sorted(STOP_WORDS),
    "plurals": PLURALS,
    "minPluralLength": MIN_PLURAL_LENGTH,
    "maxQueryLength": MAX_QUERY_LENGTH,
    "wholeWord": WHOLE_WORD,
    "step": STEP,
    "maxShown": MAX_SHOWN,
}

_HERE = f'(new URLSearchParams(window.location.search).get("{QUERY}") ?? "").slice(0, {MAX_QUERY_LENGTH})'

_HOOKS = {
    "const place = useLocation()": None,
    'const [sought, setSought] = useState("")': None,
    "const [tables, setTables] = useState({})": None,
    f"useEffect(() => setSought({_HERE}), [place])": None,
    "useEffect(() => void loadTables(siteWords).then(setTables), [sought])": None,
    "const found = useMemo(() => searchSite(sought, tables), [sought, tables])": None,
}

_DATA = VarData(
    hooks=_HOOKS,
    imports={
        "react": [ImportVar(tag=tag) for tag in ("useState", "useEffect", "useMemo")],
        "react-router": [ImportVar(tag="useLocation")],
        f"$/{TARGET}/site_search.js": [ImportVar(tag=tag) for tag in ("loadTables", "siteSearcher")],
        f"$/{ENTRIES}": [ImportVar(tag="siteEntries", is_default=True)],
        f"$/{WORDS}?url": [ImportVar(tag="siteWords", is_default=True)],
    },
)


def _value(expression: str) -> rx.Var:
    return rx.Var(expression, _var_data=_DATA)


SOUGHT = _value("sought").to(str)
"""What is searched for: what the address holds, then what is typed."""

ASKED = _value('(sought.trim() !== "")').to(bool)
"""Whether anything is searched for."""

READY = _value("Boolean(tables.words)").to(bool)
"""Whether the tables are here, which are fetched once the page stands."""

FAILED = _value("Boolean(tables.failed)").to(bool)
"""Whether the tables could not be fetched; they are asked for again when more is typed."""

TOTAL = _value("found.total").to(int)
"""How many entries were found."""

WHOLE = _value("found.whole").to(bool)
"""Whether every find has all the words."""

HITS = _value("found.hits").to(list[Hit])
"""The finds to show, best first."""

EVERY_KIND = _value("siteEntries").to(list[tuple[str, list[tuple[str, str]]]])
"""Each kind's name, and the title and address of its entries."""


def typing() -> rx.Var:
    """Return the handler of the search box: what is typed is searched for, and stands in the address.

    The history's entry is changed where it is, and React Router is not told: it would have the server asked about
    every letter. Back, Forward and a reload read the address.
    """
    show = script_function("site_search", "showQuery").call(QUERY, TYPED)
    return client_handler(
        rx.Var(f"(setSought({TYPED!s}), {show!s})", _var_data=VarData.merge(_DATA, show._get_all_var_data()))
    )


class _SearchSection(Section):
    """A section that is one React component, with the search beside it."""

    _memoization_mode = MemoizationMode(recursive=False)

    def add_custom_code(self) -> list[str]:
        """Return the search, which stands in the module of this section."""
        return [f"const searchSite = siteSearcher(siteEntries, {json.dumps(_RULES)});"]


def search_section(*children: Any, **attributes: Any) -> rx.Component:
    """Draw the section that holds everything which uses the values of this module."""
    return _SearchSection.create(*children, **attributes)
