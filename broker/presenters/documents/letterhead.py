"""What surrounds every document: the firm as it is on the pages, and the day."""

from datetime import UTC, datetime

from broker.content.models.site import Site
from broker.domain.documents import Letterhead
from broker.domain.enquiries.working_time import UK


def letterhead(site: Site, *, site_url: str) -> Letterhead:
    """Return the letterhead of a firm on today's date."""
    opening = site.hours[0] if site.hours else None
    sample = (site.sample_sentence,) if site.sample else ()
    return Letterhead(
        firm=site.name,
        site=site_url,
        day=f"{datetime.now(UTC).astimezone(UK):%-d %B %Y}",
        telephone=site.phone,
        email=site.email,
        hours=f"{opening.days}, {opening.hours}" if opening else "",
        risk_warning=site.risk_warning,
        buy_to_let=site.buy_to_let_sentence,
        disclosure=" ".join((site.regulation, site.how_we_are_paid, site.range_sentence, *sample)),
    )
