from dataclasses import replace

from broker.content.guide_pages import NO_CARD, GuideGrid, Tiles, all_guides_page, grid_view, service_guides_page
from broker.content.guides import ALL, KNOWN_FILTERS, GuideCategory
from broker.content.models.pages import Guide, ServiceLook, Theme
from broker.content.models.pictures import SafeHtml
from broker.content.page_head import HeadView
from broker.content.page_parts import BannerView
from tests.our_content import STORE
from tests.unit.content.guides import guide

HEAD = HeadView(title="T", name="N", description="D", address="/a/", image="/i.png", image_alt="I")
MORTGAGES, PROPERTY = (GuideCategory.MORTGAGING,), (GuideCategory.PROPERTY,)
GUIDES = (guide("a", categories=PROPERTY), guide("b", categories=MORTGAGES), guide("c", categories=PROPERTY))
SERVICE = replace(STORE.services()[0], slug="mortgaging", guides=("c",), footer_disclaimer=SafeHtml("<p>Ours.</p>"))


def titles(grid: GuideGrid) -> list[str]:
    return [card.href.split("/")[2] for card in (grid.tiles.first, *grid.tiles.others)]


def service_page(*guides: Guide) -> tuple[list[str], str]:
    page = service_guides_page(guides, SERVICE, head=HEAD, crumbs=())
    return titles(page.grid), page.disclaimer


def test_grid_has_all_guides_its_own_first_and_counts_each_filter() -> None:
    grid = grid_view(GUIDES, "mortgaging")
    assert (titles(grid), grid.chosen, grid.count) == (["b", "a", "c"], "mortgaging", "Showing 1 guide")
    assert (tuple(grid.counts), grid.counts["all"]) == (KNOWN_FILTERS, "Showing 3 guides")
    assert (grid_view(GUIDES, "insurance").chosen, titles(grid_view(GUIDES, "insurance"))) == (ALL, ["a", "b", "c"])
    assert (grid_view(()).tiles, grid_view(()).count) == (Tiles(first=NO_CARD, others=()), "Showing 0 guides")


def test_service_begins_with_its_main_guide_whose_disclaimer_wins() -> None:
    assert service_page(*GUIDES) == (["b", "c", "a"], "<p>Ours.</p>")
    main = guide("mortgaging-guide", categories=MORTGAGES, disclaimer=SafeHtml("<p>Its own.</p>"))
    assert service_page(*GUIDES, main) == (["mortgaging-guide", "b", "c", "a"], "<p>Its own.</p>")


def test_service_has_its_theme_or_the_colours_of_the_content() -> None:
    plain, own = (
        service_guides_page(GUIDES, replace(SERVICE, theme=Theme.INSURANCE), head=HEAD, crumbs=(), look=look)
        for look in (None, ServiceLook(color="#1b6b54", ground="#eef"))
    )
    assert (plain.colour, plain.ground, own.colour, own.ground) == ("var(--prot)", "var(--prot-bg)", "#1b6b54", "#eef")


def test_page_of_all_guides_counts_them_and_opens_with_its_title() -> None:
    (text,) = (page for page in STORE.pages() if page.kind == "guides")
    page = all_guides_page(GUIDES, replace(text, meta_title="Guides | Firm"), head=HEAD, banner=BannerView())
    assert (page.count, page.counts["mortgaging"], page.opening) == ("3 of 3 shown", "1 of 3 shown", "Guides")
    assert (page.starters.first, page.by) == (NO_CARD, f"Updated on {text.updated:%-d %B, %Y}")
