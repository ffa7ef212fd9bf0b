"""The part of the content that compiled pages show: a build is needed where it changed, and not for any other change.

Pages of guides and of lenders are data: of a guide, compiled pages have its card alone, and of a lender its name.
"""

from dataclasses import replace
from datetime import date

from broker import routes
from broker.content.models.lenders import LenderText, RateDisplay
from broker.content.models.pages import Guide
from broker.content.models.pictures import NO_HTML
from broker.content.snapshot.history import NO_HISTORY
from broker.content.store import SiteContent

NO_DAY = date.min
"""The day of what compiled pages show no day of."""


def compiled_content(content: SiteContent) -> SiteContent:
    """Return content without what compiled pages do not show."""
    paths = (*(routes.guide(guide.url) for guide in content.guides), *map(routes.lender, content.lenders))
    return replace(
        content,
        guides=tuple(map(_card, content.guides)),
        lenders={slug: _name(text) for slug, text in content.lenders.items()},
        banners={path: picture for path, picture in content.banners.items() if path not in (*paths, routes.GUIDES)},
        history=NO_HISTORY,
    )


def _card(guide: Guide) -> Guide:
    return replace(
        guide,
        meta_title="",
        summary="",
        updated=NO_DAY,
        created=NO_DAY,
        author="",
        html=NO_HTML,
        headings=(),
        related=(),
        words=0,
        order=0,
        disclaimer=NO_HTML,
    )


def _name(text: LenderText) -> LenderText:
    return LenderText(
        name=text.name,
        lender_id=text.lender_id,
        updated=NO_DAY,
        banner_content=NO_HTML,
        small_desc="",
        rate_display_preference=RateDisplay.TOP_3,
        calculators=(),
        fixed_section_content=NO_HTML,
        details=(),
        rates_tables=(),
        view_all_link="",
    )
