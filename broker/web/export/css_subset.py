"""The part of a stylesheet that one page can use: a page carries its own styles in its head, not those of every page.

A rule is kept where the page has every name that one of its selectors asks for. How the elements stand to each other is
not looked at, so a rule too many may be kept and none too few. What scripts add to a page is not looked for: they bring
the whole stylesheet along (`deferred_boot`).

Of a custom property that has one value for the whole site the value itself is written (`constants`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from broker.presenters.jinja import CONDITIONAL
from broker.web.export.stylesheet import Names, Part, Tokens, read_parts
from broker.web.markup import all_elements
from broker.web.serving.cookie_notice import MARK

ALWAYS = frozenset({"*", "[open]", f"[{MARK}]"})
"""What a page comes to have without scripts: an opened disclosure, and the mark of a closed cookie notice."""

_ELEMENTS = (
    "p h2 h3 h4 ul ol li dl dt dd blockquote figure figcaption img table caption thead tbody tr th td"
    " hr br a b strong i em small sub sup code pre abbr"
)
TEXT = frozenset({*_ELEMENTS.split(), ".tbl", ".scroll-x", "[href]", "[scope]", "[title]"})
"""What a text may hold that is filled in after the build (`new_guides`)."""

CUSTOM_PROPERTY = re.compile(r"--[\w-]+")
ASKED = re.compile(r"(?<![\w)])var\((--[\w-]+)\)(?![\w(])")
"""Where the value of a custom property is asked for, apart from what stands beside it."""

WORD = re.compile(r"[\w-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A stylesheet taken apart: its rules, what they ask of a page, and what their declarations may ask for."""

    parts: tuple[Part, ...]
    selected: Names
    declared: Names


def read_sheet(css: str) -> Sheet:
    """Return a stylesheet taken apart, its constants written out."""
    known = constants(css)
    parts = read_parts(ASKED.sub(lambda found: known.get(found[1], found[0]), css))
    names = frozenset(name for part in parts for name in part.asked())
    declared = frozenset(name for name in names if name.startswith(("--", "@")))
    return Sheet(parts=parts, selected=names - declared, declared=declared)


def constants(css: str) -> dict[str, str]:
    """Return the custom properties of the root element that nothing sets again, and that are no longer than a use.

    One whose value is another's is for pages to set, `--theme` for example: it is no constant.
    """
    tokens = (part.values for part in read_parts(css) if isinstance(part, Tokens))
    values = {name: value for each in tokens for name, value in each.items() if css.count(f"{name}:") == 1}
    return {name: value for name, value in values.items() if "var(" not in value and len(value) <= len(f"var({name})")}


def names_of(html: str) -> Names:
    """Return the names that the elements of a page have, and the custom properties that their styles ask for.

    An attribute that the edge may put there (`presenters.jinja`) is one of them.
    """
    found: set[str] = set()
    for element in all_elements(html):
        found.add(element.name)
        for name, value in element.attributes.items():
            found.add(f"[{name.removeprefix(CONDITIONAL)}]")
            if name == "class":
                found.update(f".{one}" for one in value.split())
            elif name == "id":
                found.add(f"#{value}")
            elif name == "style":
                found.update(CUSTOM_PROPERTY.findall(value))
    return frozenset(found)


def css_subset(sheet: Sheet, names: Names) -> str:
    """Return the part of a stylesheet that a page with these names can use.

    Custom properties of the root element and animations are kept where a rule that is kept, or the page, names them.
    """
    known = (names | ALWAYS) & (sheet.selected | sheet.declared)
    while True:
        text = "".join(part.text(known) for part in sheet.parts)
        words = set(WORD.findall(text))
        asked = (words | {f"@{word}" for word in words}) & sheet.declared
        if asked <= known:
            return text
        known |= asked
