"""Import of the firm's footer, reviews and review counts (specification 3)."""

import re
from collections.abc import Iterable, Mapping

from broker.content.models.pages import Review
from broker.content.models.pictures import Picture
from broker.content.models.telephone import e164
from broker.content.snapshot.snapshot import Firm
from broker.content.text.sanitise import single_line
from broker.content.wordpress.fields import at, choice, number, raw, text
from broker.content.wordpress.image_download import footer_logos
from broker.content.wordpress.import_context import ImportContext, first
from broker.content.wordpress.responses import Json
from broker.markup import lines_of

SITES = ("google", "trustpilot", "reviewsio", "facebook")


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
    given = {site: number(at(settings, f"{site}Count")) for site in SITES}
    counts = {site: int(count) for site, count in given.items() if count and count > 0}
    if in_footer and in_footer > 0 and counts.setdefault("trustpilot", int(in_footer)) != in_footer:
        words = f"is {in_footer:g}, the review settings say {counts['trustpilot']}, which is shown everywhere"
        context.note("footer trustpilotReviewCount", words)
    total = number(at(settings, "totalReviews"))
    if total and total != sum(counts.values()):
        context.note("review settings totalReviews", f"is {total:g}, the counts make {sum(counts.values())}")
    return counts


def _pictures(context: ImportContext, settings: Json, what: str) -> dict[str, Picture]:
    found = {site: context.picture(at(settings, f"{site}{what}")) for site in SITES}
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
