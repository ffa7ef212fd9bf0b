"""Content store over a folder of JSON files and Markdown documents: its first fault stops the build."""

from pathlib import Path

from broker.content.files.consistency import find_faults
from broker.content.files.content_reader import Content, read_content
from broker.content.models.pages import Faq, in_reading_order
from broker.content.store import ContentStore, SiteContent


class EmbeddedStore(ContentStore):
    """The content of a folder; making one raises ContentError at the first fault."""

    def __init__(self, folder: Path) -> None:
        content = read_content(folder)
        if fault := next(find_faults(content), None):
            raise fault
        super().__init__(
            SiteContent(
                site=content.site,
                menus=content.menus,
                services=tuple(sorted(content.services.values(), key=lambda service: service.order)),
                front_pages={page.path: page for page in content.front_pages.values()},
                pages=tuple(sorted(content.pages.values(), key=lambda page: page.path)),
                deal_pages=tuple(sorted(content.deals.values(), key=lambda page: page.path)),
                guides=in_reading_order(content.guides.values()),
                towns=tuple(sorted(content.towns.values(), key=lambda town: town.name)),
                lenders=dict(content.lenders.values()),
                faqs=_faqs(content),
                reviews=content.reviews,
                banners={},
                looks={},
            )
        )


def _faqs(content: Content) -> dict[str, tuple[Faq, ...]]:
    topics = {path.stem: faqs for path, faqs in content.faqs.items()}
    topics |= {service.slug: service.faqs for service in content.services.values()}
    return topics | {page.path: page.faqs for page in content.pages.values() if page.faqs}
