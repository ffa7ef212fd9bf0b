"""Small elements that every page is drawn with: icons, buttons, links, notes, pictures, lists and tables."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.components.client_values import client_handler
from broker.components.jinja import Attributes, Content, Text, Value, block_for, when_text
from broker.content.models.glossary import LINKED_TERMS
from broker.content.models.pictures import Picture, PicturePlace, fixed_place, picture_source
from broker.content.page_parts import BannerView
from broker.jinja_places import Placeholder, markup_variable, variable
from broker.site_search.view import question_anchor

ICONS = (
    *("phone", "call", "arrow", "back", "check", "down", "right", "left", "info", "alert", "close", "plus", "menu"),
    *("home", "key", "loop", "search", "percent", "upload", "pound", "filter", "chart", "keyhole", "wifi", "lock"),
    *("pen", "print", "shield"),
)
"""The icons of `assets/art/icons.svg` in their order, each in a square of 24 units; `assets/site.css` counts them."""

DESK_ICONS = (
    *("list", "clock", "video", "clip", "heart", "mail", "dots", "people", "person", "flag", "download", "out", "bin"),
    *("merge", "scales", "laptop"),
)
"""More icons, of `assets/art/desk-icons.svg`, for the staff area alone; `assets/desk.css` counts them."""

_ART = Path(__file__).parents[2] / "assets" / "art"

CARDS = frozenset(file.stem for file in (_ART / "questionnaire").iterdir())
"""The drawings of questionnaire cards by their name in an option's `img`."""


def icon(name: str) -> rx.Component:
    """Draw an icon by name, 1.25em square, hidden from screen readers; raises ValueError for an unknown name."""
    known = ICONS + DESK_ICONS
    return rx.el.i(class_name=f"i i-{known[known.index(name)]}")


def button(
    label: Content,
    *more: Content,
    look: str = "",
    icon_name: str = "",
    kind: Literal["button", "submit"] = "button",
    **attributes: Any,
) -> rx.Component:
    """Draw a button; `look` adds `lamp`, `line`, `s` or `full`, `kind` is its HTML type."""
    before = (icon(icon_name),) if icon_name else ()
    return rx.el.button(*before, label, *more, type=kind, class_name=f"btn {look}".strip(), **attributes)


def button_link(label: Content, href: str, *, look: str = "", icon_name: str = "", arrow: bool = False) -> rx.Component:
    before = (icon(icon_name),) if icon_name else ()
    after = (icon("arrow"),) if arrow else ()
    return rx.el.a(*before, label, *after, href=href, class_name=f"btn {look}".strip())


def carousel_band(
    title: str, tiles: Sequence[rx.Component], *, noun: str, more: Iterable[rx.Component] = (), white: bool = False
) -> rx.Component:
    """Draw a band of the page with a carousel, and `more` below; the plural `noun` is the id of its heading."""
    return rx.el.section(
        rx.el.div(_carousel(title, tiles, noun=noun), *more, class_name="wrap"),
        class_name="band white" if white else "band",
        aria_labelledby=noun,
    )


def _carousel(title: str, tiles: Sequence[rx.Component], *, noun: str) -> rx.Component:
    """Draw slides that snap by CSS; arrows scroll by the visible width (specification 2, "Slider layout")."""
    row = f"{noun}-slides"
    slides = (_slide(tile, f"{place} of {len(tiles)}") for place, tile in enumerate(tiles, 1))
    look: Attributes = {"id": row, "class_name": "slides", "tab_index": 0, "role": "region"}
    return rx.fragment(
        rx.el.div(rx.el.h2(title, id=noun), _arrows(row, noun), class_name="head"),
        rx.el.div(*slides, aria_label=f"{noun.capitalize()} in a row", **look),
    )


def _arrows(row: str, noun: str) -> rx.Component:
    ways = (("left", f"Previous {noun}", "-"), ("right", f"Next {noun}", ""))
    return rx.el.div(
        *(
            rx.el.button(
                icon(mark),
                type="button",
                aria_label=label,
                on_click=client_handler(
                    rx.Var(f"((row) => row.scrollBy({sign}row.clientWidth, 0))(document.getElementById('{row}'))")
                ),
            )
            for mark, label, sign in ways
        ),
        class_name="arrows needs-script",
    )


def _slide(tile: rx.Component, place: str) -> rx.Component:
    return rx.el.div(tile, role="group", aria_label=place, custom_attrs={"aria-roledescription": "slide"})


