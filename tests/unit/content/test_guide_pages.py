from dataclasses import replace

from broker.content.guide_pages import guide_page, guides_to_read_next
from broker.content.guides import GuideCategory
from broker.content.models.pages import Heading
from broker.content.models.pictures import Picture, PictureFile
from broker.content.page_head import HeadView
from broker.content.page_parts import BannerView
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
