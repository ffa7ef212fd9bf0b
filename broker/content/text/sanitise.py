"""Sanitise HTML of the content service with nh3, and give it the form of our own texts.

Headings begin at level 2, skip no level and have ids; ids of editors and of footnotes stay, so that links to them work;
pictures are local copies; video and map frames become links.
"""

import re
from collections.abc import Callable, Iterable, Set
from html import unescape
from urllib.parse import parse_qs, urlsplit

import nh3
from markupsafe import Markup

from broker.content.models.pages import Heading
from broker.content.models.pictures import TEXT, Picture, picture_source
from broker.content.models.safe_html import SafeHtml
from broker.content.text.markdown import Text, heading_id
from broker.content.text.tables import shape_tables

MAX_HTML_CHARACTERS = 200_000
"""Maximum characters of HTML that are read of one text."""

MAX_FAULT_LENGTH = 5_000
"""Maximum characters that are read of a short text."""

_DROPPED = {"script", "style", "iframe", "object", "embed", "noscript", "noembed", "template", "svg", "math", "title"}
_DROPPED |= {"select", "textarea", "button", "audio", "video", "canvas", "xmp", "plaintext"}
_TAGS = nh3.ALLOWED_TAGS - {"nav", "header", "footer", "map", "area", "article", "center", "hgroup"} - _DROPPED
_ATTRIBUTES = {
    **{tag: {"id"} for tag in _TAGS - {"table", "thead", "tbody", "tfoot", "tr", "td", "th", "img", "br", "hr"}},
    "a": {"href", "title", "target", "id", "name", "aria-label"},
    "img": {"src", "alt"},
    "ol": {"start", "id"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}
_SCHEMES = {"http", "https", "mailto", "tel"}

_NAMES = "contact-form-7|caption|gallery|audio|video|playlist|embed|wpforms|gravityform|acf|rev_slider|trustpilot"
_FAMILIES = r"(?:vc|et_pb|elementor|su)[_-][\w-]{1,60}"
_SHORTCODE = re.compile(
    rf"\[/?(?:(?:{_NAMES}|{_FAMILIES})(?:\s[^\[\]]{{0,900}})?"
    r"|[a-z][\w-]{0,60}\s{1,9}\w{1,60}=[^\[\]]{0,900})\]"
)
"""Certain shortcodes only: a known name, or any name with a value. `[sic]` and `[1]` stay."""
_FRAME = re.compile(r"<iframe\b[^<>]{0,900}?\bsrc\s{0,9}=\s{0,9}[\"']([^\"'<>]{1,900})[\"']", re.IGNORECASE)
_BLOCK = re.compile(r"<(?:p|ul|ol|h[1-6]|table|div|figure|blockquote|section|hr|details|dl|pre)\b", re.I)
_HEADING = re.compile(r"<h([1-6])(?: id=\"([^\"]*)\")?>(.*?)</h\1>", re.S)
_IMAGE = re.compile(r"<img\b[^>]*>")
_ID = re.compile(r"(<[a-z][^<>]*?) id=\"([^\"]*)\"")
_ANCHOR = re.compile(r"<a\b[^<>]*>")
_NAME = re.compile(r" name=\"([^\"]*)\"")
_EDITORS_ID = re.compile(r"[A-Za-z0-9][\w-]{0,79}", re.ASCII)
_SOURCE = re.compile(r"\bsrc=\"([^\"]*)\"")
_ALT = re.compile(r"\balt=\"([^\"]*)\"")
_LEAD = re.compile(r"<p>([^<]{1,300})</p>")
_EMPTY = re.compile(r"<(p|h[1-6]|li|figure|figcaption)(?: id=\"[^\"]*\")?>(?:\s|&nbsp;|<br>)*</\1>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--.{0,999}?-->", re.S)
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[a-zA-Z]\w*);")
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069]+")
_MAPS = ("google.com", "google.co.uk", "maps.google.com", "maps.google.co.uk")
_PICTURE = Markup('<img src="{}"{} alt="{}" width="{}" height="{}" loading="lazy">')
_SRCSET = Markup(' srcset="{}" sizes="{}"')
_VIDEOS = ("youtube.com", "youtube-nocookie.com", "youtu.be")


def format_html(html: SafeHtml, *, picture: Callable[[str], Picture | None], taken: Iterable[str] = ()) -> Text:
    """Return sanitised HTML in the form of our own texts, and its headings, whose ids are none of those `taken`.

    `picture` returns the copy of a picture by its address; a picture without a copy is left out.
    """
    cleaned = _IMAGE.sub(lambda tag: _image(tag[0], picture), html)
    while (emptied := _EMPTY.sub("", cleaned)) != cleaned:
        cleaned = emptied
    taken = frozenset(taken)
    shaped, headings = _with_headings(_with_unique_ids(cleaned, taken), taken)
    return Text(html=shape_tables(SafeHtml(shaped.strip())), headings=headings)


def image_sources(html: str) -> tuple[str, ...]:
    """Return the addresses of the pictures in a text's sanitised HTML."""
    tags = _IMAGE.findall(sanitise(html, link=lambda address: address))
    return tuple(unescape(found[1]) for tag in tags if (found := _SOURCE.search(tag)))