def inline_style(style: Mapping[str, Text]) -> Attributes:
    """Return the attribute that sets styles by their JavaScript names (`width`, `--theme`) on one element.

    Reflex's own `style` adds a rule to the stylesheet for every value; a dragged slider would add hundreds.
    """
    return {"style": rx.Var.create(dict(style))} if style else {}


def note(title: Content, *text: Content, tone: str = "") -> rx.Component:
    """Draw a message; `tone` is empty for information, `good`, `warn`, or `bad`, which is announced at once."""
    role = {"role": "alert"} if tone == "bad" else {}
    mark = {"good": "check", "warn": "alert", "bad": "alert"}.get(tone, "info")
    return rx.el.div(
        icon(mark), rx.el.div(rx.el.strong(title), *text), class_name=f"note {tone}".strip(), custom_attrs=role
    )


def disclosure(
    title: Content, *content: Content, icon_name: str = "down", on_toggle: rx.Var | None = None
) -> rx.Component:
    """Draw a disclosure under a result, which opens without scripts; `on_toggle` handles its toggle event."""
    handlers = {} if on_toggle is None else {"onToggle": on_toggle}
    return rx.el.details(rx.el.summary(icon(icon_name), title), *content, class_name="how", custom_attrs=handlers)


def question(title: Content, answer: rx.Component, *, is_open: bool = False, identity: str = "") -> rx.Component:
    """Draw one question of a list, whose answer opens without scripts; `identity` is its id."""
    named = {"id": identity} if identity else {}
    return rx.el.details(rx.el.summary(title, icon("down")), answer, class_name="acc", open=is_open, custom_attrs=named)


def skeleton(rows: int) -> rx.Component:
    return rx.el.div(*(_skeleton_card() for _ in range(rows)), class_name="deals", aria_hidden="true")


def _skeleton_card() -> rx.Component:
    def bone(width: str, height: str) -> rx.Component:
        return rx.el.span(class_name="sk", custom_attrs=inline_style({"width": width, "height": height}))

    return rx.el.div(
        rx.el.div(bone("80px", "48px"), bone("50%", "20px"), class_name="deal-who"),
        bone("100%", "74px"),
        bone("100%", "74px"),
        bone("100%", "44px"),
        class_name="deal",
    )


def toast(state: str, text: str, *, icon_name: str) -> rx.Component:
    return rx.el.div(icon(icon_name), rx.el.p(rx.el.b(state), " ", text), class_name="toast dark", role="status")


def visually_hidden(text: Content) -> rx.Component:
    return rx.el.span(text, class_name="vh")


def no_break(text: Content) -> rx.Component:
    """Write a text that does not break at its hyphen: `2-year fixed`."""
    return rx.el.span(text, class_name="nb")


def more_link(text: Content, href: str) -> rx.Component:
    return rx.el.a(text, " ", icon("arrow"), href=href, class_name="more")


def jump_link(text: Content, identity: str, *, class_name: str = "", **attributes: Any) -> rx.Component:
    """Link to an id on the same page by a plain anchor, which works at any address that the page is served at."""
    return A.create(text, href=f"#{identity}", class_name=class_name, **attributes)


def plain_link(*children: Content, href: Text, class_name: str = "") -> rx.Component:
    """Link to an address as it is written, which may be a variable of a template; the browser loads that page."""
    return A.create(*children, href=href, class_name=class_name)


def term(slug: str, label: str = "") -> rx.Component:
    """Link a term to its entry of the glossary, which opens beside it; not for links, buttons, headings or controls.

    Raises KeyError for a term that the glossary may lack; `label` replaces its usual words.
    """
    usual = LINKED_TERMS[slug]
    return plain_link(label or usual, href=routes.term(slug), class_name="term")


def terms_line(*slugs: str) -> rx.Component:
    """Draw a line of the terms whose labels are above, where links cannot be; nothing for no terms."""
    if not slugs:
        return rx.fragment()
    links = (part for slug in slugs for part in (", ", term(slug)))
    return rx.el.p("What the words mean: ", *islice(links, 1, None), ".", class_name="small")


def search_link(*children: Content, href: Text, **attributes: Any) -> rx.Component:
    """Link to a search by its address, which may be the place of one in a template.

    Search engines do not follow it: there are more searches than pages, and each is a request to the rates service.
    """
    if isinstance(href, Placeholder):
        looks = {name: value for name, value in attributes.items() if name == "class_name"}
        return A.create(*children, href=href, rel="nofollow", **looks)
    return rx.el.a(*children, href=href, rel="nofollow", **attributes)


