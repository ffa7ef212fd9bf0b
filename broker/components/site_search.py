"""The search of this site in the browser: `domain.site_search` over the files of `presenters.search_index_files`.

Looking words up in tables of thousands and putting finds in order is beyond what Reflex's own expressions can say, so
that is a few lines of JavaScript here. They take their rules from the domain, and a test holds them to its answers.
"""

from __future__ import annotations

import json
from typing import Any

import reflex as rx
from reflex.vars import VarData
from reflex_base.constants.compiler import MemoizationMode
from reflex_base.utils.imports import ImportVar
from reflex_components_core.el.elements.sectioning import Section

from broker.components.client_values import TYPED, reaction
from broker.domain.search_words import MIN_PLURAL_LENGTH, PLURALS, STOP_WORDS
from broker.domain.site_search import MAX_QUERY_LENGTH, WHOLE_WORD
from broker.presenters.search_index_files import ENTRIES, STEP, WORDS
from broker.presenters.site_search import MAX_SHOWN, QUERY, Hit

_LOOK = f"""
const STOP = new Set({json.dumps(sorted(STOP_WORDS))});
const PLURALS = {json.dumps(PLURALS)};
const LETTERS = "A-Za-z0-9\\u00c0-\\u024f";
const everyEntry = siteEntries.flatMap(([kind, listed], rank) =>
    listed.map(([title, href]) => ({{kind, rank, title, href}})));

let asking = null;
const siteTables = () => asking ??= fetch(siteWords)
    .then(told => told.ok ? told.json() : Promise.reject(told.status))
    .catch(() => {{ asking = null; return {{failed: true}} }});

const rawWords = text => text.toLowerCase().normalize("NFKD").replace(/\\p{{M}}/gu, "").replace(/['’]/g, "")
    .replace(/([0-9]),(?=[0-9])/g, "$1").match(/[a-z0-9]+/g) ?? [];
const singular = word => {{
    const plural = word.length >= {MIN_PLURAL_LENGTH} && PLURALS.find(([ending]) => word.endsWith(ending));
    return plural ? word.slice(0, -plural[0].length) + plural[1] : word;
}};
const termsOf = query => {{
    const words = rawWords([...query].slice(0, {MAX_QUERY_LENGTH}).join(""));
    const told = [...new Set(words.filter(word => !STOP.has(word)))];
    return (told.length ? told : words.slice(-1)).map((typed, at, all) =>
        ({{typed, whole: singular(typed), last: at === all.length - 1}}));
}};
const fits = (word, {{typed, whole, last}}) =>
    word === whole ? {WHOLE_WORD} : Number(last && (word.startsWith(typed) || word.startsWith(whole)));

const piecesOf = (title, terms) => title.split(new RegExp(`([${{LETTERS}}]+)`))
    .map((text, at) => ({{
        text,
        marked: at % 2 === 1 && rawWords(text).some(word => terms.some(term => fits(singular(word), term))),
    }}))
    .filter(({{text}}) => text);

const siteSearch = (query, {{words = {{}}, about = []}}) => {{
    const terms = termsOf(query), counts = new Map(), scores = new Map();
    for (const term of terms) {{
        const best = new Map();
        for (const [word, codes] of Object.entries(words)) {{
            const fit = fits(word, term);
            let place = 0;
            if (fit) for (const code of codes) {{
                place += Math.floor(code / {STEP});
                best.set(place, Math.max(best.get(place) ?? 0, code % {STEP} * fit));
            }}
        }}
        best.forEach((score, place) => {{
            counts.set(place, (counts.get(place) ?? 0) + 1);
            scores.set(place, (scores.get(place) ?? 0) + score);
        }});
    }}
    const most = Math.max(0, ...counts.values());
    const order = place =>
        [-scores.get(place), everyEntry[place].rank, rawWords(everyEntry[place].title).length, place];
    const places = [...counts.keys()].filter(place => counts.get(place) === most).map(order)
        .sort((one, other) => one.map((each, at) => each - other[at]).find(each => each) ?? 0)
        .map(each => each.at(-1));
    return {{
        total: places.length,
        whole: most === terms.length,
        hits: places.slice(0, {MAX_SHOWN}).map(place => (
            {{...everyEntry[place], description: about[place], pieces: piecesOf(everyEntry[place].title, terms)}})),
    }};
}};
"""

_HERE = f'(new URLSearchParams(window.location.search).get("{QUERY}") ?? "").slice(0, {MAX_QUERY_LENGTH})'

_HOOKS = {
    "const place = useLocation()": None,
    'const [sought, setSought] = useState("")': None,
    "const [tables, setTables] = useState({})": None,
    f"useEffect(() => setSought({_HERE}), [place])": None,
    "useEffect(() => { siteTables().then(setTables) }, [sought])": None,
    "const found = useMemo(() => siteSearch(sought, tables), [sought, tables])": None,
}

_DATA = VarData(
    hooks=_HOOKS,
    imports={
        "react": [ImportVar(tag=tag) for tag in ("useState", "useEffect", "useMemo")],
        "react-router": [ImportVar(tag="useLocation")],
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
    address = f"({TYPED!s} ? `?{QUERY}=${{encodeURIComponent({TYPED!s})}}` : window.location.pathname)"
    keep = f"window.history.replaceState(window.history.state, '', {address})"
    return reaction(rx.Var(f"(setSought({TYPED!s}), {keep})", _var_data=_DATA))


class _SearchPiece(Section):
    """A section that is one React component, with the search beside it."""

    _memoization_mode = MemoizationMode(recursive=False)

    def add_custom_code(self) -> list[str]:
        """Return the search, which stands in the module of this section."""
        return [_LOOK]


def search_piece(*children: Any, **attributes: Any) -> rx.Component:
    """Draw the section that holds everything which uses the values of this module."""
    return _SearchPiece.create(*children, **attributes)
