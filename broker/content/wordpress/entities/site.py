"""Import of the firm's footer, reviews and review counts (specification 3)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from broker.content.menus import NEW_TAB, Menu, MenuItem, Menus, class_names
from broker.content.models.pages import Review
from broker.content.models.pictures import Picture
from broker.content.models.site import e164
from broker.content.snapshot.snapshot import Firm
from broker.content.text.sanitise import single_line
from broker.content.wordpress.client import Json
from broker.content.wordpress.download import Answers
from broker.content.wordpress.fields import at, choice, number, raw, text, title
from broker.content.wordpress.images import footer_logos
from broker.content.wordpress.import_context import ImportContext, first
from broker.markup import lines_of

Rows = Sequence[dict[str, Json]]

_CLASS_PREFIX = "cms-"
"""Prefix of the CSS classes of WordPress's menus."""


def import_menus(context: ImportContext, answers: Answers) -> Menus:
    """Return all menus; a missing main menu is a fatal issue, any other falls back to ours."""
    rows = {name: answers.site.get(f"{name}Menu") or () for name in ("main", "services", "footer", "sitemap")}
    rows["footer"] = [*rows["footer"], *(answers.site.get("footerLegal") or ())]
    found = {name: menu for name in rows if (menu := _menu(context, name, rows[name])).items}
    if "main" not in found:
        context.refuse("menu main", "is empty or missing; without it no page is drawn")
    for name in ("services", "footer", "sitemap"):
        if name not in found:
            context.note(f"menu {name}", "is empty or missing; ours is used")
    if "services" in found:
        found["promotion_services"] = replace(found["services"], id="promotion_services")
    return replace(context.fallback.menus(), **found)


def _menu(context: ImportContext, name: str, rows: Rows) -> Menu:
    keys = {_key(row) for row in rows}
    by_parent: dict[str, list[dict[str, Json]]] = {}
    seen: set[str] = set()
    for row in rows:
        key, parent = _key(row), raw(row.get("parentId"))
        if not key or key in seen:
            context.note(f"menu {name}", f"has {title(row.get('label'))!r} twice, or without an id: left out")
            continue
        seen.add(key)
        by_parent.setdefault(parent if parent in keys else "", []).append(row)
    return Menu(id=name, items=_items(context, name, by_parent, parent=""))


def _items(
    context: ImportContext, name: str, by_parent: dict[str, list[dict[str, Json]]], *, parent: str
) -> tuple[MenuItem, ...]:
    """Return the entries under a parent, removing them from `by_parent`, so that a cycle ends."""
    found = [_item(context, name, by_parent, row=row, parent=parent) for row in by_parent.pop(parent, ())]
    return tuple(item for item in found if item)


def _item(
    context: ImportContext, name: str, by_parent: dict[str, list[dict[str, Json]]], *, row: dict[str, Json], parent: str
) -> MenuItem | None:
    key, label = _key(row), title(row.get("label"))
    children = _items(context, name, by_parent, parent=key)
    path = _path(context, row)
    if not label or not (path or children):
        context.note(f"menu {name}", f"{label or key!r} leads nowhere, left out")
        return None
    return MenuItem(
        id=key,
        label=label,
        path=path,
        parent=parent,
        title=title(row.get("title")),
        target=NEW_TAB if row.get("target") == NEW_TAB else "",
        css_classes=_class_names(row),
        children=children,
    )


def _class_names(row: dict[str, Json]) -> str:
    """Return the classes of an entry; with their prefix they never meet a rule of our stylesheet (decision 50)."""
    given = row.get("cssClasses")
    return class_names(given, prefix=_CLASS_PREFIX) if isinstance(given, list) else ""


def _path(context: ImportContext, row: dict[str, Json]) -> str:
    """Return the path of an entry: that of its connected page, else the typed one; empty for a group.

    An entry of an unpublished page has the root path and no page, which is empty too.
    """
    uri = raw(at(row, "connectedNode", "node", "uri"))
    typed = raw(row.get("path")) or raw(row.get("url"))
    if not uri and (typed.startswith("#") or typed in ("", context.root)):
        return ""
    return context.link(uri or typed)


def _key(row: dict[str, Json]) -> str:
    return raw(row.get("key")) or raw(row.get("id")) or raw(row.get("databaseId"))


_SITES = ("google", "trustpilot", "reviewsio", "facebook")