def plain_text(text: str) -> str:
    """Return a short text without tags, with entities decoded once, in one line."""
    return single_line(_ENTITY.sub(lambda entity: unescape(entity[0]), _TAG.sub(" ", text[:MAX_FAULT_LENGTH])))


def split_lead(html: SafeHtml) -> tuple[str, SafeHtml]:
    """Return a short first paragraph without markup as plain text, and the rest; no lead for any other beginning."""
    lead = _LEAD.match(html)
    return (plain_text(lead[1]), SafeHtml(html[lead.end() :].lstrip())) if lead else ("", html)


def first_paragraph(html: str) -> str:
    """Return the first paragraph of safe HTML as plain text."""
    start = html.find("<p>")
    return plain_text(html[start : html.find("</p>", start)]) if start >= 0 else ""


def single_line(text: str) -> str:
    """Return a short text in one line, without unpaired surrogates; its entities are decoded already."""
    return _SPACES.sub(" ", text.encode("utf-8", "replace").decode("utf-8")).strip()


def sanitise(html: str, *, link: Callable[[str], str]) -> SafeHtml:
    """Return HTML without anything that runs, styles, frames or posts.

    `link` returns the address on our site of one of the content service.
    """

    def attribute(*found: str) -> str | None:
        tag, name, value = found
        if tag == "a" and name == "href":
            return link(value) or None
        if name == "target":
            return value if value == "_blank" else None
        if name in ("id", "name"):
            return value if _EDITORS_ID.fullmatch(value) else None
        return value

    text = html[:MAX_HTML_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
    text = add_paragraphs(_SHORTCODE.sub("", _FRAME.sub(_frame, text)))
    cleaned = nh3.clean(
        text,
        tags=_TAGS,
        clean_content_tags=_DROPPED,
        attributes=_ATTRIBUTES,
        attribute_filter=attribute,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer",
    )
    return SafeHtml(_ANCHOR.sub(_named_by_id, cleaned))


def _named_by_id(anchor: re.Match[str]) -> str:
    """Return the tag of an anchor with its old `name` as its id."""
    return _NAME.sub("" if _ID.match(anchor[0]) else r' id="\1"', anchor[0])


def add_paragraphs(text: str) -> str:
    """Make paragraphs at blank lines, as WordPress does when it shows a text."""
    if not text.strip() or _BLOCK.search(text):
        return text
    paragraphs = re.split(r"\r?\n\s*\r?\n", text.strip())
    return "".join(Markup("<p>{}</p>").format(Markup(part)) for part in paragraphs)


def _frame(frame: re.Match[str]) -> str:
    """Add a link before a video or map frame; the sanitiser drops the frame."""
    source = unescape(frame[1])
    try:
        parts = urlsplit("https:" + source if source.startswith("//") else source)
    except ValueError:
        return frame[0]
    host = (parts.hostname or "").removeprefix("www.")
    if host in _VIDEOS:
        key = parse_qs(parts.query).get("v", [parts.path.rpartition("/")[2]])[0]
        address, words = f"https://www.youtube.com/watch?v={key}", "Watch the video on YouTube"
    elif host in _MAPS and "maps" in source:
        address, words = source, "See the map on Google Maps"
    else:
        return frame[0]
    return Markup('<p><a href="{}">{}</a></p>{}').format(address, words, Markup(frame[0]))


def _image(tag: str, picture: Callable[[str], Picture | None]) -> str:
    address, alt = _SOURCE.search(tag), _ALT.search(tag)
    found = picture(unescape(address[1])) if address else None
    if not found:
        return ""
    words = Markup(alt[1]) if alt else found.alt
    source = picture_source(found, TEXT)
    srcset = _SRCSET.format(source.srcset, source.sizes) if source.srcset else ""
    return _PICTURE.format(source.src, srcset, words, found.width, found.height)


def element_ids(html: str) -> tuple[str, ...]:
    return tuple(name for _, name in _ID.findall(html))


def _with_unique_ids(html: str, taken: Set[str]) -> str:
    """Return HTML without the ids that are taken, or that an element before has."""
    seen = set(taken)

    def unique(tag: re.Match[str]) -> str:
        is_new = tag[2] not in seen
        seen.add(tag[2])
        return tag[0] if is_new else tag[1]

    return _ID.sub(unique, html)


def _new_id(name: str, seen: dict[str, int]) -> str:
    """Return a name that is not `seen`, numbered where it is; `seen` has the last number of each."""
    found = name
    while found in seen:
        seen[name] += 1
        found = f"{name}-{seen[name]}"
    seen[found] = 1
    return found


def _with_headings(html: str, taken: Set[str]) -> tuple[str, tuple[Heading, ...]]:
    """Return HTML whose headings have ids: an editor's own, else one from its words."""
    headings: list[Heading] = []
    seen = dict.fromkeys((*taken, *element_ids(html)), 1)
    before = 1

    def heading(match: re.Match[str]) -> str:
        nonlocal before
        before = level = min(max(int(match[1]), 2), before + 1)
        words = plain_text(match[3])
        name = match[2] or _new_id(heading_id(words), seen)
        headings.append(Heading(level=level, anchor=name, text=words))
        return Markup('<h{0} id="{1}">{2}</h{0}>').format(level, name, Markup(match[3]))

    shaped = _HEADING.sub(heading, html)
    return shaped, tuple(entry for entry in headings if entry.level <= 4)
