"""HTML of the content service, sanitised with nh3 and in the form of our own texts.

Headings begin at level 2, skip no level and have ids; ids of editors and of footnotes stay, so that links to them work;
pictures are local copies; video and map frames become links.
"""

import re
from collections.abc import Callable, Iterable, Set
from urllib.parse import parse_qs, urlsplit

import nh3
from lxml.html import HtmlElement

from broker.content.models.pages import Heading
from broker.content.models.pictures import TEXT, Picture, SafeHtml, picture_source
from broker.content.text.markdown import Text, heading_id, shape_tables
from broker.markup import HEADINGS, add_paragraphs, fragment_html, parse_fragment, words_of

MAX_HTML_CHARACTERS = 200_000
"""Maximum characters of HTML that are read of one text."""

_MAX_PLAIN_CHARACTERS = 5_000
"""Maximum characters that are read of a short text."""

_MAX_LEAD_CHARACTERS = 300
"""Maximum characters of a first paragraph that becomes the lead of its page."""

_DROPPED = {"script", "style", "object", "embed", "noscript", "noembed", "template", "svg", "math", "title"}
_DROPPED |= {"select", "textarea", "button", "audio", "video", "canvas", "xmp", "plaintext"}
_TAGS = nh3.ALLOWED_TAGS - {"nav", "header", "footer", "map", "area", "article", "center", "hgroup"} - _DROPPED
_ATTRIBUTES = {
    **{tag: {"id"} for tag in _TAGS - {"table", "thead", "tbody", "tfoot", "tr", "td", "th", "img", "br", "hr"}},
    "a": {"href", "title", "target", "id", "name", "aria-label"},
    "img": {"src", "alt"},
    "iframe": {"src"},
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
"""Shortcodes of a known name, or of any name with a value; `[sic]` and `[1]` are text."""
_EDITORS_ID = re.compile(r"[A-Za-z0-9][\w-]{0,79}", re.ASCII)
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069]+")
_MAPS = ("google.com", "google.co.uk", "maps.google.com", "maps.google.co.uk")
_VIDEOS = ("youtube.com", "youtube-nocookie.com", "youtu.be")


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
    cleaned = nh3.clean(
        add_paragraphs(_SHORTCODE.sub("", text)),
        tags=_TAGS | {"iframe"},
        clean_content_tags=_DROPPED,
        attributes=_ATTRIBUTES,
        attribute_filter=attribute,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer",
    )
    root = parse_fragment(cleaned)
    for frame in list(root.iter("iframe")):
        _replace_frame(frame)
    for anchor in root.iter("a"):
        name = anchor.attrib.pop("name", "")
        if name and "id" not in anchor.attrib:
            anchor.set("id", name)
    return SafeHtml(fragment_html(root))


def format_html(html: SafeHtml, *, picture: Callable[[str], Picture | None], taken: Iterable[str] = ()) -> Text:
    """Return sanitised HTML in the form of our own texts, and its headings, whose ids are none of those `taken`.

    `picture` returns the copy of a picture by its address; a picture without a copy is left out.
    """
    root, taken = parse_fragment(html), frozenset(taken)
    for image in list(root.iter("img")):
        _set_picture(image, picture(image.get("src", "")))
    for element in reversed(list(root.iter("p", *HEADINGS, "li", "figure", "figcaption"))):
        if _is_empty(element):
            element.drop_tree()
    _make_ids_unique(root, taken)
    headings = _shape_headings(root, taken)
    return Text(html=shape_tables(SafeHtml(fragment_html(root).strip())), headings=headings)


def image_sources(html: str) -> tuple[str, ...]:
    """Return the addresses of the pictures in a text's sanitised HTML."""
    return tuple(parse_fragment(sanitise(html, link=lambda address: address)).xpath("//img/@src"))


def plain_text(text: str) -> str:
    """Return a short text without tags, with entities decoded once, in one line."""
    short = single_line(text[:_MAX_PLAIN_CHARACTERS])
    return single_line(words_of(short)) if "<" in short or "&" in short else short


