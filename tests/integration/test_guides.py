"""Guides put into the template of the export."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from broker import routes
from broker.content.guide_pages import guide_page
from broker.content.guides import GuideCategory
from broker.content.models.pages import Guide
from broker.content.models.pictures import Picture, PictureFile
from broker.markup import parse_page
from broker.pages.articles.guides import page_of_guide
from broker.pages.registry import head_view
from broker.server.exported_site import Export
from broker.server.paths import template_file
from tests.our_content import STORE
from tests.unit.content.guides import guide
from tests.unit.pages.whole_site import inputs


def rendered(export: Export, shown: Guide, *, banner: Picture | None = None) -> str:
    """Return the page of a guide, without the view from which its scripts start."""
    page = page_of_guide(replace(inputs(), site_url=export.site_url), shown)
    head = head_view(page, site_url=export.site_url, firm="Hearthgate")
    view = guide_page(shown, head=head, banner=banner, others=STORE.guides())
    return export.templates.render(routes.edge_template("guide"), {"page": view, "start": "{}"})


@pytest.mark.parametrize("category", GuideCategory)
def test_page_of_a_guide_has_its_text_and_three_guides_of_its_category(export: Export, category: GuideCategory) -> None:
    new = guide("bridging-loans", categories=(category,), title="Loans & bridges", disclaimer="<p>Risk.</p>")
    page = rendered(export, new)
    assert re.findall(r"\{\{|\{%|[\ue000\ue001]|edge-template", page) == []
    root = parse_page(page)
    assert len(list(root.iter("h1"))) == 1
    assert "<title>bridging-loans explained | Hearthgate</title>" in page
    assert f'{new.html}</div><div class="small mute"><p>Risk.</p></div>' in page
    links = root.xpath("//a/@href")
    assert [href for href in links if href in ("#one", "#two")] == ["#one", "#two"]
    tiles = [each for each in parse_page(page).iter("article") if each.get("class") == "card"]
    assert [category in tile.attrib["data-filters"] for tile in tiles] == [True] * 3


def test_template_has_the_picture_of_a_guide_or_a_drawing(export: Export) -> None:
    files = tuple(PictureFile(src=f"/content-pictures/a-{width}.webp", width=width) for width in (350, 700))
    banner = Picture(src=files[-1].src, width=2560, height=1440, alt='A "street" & a tree', files=files)
    pages = [rendered(export, guide("short"), banner=each) for each in (banner, None)]
    pictured, drawn = (
        next(iter(parse_page(page.partition("<main")[2].partition("</main>")[0]).iter("img"))) for page in pages
    )
    assert pictured.attrib["src"] == files[-1].src
    assert pictured.attrib["srcset"] == "/content-pictures/a-350.webp 350w, /content-pictures/a-700.webp 700w"
    assert pictured.attrib["alt"] == banner.alt
    assert (pictured.attrib["width"], pictured.attrib["height"]) == ("2560", "1440")
    assert "420px" in pictured.attrib["sizes"]
    assert drawn.attrib["src"].startswith("/art/")
    assert [page.count('banner-pic"') for page in pages] == [1, 0]


def test_guide_without_headings_and_disclaimer_has_no_empty_parts(export: Export) -> None:
    page = rendered(export, guide("short", headings=(), html="<p>Short.</p>", disclaimer=""))
    assert "On this page" not in page
    assert "small mute" not in page.partition("<article")[2].partition("</article>")[0]


def test_styles_of_the_first_frame_have_the_colours_of_every_theme(site: Path) -> None:
    source = (site / template_file(routes.edge_template("guide"))).read_text("utf-8")
    assert [name for name in ("--ftb:", "--mover:", "--remo:", "--btl-bg:") if name not in source] == []
