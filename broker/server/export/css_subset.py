"""The subset of a stylesheet that one page can use.

A rule is in it where the page has every name that one of its selectors needs. The relations between elements are
ignored, so there may be a rule too many but none too few. What scripts add to a page needs no rule: the whole
stylesheet is loaded before them (`deferred_boot`). Custom properties with one value for the whole site are replaced by
it (`constants`).
"""

import re
from dataclasses import dataclass

from lxml.html import HtmlElement

from broker.presenters.jinja import CLOSE, CONDITIONAL, OPEN
from broker.presenters.themes import THEMES
from broker.server.cookie_notice import MARK
from broker.server.export.stylesheet import Names, Part, Tokens, read_parts

ALWAYS = frozenset({"*", "[open]", f"[{MARK}]", "[data-storage]", "[data-scripts]", "[data-changed]"})
"""What a page may get before its scripts: an open disclosure, and the marks of a closed cookie notice, of a browser
that stores nothing, of scripts that did not come, and of a form that was changed meanwhile."""

_ELEMENTS = (
    "p h2 h3 h4 ul ol li dl dt dd blockquote figure figcaption img table caption thead tbody tr th td"
    " hr br a b strong i em small sub sup code pre abbr div svg path"
)
_NAMES = (
    ".tbl .cards .scroll-x .fanlight .windows .dial-bars .dial-ground .dial-lit .dial-unlit [data-l] [href] [scope]"
    " [title] [tabindex] [role] [aria-label] [aria-hidden] [aria-current]"
)
_COLOURS = (name for theme in THEMES.values() for name in (f"--{theme}", f"--{theme}-bg"))
TEXT = frozenset((*_ELEMENTS.split(), *_NAMES.split(), *_COLOURS))
"""What the edge may fill in: a text, the mark of the part that is read, and the colours of a theme."""

CUSTOM_PROPERTY = re.compile(r"--[\w-]+")
TOKEN_USE = re.compile(r"(?<![\w)])var\((--[\w-]+)\)(?![\w(])")
"""A use of a custom property as a whole token."""

WORD = re.compile(r"[\w-]+")
_CODE = re.compile(rf"{OPEN}?\{{[{{%].*?[}}%]\}}{CLOSE}?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A parsed stylesheet: its rules, the names that selectors need, and those that declarations may need."""

    parts: tuple[Part, ...]
    selected: Names
    declared: Names


def read_sheet(css: str) -> Sheet:
    """Return a parsed stylesheet with its constants substituted."""
    known = constants(css)
    parts = read_parts(TOKEN_USE.sub(lambda found: known.get(found[1], found[0]), css))
    names = frozenset(name for part in parts for name in part.names())
    declared = frozenset(name for name in names if name.startswith(("--", "@")))
    return Sheet(parts=parts, selected=names - declared, declared=declared)


def constants(css: str) -> dict[str, str]:
    """Return the custom properties of the root element that are set once and are no longer than their use.

    One with the value of another, such as `--theme`, is for pages to set: it is no constant.
    """
    tokens = (part.values for part in read_parts(css) if isinstance(part, Tokens))
    values = {name: value for each in tokens for name, value in each.items() if css.count(f"{name}:") == 1}
    return {name: value for name, value in values.items() if "var(" not in value and len(value) <= len(f"var({name})")}


def names_of(page: HtmlElement) -> Names:
    """Return the names of a page's elements, and the custom properties that their inline styles use.

    What the edge may put there (`presenters.jinja`) is among them: attributes, and the classes of every case.
    """
    found: set[str] = set()
    for element in page.iter("*"):
        found.add(element.tag)
        for name, value in element.attrib.items():
            found.add(f"[{name.removeprefix(CONDITIONAL)}]")
            if name == "class":
                found.update(f".{one}" for one in _CODE.sub(" ", value).split())
            elif name == "id":
                found.add(f"#{value}")
            elif name == "style":
                found.update(CUSTOM_PROPERTY.findall(value))
    return frozenset(found)


def css_subset(sheet: Sheet, names: Names) -> str:
    """Return the subset of a stylesheet for a page with these names.

    Custom properties of the root element and animations are included where an included rule or the page names them.
    """
    known = (names | ALWAYS) & (sheet.selected | sheet.declared)
    while True:
        text = "".join(part.text(known) for part in sheet.parts)
        words = set(WORD.findall(text))
        asked = (words | {f"@{word}" for word in words}) & sheet.declared
        if asked <= known:
            return text
        known |= asked