def split_lead(html: SafeHtml) -> tuple[str, SafeHtml]:
    """Return a short first paragraph without markup as plain text, and the rest; no lead for any other beginning."""
    root = parse_fragment(html)
    lead = next(iter(root), None)
    if lead is None or root.text or (lead.tag, len(lead), len(lead.attrib)) != ("p", 0, 0):
        return "", html
    words = lead.text_content()
    if not 0 < len(words) <= _MAX_LEAD_CHARACTERS:
        return "", html
    lead.drop_tree()
    return single_line(words), SafeHtml(fragment_html(root).lstrip())


def first_paragraph(html: str) -> str:
    """Return the first paragraph of safe HTML as plain text."""
    paragraph = next(parse_fragment(html).iter("p"), None)
    return "" if paragraph is None else _words(paragraph)


def single_line(text: str) -> str:
    """Return a short text in one line, without unpaired surrogates; its entities are decoded already."""
    return _SPACES.sub(" ", text.encode("utf-8", "replace").decode("utf-8")).strip()


def element_ids(html: str) -> tuple[str, ...]:
    return tuple(parse_fragment(html).xpath("//@id"))


def _replace_frame(frame: HtmlElement) -> None:
    """Replace a video or map frame by a link; drop any other."""
    address, words = _frame_link(frame.get("src", ""))
    if address:
        link = frame.makeelement("a", {"href": address, "rel": "noopener noreferrer"})
        link.text = words
        if next(frame.iterancestors("p"), None) is None:
            paragraph = frame.makeelement("p")
            paragraph.append(link)
            link = paragraph
        frame.addprevious(link)
    frame.drop_tree()


def _frame_link(source: str) -> tuple[str, str]:
    """Return the address and the words of a link to a frame's video or map; both empty for any other."""
    try:
        parts = urlsplit("https:" + source if source.startswith("//") else source)
    except ValueError:
        return "", ""
    host = (parts.hostname or "").removeprefix("www.")
    if host in _VIDEOS:
        key = parse_qs(parts.query).get("v", [parts.path.rpartition("/")[2]])[0]
        return f"https://www.youtube.com/watch?v={key}", "Watch the video on YouTube"
    return (source, "See the map on Google Maps") if host in _MAPS and "maps" in source else ("", "")


def _set_picture(image: HtmlElement, found: Picture | None) -> None:
    """Point an image at the local copy of its picture; drop one without a copy."""
    if not found:
        image.drop_tree()
        return
    source = picture_source(found, TEXT)
    words = image.get("alt", found.alt)
    image.attrib.clear()
    sizes = {"srcset": source.srcset, "sizes": source.sizes} if source.srcset else {}
    size = {"width": str(found.width), "height": str(found.height)}
    image.attrib.update({"src": source.src, **sizes, "alt": words, **size, "loading": "lazy"})


def _is_empty(element: HtmlElement) -> bool:
    return not element.text_content().strip() and all(child.tag == "br" for child in element)


def _words(element: HtmlElement) -> str:
    return single_line(" ".join(element.itertext()))


def _make_ids_unique(root: HtmlElement, taken: Set[str]) -> None:
    """Drop the ids that are taken, or that an earlier element has."""
    seen = set(taken)
    for element in root.xpath("//*[@id]"):
        if (name := element.get("id")) in seen:
            del element.attrib["id"]
        seen.add(name)


def _new_id(name: str, seen: dict[str, int]) -> str:
    """Return a name that is not `seen`, numbered where it is; `seen` has the last number of each."""
    found = name
    while found in seen:
        seen[name] += 1
        found = f"{name}-{seen[name]}"
    seen[found] = 1
    return found


def _shape_headings(root: HtmlElement, taken: Set[str]) -> tuple[Heading, ...]:
    """Give headings their levels and ids, an editor's own or one from the words; return those of a contents list."""
    headings: list[Heading] = []
    seen = dict.fromkeys((*taken, *root.xpath("//@id")), 1)
    before = 1
    for heading in root.iter(*HEADINGS):
        before = level = min(max(int(heading.tag[1]), 2), before + 1)
        words = _words(heading)
        heading.tag = f"h{level}"
        if not heading.get("id"):
            heading.set("id", _new_id(heading_id(words), seen))
        headings.append(Heading(level=level, anchor=heading.get("id"), text=words))
    return tuple(entry for entry in headings if entry.level <= 4)
