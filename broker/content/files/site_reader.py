"""Readers for the firm in `site.json` and the reviews in `reviews.json`."""

from dataclasses import fields

from broker.content.files.validated_record import Record
from broker.content.models.pages import Review
from broker.content.models.site import ConsentWords, OpeningHours, ReviewCount, ReviewTotals, Site, Social, e164

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
    """Read the reviews from `reviews.json`, a list under the name reviews."""
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