def telephone_link(*children: Content, number: str, class_name: str = "", label: str = "") -> rx.Component:
    """Link to a telephone number in the form `+44…`; `label` names a link that small screens show as an icon."""
    named = {"aria-label": label} if label else {}
    return rx.el.a(*children, href=f"tel:{number}", class_name=class_name, custom_attrs=named)


def markup(html: Text, class_name: str = "prose") -> rx.Component:
    """Render HTML that was sanitised where it entered, known at build, only in the browser or to the edge."""
    html = markup_variable(html.name) if isinstance(html, Placeholder) else html
    return rx.el.div(custom_attrs={"dangerouslySetInnerHTML": rx.Var.create({"__html": html})}, class_name=class_name)


def page_markup(html: Text) -> rx.Component:
    """Render the `html` of a page of data, which its scripts read from this element."""
    drawn = markup(html)
    drawn.custom_attrs["data-page-html"] = ""
    return drawn


def titled_section(
    title: Content, identity: str, *content: Content, look: str = "", class_name: str = "stack"
) -> rx.Component:
    """Draw a section named by its h2, which may have the `look` of a lower level."""
    heading = rx.el.h2(title, id=identity, class_name=look) if look else rx.el.h2(title, id=identity)
    return rx.el.section(heading, *content, class_name=class_name, aria_labelledby=identity)


def questions(entries: Iterable[tuple[str, str]], *, first_open: bool = False) -> rx.Component:
    """Draw questions with the safe HTML of their answers; of equal ones the first has `question_anchor` as its id."""
    listed = list(entries)
    titles = [title for title, _ in listed]
    return rx.el.div(
        *(
            question(
                title,
                markup(answer, "answer"),
                is_open=first_open and place == 0,
                identity=question_anchor(title) if titles.index(title) == place else "",
            )
            for place, (title, answer) in enumerate(listed)
        )
    )


def faq_band(title: str, content: rx.Component, *lead: rx.Component) -> rx.Component:
    """Draw a band of the page with its heading and `lead` on one side and the questions on the other."""
    return rx.el.section(
        rx.el.div(
            rx.el.div(rx.el.h2(title, id="questions"), *lead, class_name="stack"), content, class_name="wrap side wide"
        ),
        class_name="band white",
        aria_labelledby="questions",
    )


def fact(label: Content, words: Content, *more: rx.Component) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(words), *more)


def facts_of_template(name: str) -> rx.Component:
    """Draw a list in a template: the value of a name, whose items have a label and words."""
    listed = block_for("fact", name, fact(variable("fact.label"), variable("fact.words")))
    return rx.el.dl(listed, class_name="kv wide")


def steps(entries: Sequence[tuple[str, Content]]) -> rx.Component:
    return rx.el.ol(
        *(rx.el.li(rx.el.div(rx.el.h3(title), rx.el.p(text))) for title, text in entries), class_name="steps"
    )


def contents(headings: Iterable[tuple[str, str]]) -> rx.Component:
    return contents_list(*(contents_entry(text, anchor) for text, anchor in headings))


def contents_list(*entries: rx.Component) -> rx.Component:
    return rx.el.nav(
        rx.el.h2("On this page", class_name="as-h4"),
        rx.el.ol(*entries, class_name="plain"),
        class_name="toc stick",
        aria_label="On this page",
    )


def contents_entry(text: str, anchor: str) -> rx.Component:
    return rx.el.li(jump_link(text, anchor))


def picture(
    address: Text,
    *,
    width: Value,
    height: Value,
    alt: Text = "",
    srcset: Text = "",
    sizes: Text = "",
    class_name: str = "",
    lazy: bool = True,
    first: bool = False,
) -> rx.Component:
    """Draw a picture at its size in pixels; a `lazy` one loads when it comes near the viewport.

    `srcset` and `sizes` name its files and its width on the page, as HTML has them; none without a `srcset`.
    `first` marks the largest paint of a page, which loads before fonts do; other pictures load after them.
    """
    files = {} if isinstance(srcset, str) and not srcset else {"srcSet": srcset, "sizes": sizes}
    loading = {"fetchPriority": "high"} if first else {"loading": "lazy"} if lazy else {"fetchPriority": "low"}
    sides = {"width": _side(width), "height": _side(height)}
    looks: Attributes = {"class_name": class_name} if class_name else {}
    return rx.el.img(src=address, alt=alt, custom_attrs={**files, **sides, **loading}, **looks)


