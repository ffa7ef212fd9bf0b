"""Readers of the JSON files of the content: the firm, the reviews, the menus, and the facts with their sources."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date
from enum import StrEnum

from broker.content.files.validated_record import Record
from broker.content.menus import NEW_TAB, Menu, MenuItem, Menus, class_names
from broker.content.models.pages import Review
from broker.content.models.site import ConsentWords, OpeningHours, ReviewCount, ReviewTotals, Site, Social, e164
from broker.content.text.placeholders import FACT, SOURCE, source_line
from broker.lending.money import decimals

_TEXTS = tuple(field.name for field in fields(Site) if field.type is str)
_OTHERS = ("address", "hours", "slogans", "social", "reviews", "sample", "consent")
_CONSENT = tuple(field.name for field in fields(ConsentWords))
_SOCIAL = tuple(field.name for field in fields(Social))


def read_site(record: Record) -> Site:
    """Read the firm from `site.json`; every text is required."""
    record.allow(*_TEXTS, *_OTHERS)
    texts = {name: record.text(name) for name in _TEXTS}
    if texts["phone"] and not e164(texts["phone"]):
        record.refuse(f"phone must be a telephone number such as 020 7946 0123, not {texts['phone']!r}", None)
    social = record.record("social")
    social.allow(*_SOCIAL)
    return Site(
        **texts,
        address=_filled_list(record, "address"),
        hours=tuple(
            OpeningHours(days=entry.text("days"), hours=entry.text("hours")) for entry in record.records("hours")
        ),
        slogans=_three(record, "slogans"),
        social=Social(**{name: social.optional(name) for name in _SOCIAL}),
        reviews=_totals(record.record("reviews")),
        sample=record.boolean("sample"),
        consent=_consent(record.record("consent")),
        logos=(),
    )


def site_facts(site: Site) -> dict[str, str]:
    """Return the placeholder values of the firm's details, `{{ phone }}` for example."""
    return {
        "firm": site.name,
        "phone": site.phone,
        "tel": site.tel,
        "email": site.email,
        "address": ", ".join(site.address),
        "hours": "; ".join(f"{entry.days}, {entry.hours}" for entry in site.hours),
        "frn": site.frn_shown,
        "regulation": site.regulation,
        "registration": site.registration,
        "register_url": site.register_url,
        "portal_url": site.portal_url,
        "how_we_are_paid": site.how_we_are_paid,
        "range": site.range_sentence,
        "risk_warning": site.risk_warning,
        "debt_warning": site.debt_warning,
        "buy_to_let": site.buy_to_let_sentence,
        "indicative": site.indicative_sentence,
        "sample": site.sample_sentence,
        "reviews_read_on": f"{site.reviews.read_on.day} {site.reviews.read_on:%B %Y}",
    }


def read_reviews(record: Record) -> tuple[Review, ...]:
    record.allow("reviews")
    return tuple(_review(entry) for entry in record.records("reviews"))


def _review(record: Record) -> Review:
    record.allow("reviewer", "title", "text", "site", "read_on", "rating", "url", "sample")
    return Review(
        reviewer=record.text("reviewer"),
        title=record.text("title"),
        text=record.text("text"),
        site=record.text("site"),
        read_on=record.day("read_on"),
        rating=record.number("rating") if "rating" in record.values else None,
        url=record.optional("url"),
        sample=record.boolean("sample"),
    )


def _consent(record: Record) -> ConsentWords:
    record.allow(*_CONSENT)
    return ConsentWords(**{name: record.text(name) for name in _CONSENT})


def _totals(record: Record) -> ReviewTotals:
    record.allow("counts", "rating", "out_of", "read_on", "sample")
    return ReviewTotals(
        counts=tuple(_count(entry) for entry in record.records("counts")),
        rating=record.number("rating"),
        out_of=record.number("out_of"),
        read_on=record.day("read_on"),
        sample=record.boolean("sample"),
    )


def _count(record: Record) -> ReviewCount:
    count = record.number("count")
    if count != int(count):
        record.refuse(f"count must be a whole number, not {count}", None)
    return ReviewCount(
        site=record.text("site"), label=record.text("label"), count=int(count), url=record.optional("url")
    )


def _filled_list(record: Record, name: str) -> tuple[str, ...]:
    if not (values := record.texts(name)):
        record.refuse(f"missing {name}", None)
    return values


def _three(record: Record, name: str) -> tuple[str, str, str]:
    values = record.texts(name)
    if len(values) != 3:
        return record.refuse(f"{name} must be three texts, not {len(values)}", ("", "", ""))
    return values[0], values[1], values[2]


