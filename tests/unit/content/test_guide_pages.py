from dataclasses import replace

from broker.content.guide_pages import (
    FILTERS,
    FOR_EVERYBODY,
    NO_CARD,
    STARTERS,
    GuideCard,
    GuideGrid,
    Tiles,
    all_guides_page,
    grid_view,
    guide_card,
    guide_page,
    guides_to_read_next,
    main_guide,
    service_first,
    service_guides_page,
    starter_cards,
)
from broker.content.guides import ALL, KNOWN_FILTERS, USUAL_SUBJECTS, GuideCategory, GuideSubject
from broker.content.models.pages import Guide, Heading, ServiceLook, Theme
from broker.content.models.pictures import Picture, PictureFile, SafeHtml
from broker.content.page_head import HeadView
from broker.content.page_parts import BannerView
from tests.our_content import STORE
from tests.unit.content.guides import guide

HEAD = HeadView(title="T", name="N", description="D", address="/a/", image="/i.png", image_alt="I")
OTHERS = tuple(guide(f"property-{place}") for place in range(5))


def test_guide_has_the_colours_and_the_list_of_its_main_category() -> None:
    view = guide_page(guide("a", categories=(GuideCategory.REMORTGAGING, GuideCategory.PROPERTY)), head=HEAD)
    assert (view.tag, view.listed) == ("Remortgage guides", "/tools/mortgage-guides/?category=remortgaging")
    assert (view.theme, view.colour, view.ground) == ("remortgaging", "var(--remo)", "var(--remo-bg)")
    everybody = guide_page(guide("a", categories=(), categories_complete=True), head=HEAD)
    assert (everybody.tag, everybody.listed) == ("All guides", "/tools/mortgage-guides/")


def test_contents_are_the_headings_of_the_second_level() -> None:
    levels = tuple(Heading(level=level, text=f"H{level}", anchor=f"h{level}") for level in (2, 3, 2, 4))
    assert [heading.text for heading in guide_page(guide("a", headings=levels), head=HEAD).headings] == ["H2", "H2"]


def test_banner_is_the_guides_picture_or_none() -> None:
    files = tuple(PictureFile(src=f"/a-{width}.webp", width=width) for width in (350, 700))
    picture = Picture(src="/a-700.webp", width=2560, height=1440, alt="A street", files=files)
    banner = guide_page(guide("a"), head=HEAD, banner=picture).banner
    assert (banner.src, banner.width, banner.alt) == ("/a-700.webp", "2560", "A street")
    assert guide_page(guide("a"), head=HEAD).banner == BannerView()


def test_next_come_the_guides_that_are_named_else_those_of_the_category() -> None:
    named = guide("a", related=("property-3", "nobody-wrote-this", "property-0", "property-1", "property-2"))
    assert [each.url for each in guides_to_read_next(named, OTHERS)] == ["property-3", "property-0", "property-1"]
    others = (guide("b", categories=(GuideCategory.REMORTGAGING,)), *OTHERS)
    alike = guides_to_read_next(replace(OTHERS[0], related=()), others)
    assert [each.url for each in alike] == ["property-1", "property-2", "property-3"]
    assert guides_to_read_next(guide("a"), ()) == ()
    (tile, *_) = guide_page(named, head=HEAD, others=OTHERS).related
    assert (tile.href, tile.tag, tile.categories) == ("/mortgage-guides/property-3/", "Property", "property")


PROPERTY = GuideCategory.PROPERTY


def test_card_of_a_guide_is_written_out() -> None:
    both = guide("ltv", title="Loan to value", description="L" * 120, categories=(PROPERTY, GuideCategory.MORTGAGING))
    assert guide_card(both) == GuideCard(
        title="Loan to value",
        description="L" * 120,
        href="/mortgage-guides/ltv/",
        picture="card-van-ltv",
        tag="Property",
        categories="property mortgaging",
        filters="first-time-buyer remortgaging buy-to-let home-mover property mortgaging",
    )


def test_picture_shows_the_subject_of_a_guide_else_that_of_its_category() -> None:
    usual = {category: guide_card(guide("a", categories=(category,))).picture for category in GuideCategory}
    assert usual == {category: f"card-{USUAL_SUBJECTS[category]}-a" for category in GuideCategory}
    named = guide("a", subject=GuideSubject.LEAF)
    assert guide_card(named).picture == "card-leaf-a"


def test_guide_without_categories_is_on_mortgages_or_for_everybody() -> None:
    without = guide_card(guide("a", categories=()))
    assert (without.tag, without.categories) == ("Mortgage", "")
    everybody = guide_card(guide("a", categories=(), categories_complete=True))
    assert (everybody.tag, everybody.filters) == (FOR_EVERYBODY, "")


def test_starters_are_the_guides_that_are_there_by_situation() -> None:
    cards = starter_cards([guide("help-if-you-cannot-pay"), guide("other"), guide("home-mover-guide")])
    assert [(card.tag, card.href) for card in cards] == [
        ("Moving home", "/mortgage-guides/home-mover-guide/"),
        ("Trouble paying", "/mortgage-guides/help-if-you-cannot-pay/"),
    ]
    assert [card.tag for card in starter_cards(STORE.guides())] == [situation for situation, _ in STARTERS]


def test_service_has_its_own_guides_first_then_its_filters() -> None:
    service = replace(STORE.services()[0], slug="remortgaging", guides=("c", "gone", "a"))
    ours, others = (GuideCategory.REMORTGAGING,), (PROPERTY,)
    listed = {"a": others, "b": others, "c": others, "d": ours, "remortgaging-guide": ours}
    guides = [guide(slug, categories=categories) for slug, categories in listed.items()]
    assert [each.url for each in service_first(guides, service)] == ["remortgaging-guide", "c", "a", "d", "b"]
    assert (main_guide(guides, service), main_guide(guides[:4], service)) == (guides[4], None)


def test_filters_have_the_specifications_words() -> None:
    labels = ["All Guides", "Property Guides", "First Time Buyer Guides", "Remortgage Guides", "Mortgage Guides"]
    assert [label for _, label in FILTERS] == labels
    assert guide("a", words=1_000).minutes == 5


MORTGAGES, OF_PROPERTY = (GuideCategory.MORTGAGING,), (GuideCategory.PROPERTY,)
GUIDES = (guide("a", categories=OF_PROPERTY), guide("b", categories=MORTGAGES), guide("c", categories=OF_PROPERTY))
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