def _side(pixels: Value) -> Value:
    return str(pixels) if isinstance(pixels, int) else pixels


def drawing(
    name: Text, *, width: int, height: int, class_name: str = "", lazy: bool = True, first: bool = False
) -> rx.Component:
    return picture(f"/art/{name}.svg", width=width, height=height, class_name=class_name, lazy=lazy, first=first)


def card_drawing(img: str) -> rx.Component:
    """Draw the picture of a questionnaire card, sharp at 48 and 96 pixels; nothing for an unknown name."""
    if img not in CARDS:
        return rx.fragment()
    return drawing(f"questionnaire/{img}", width=64, height=64, lazy=False)


def content_picture(given: Picture, class_name: str = "", *, place: PicturePlace, lazy: bool = True) -> rx.Component:
    """Draw a picture of the content with its text alternative; a `lazy` one loads when it comes near the viewport."""
    files = picture_source(given, place)
    return picture(
        files.src,
        width=given.width,
        height=given.height,
        alt=given.alt,
        srcset=files.srcset,
        sizes=files.sizes,
        class_name=class_name,
        lazy=lazy,
    )


def icon_picture(given: Picture, class_name: str = "", *, width: int, lazy: bool = True) -> rx.Component:
    """Draw a picture that is `width` CSS pixels wide on every screen."""
    return content_picture(given, class_name, place=fixed_place(width), lazy=lazy)


def logo_picture(given: Picture, *, height: int, max_width: int) -> rx.Component:
    """Draw a picture that is `height` CSS pixels high on every screen, and at most `max_width` wide."""
    width = round(given.width * height / given.height)
    return content_picture(given, place=fixed_place(max(1, min(width, max_width))))


def banner_picture(banner: BannerView, instead: rx.Component | None = None) -> rx.Component:
    shown = picture(
        banner.src,
        width=banner.width,
        height=banner.height,
        alt=banner.alt,
        srcset=banner.srcset,
        sizes=banner.sizes,
        class_name="banner-pic",
        lazy=False,
    )
    return when_text(banner.src, shown, otherwise=instead)


def scrolling(table: rx.Component, label: Content, *, class_name: str = "scroll-x") -> rx.Component:
    """Put a table in a frame that scrolls sideways and can have focus."""
    return rx.el.div(table, class_name=class_name, tab_index=0, role="region", aria_label=label)


def figures_table(caption: Text, heads: Sequence[Text], *, body: Content) -> rx.Component:
    """Draw a table of figures; a column with an empty head has no cell in its first row."""
    figures = (when_text(head, rx.el.th(head, scope="col", class_name="n")) for head in heads[1:])
    head = rx.el.thead(rx.el.tr(rx.el.th(heads[0], scope="col"), *figures))
    table = rx.el.table(rx.el.caption(caption), head, rx.el.tbody(body), class_name="tbl")
    return scrolling(table, caption)


def card_table(
    caption: rx.Component, heads: Sequence[Text], *, body: Content, words: Sequence[str] = ()
) -> rx.Component:
    """Draw a table, with roles since its rows are cards on a narrow screen; columns in `words` hold no numbers."""
    looks: list[Attributes] = [
        {} if not place or head in words else {"class_name": "n"} for place, head in enumerate(heads)
    ]
    cells = (rx.el.th(head, scope="col", role="columnheader", **look) for head, look in zip(heads, looks, strict=True))
    top = rx.el.thead(rx.el.tr(*cells, role="row"), role="rowgroup")
    return rx.el.table(caption, top, rx.el.tbody(body, role="rowgroup"), role="table", class_name="tbl cards")


def card_row(
    name: Sequence[Content],
    figures: Sequence[Content],
    *,
    heads: Sequence[Text],
    looks: Sequence[str],
    **attributes: Any,
) -> rx.Component:
    """Draw a row of a `card_table`: the parts of its name, then a figure under each of `heads`, with its classes."""
    cells = (
        rx.el.td(figure, role="cell", class_name=look, custom_attrs={"data-l": head})
        for figure, look, head in zip(figures, looks, heads, strict=True)
    )
    return rx.el.tr(rx.el.th(*name, scope="row", role="rowheader"), *cells, role="row", **attributes)


def prominent(figure: Content) -> rx.Component:
    """Draw a rate, or its APRC at the same size (decision 17)."""
    return rx.el.span(figure, class_name="rt")