def read_menus(record: Record) -> Menus:
    """Read the menus; faults are repeated ids, missing labels, and entries without path or children."""
    names = ("services", "footer", "promotion_services", "sitemap")
    record.allow("main", *names)
    main = _menu(record, "main") if "main" in record.values else None
    return Menus(main=main, **{name: _menu(record, name) for name in names})


def _menu(record: Record, name: str) -> Menu:
    seen: set[str] = set()
    items = tuple(_menu_item(entry, parent="", seen=seen) for entry in record.records(name))
    if not items:
        record.refuse(f"menu {name} is empty", None)
    return Menu(id=name, items=items)


def _menu_item(record: Record, *, parent: str, seen: set[str]) -> MenuItem:
    record.allow("id", "label", "path", "title", "target", "css_classes", "children")
    key, path, target = record.text("id"), record.optional("path"), record.optional("target")
    if key in seen:
        record.refuse(f"duplicate id {key!r}", None)
    seen.add(key)
    if path and not path.startswith(("/", "https://")):
        record.refuse(f"path must begin with / or https://, not {path!r}", None)
    if target not in ("", NEW_TAB):
        record.refuse(f"target must be {NEW_TAB} or absent, not {target!r}", None)
    children = tuple(_menu_item(entry, parent=key, seen=seen) for entry in record.records("children"))
    if not path and not children:
        record.refuse(f"{key!r} has neither a path nor children", None)
    return MenuItem(
        id=key,
        label=record.text("label"),
        path=path,
        parent=parent,
        title=record.optional("title"),
        target=target,
        css_classes=class_names(record.texts("css_classes")),
        children=children,
    )


class _Unit(StrEnum):
    POUNDS = "pounds"
    PERCENT = "percent"
    NUMBER = "number"
    DAY = "day"
    MONTH = "month"
    TEXT = "text"


def read_facts(record: Record) -> dict[str, str]:
    """Return the placeholder values of `facts.json`: each fact as pages show it, each source as a line of a list.

    `{{ fact.lisa_limit }}` becomes £4,000; in a figure it is the number: `{{= fact.lisa_limit * 3 | pounds }}`.
    A source has a key for each of its facts, and of the functions that it covers, such as tax on a price.
    """
    record.allow("sources", "facts")
    sources = {name: _read_source(entry) for name, entry in _entries(record, "sources")}
    values: dict[str, str] = {}
    for name, (line, functions) in sources.items():
        values[f"{SOURCE}{name}"] = line
        values |= {f"{SOURCE}{function}()": line for function in functions}
    for name, fact in _entries(record, "facts"):
        fact.allow("value", "unit", "says", "source")
        fact.text("says")
        values[f"{FACT}{name}"] = _fact_text(fact)
        line, _ = sources.get(source := fact.text("source"), ("", ()))
        values[f"{SOURCE}{FACT}{name}"] = line or fact.refuse(f"unknown source {source!r}", "")
    return values


def _entries(record: Record, name: str) -> list[tuple[str, Record]]:
    entries = record.record(name)
    return [(key, entries.record(key)) for key in entries.values]


def _read_source(record: Record) -> tuple[str, tuple[str, ...]]:
    """Return a source as a list line, and the functions that it covers."""
    record.allow("title", "url", "as_at", "functions")
    title, url, day = record.text("title"), record.optional("url"), record.day("as_at")
    if url and not url.startswith("https://"):
        record.refuse(f"the address {url!r} is not secure", None)
    return source_line(title, url, day=_day_text(day)), record.texts("functions")


def _fact_text(record: Record) -> str:
    """Return a fact as a page shows it: £4,000, 25%, 1 April 2025, April 2025."""
    unit = record.one_of("unit", _Unit)
    if unit in _NUMBERS:
        return _NUMBERS[unit](record.number("value"))
    if unit is _Unit.TEXT:
        return record.text("value")
    if unit is _Unit.DAY:
        return _day_text(record.day("value"))
    try:
        return f"{date.fromisoformat(record.text('value') + '-01'):%B %Y}"
    except ValueError:
        return record.refuse(f"value must be a month such as 2026-11, not {record.text('value')!r}", "")


def _day_text(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _number_text(number: float) -> str:
    """Format a number without decimals, or with two if it is not whole."""
    return decimals(number, 0 if number == int(number) else 2)


_NUMBERS: Mapping[_Unit, Callable[[float], str]] = {
    _Unit.POUNDS: lambda number: f"£{_number_text(number)}",
    _Unit.PERCENT: lambda number: f"{number:g}%",
    _Unit.NUMBER: lambda number: f"{number:g}" if number != int(number) else _number_text(number),
}