def import_firm(context: ImportContext, footers: Iterable[Mapping[str, Json]], *, post: Json) -> Firm:
    """Return the firm from the first footer and the review settings."""
    fields = next((row.get("footerFields") for row in footers if row.get("footerFields")), None)
    if not fields:
        context.note("footer", "is missing; ours is used")
    settings = at(post, "reviewSettings")
    return Firm(
        phone=_telephone(context, text(at(fields, "contactPhone"))),
        email=_email(context, text(at(fields, "email"))),
        address=tuple(filter(None, map(single_line, lines_of(raw(at(fields, "address")))))),
        company_description=text(at(fields, "companyDescription")),
        copyright=text(at(fields, "copyrightText")),
        facebook=_web(text(at(fields, "facebook"))),
        instagram=_web(text(at(fields, "instagram"))),
        whatsapp=_whatsapp(text(at(fields, "whatsapp"))),
        slogans=tuple(text(at(fields, f"freeText{place}")) for place in (1, 2, 3)),
        counts=_counts(context, settings, in_footer=number(at(fields, "trustpilotReviewCount"))),
        review_logos=_pictures(context, settings, "Logo"),
        review_stars=_pictures(context, settings, "Stars"),
        reviews_link=text(at(settings, "linkTitle")),
        shown=int(number(at(settings, "reviewToShowInSlider")) or 0),
        author_photo=context.picture(at(settings, "authorPhoto")),
        logos=tuple(logo for image in footer_logos(fields) if (logo := context.picture(image))),
    )


def _counts(context: ImportContext, settings: Json, *, in_footer: float | None) -> dict[str, int]:
    """Return the number of reviews of each site from the review settings (decision 16).

    The footer's count is the fallback; a different one is noted.
    """
    given = {site: number(at(settings, f"{site}Count")) for site in _SITES}
    counts = {site: int(count) for site, count in given.items() if count and count > 0}
    if in_footer and in_footer > 0 and counts.setdefault("trustpilot", int(in_footer)) != in_footer:
        words = f"is {in_footer:g}, the review settings say {counts['trustpilot']}, which is shown everywhere"
        context.note("footer trustpilotReviewCount", words)
    total = number(at(settings, "totalReviews"))
    if total and total != sum(counts.values()):
        context.note("review settings totalReviews", f"is {total:g}, the counts make {sum(counts.values())}")
    return counts


def _pictures(context: ImportContext, settings: Json, what: str) -> dict[str, Picture]:
    found = {site: context.picture(at(settings, f"{site}{what}")) for site in _SITES}
    return {site: picture for site, picture in found.items() if picture}


def import_reviews(context: ImportContext, rows: Iterable[Mapping[str, Json]]) -> tuple[Review, ...]:
    """Return the reviews, newest first; one without words, a name or a date is left out."""
    found = [review for row in rows if (review := _review(context, row))]
    return tuple(sorted(found, key=lambda review: review.read_on, reverse=True))


def _review(context: ImportContext, row: Mapping[str, Json]) -> Review | None:
    fields, item = row.get("reviewFields"), text(row.get("title"))
    words, heading, name = (text(at(fields, f"review{part}")) for part in ("Description", "Title", "erName"))
    given = context.day(f"review {item}", at(fields, "reviewDate"))
    day = given or context.day(f"review {item}", row.get("date"))
    if not (words and name and day):
        context.note(f"review {item}", "has no words, no name or no date, left out")
        return None
    stars = number(at(fields, "ratings"))
    return Review(
        reviewer=name,
        title=first((heading, item)),
        text=words,
        site=choice(at(fields, "reviewSite")),
        read_on=day,
        rating=stars if stars is not None and 0 < stars <= 5 else None,
        url=_web(text(at(fields, "ratingUrl"))),
        portrait=context.picture(at(fields, "reviewerImageUrl")),
        screenshot=context.picture(at(fields, "reviewScreenshot")),
    )


def _telephone(context: ImportContext, phone: str) -> str:
    """Return a telephone number as it is written; empty for one that cannot be dialled."""
    if not phone or e164(phone):
        return phone
    context.note("footer contactPhone", f"{phone!r} is no telephone number; ours is used")
    return ""


def _email(context: ImportContext, address: str) -> str:
    if not address or re.fullmatch(r"[^@\s<>]+@[^@\s<>]+\.[^@\s<>]+", address):
        return address
    context.note("footer email", f"{address!r} is no address; ours is used")
    return ""


def _web(address: str) -> str:
    return address if address.startswith(("https://", "http://")) else ""


def _whatsapp(number_or_link: str) -> str:
    digits = re.sub(r"\D", "", number_or_link)
    return _web(number_or_link) or (f"https://wa.me/{digits}" if len(digits) >= 10 else "")
