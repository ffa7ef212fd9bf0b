from __future__ import annotations

from gzip import decompress
from pathlib import Path

import pytest

from broker.web.export.critical_css import MOST, fonts, inline_critical_css, with_absolute_urls
from broker.web.export.css_subset import read_sheet
from broker.web.export.deferred_boot import deferred_boot
from broker.web.export.finish import ExportError, finish
from broker.web.export.head_script import HEAD_SCRIPT
from broker.web.markup import canonical, is_indexed, meta, script_hashes
from broker.web.serving.exported_site import read_export
from tests.unit.web.site import CSS, SITE, START, STYLE, THEME, html, write_export


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """The small site, finished."""
    finish(write_export(tmp_path), SITE)
    return tmp_path


def read(folder: Path, name: str) -> str:
    """Return the text of an exported file."""
    return (folder / name).read_text(encoding="utf-8")


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return the content and the time of change of every file."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file): (file.read_bytes(), file.stat().st_mtime_ns) for file in files}


def test_a_page_is_painted_from_its_own_text(finished: Path) -> None:
    page = read(finished, "about-us/index.html")
    css = CSS.replace("../fonts", "/fonts")
    added = (
        f"<script data-head>{HEAD_SCRIPT}</script>"
        '<link rel="preload" as="font" type="font/woff2" href="/fonts/a.woff2" crossorigin>'
        f'<style data-from="{STYLE}">{css}</style>'
    )
    assert f"{THEME}{added}" in page
    assert f'<link disabled href="{STYLE}" rel="stylesheet" type="text/css"/>' in page
    assert f'<link media="not all" as="style" href="{STYLE}" rel="preload"/>' in page
    assert 'rel="modulepreload" href' not in page
    assert page.count("<style") == page.count("data-head") == 1


def test_scripts_start_after_the_first_frame_with_every_module_asked_for() -> None:
    script = deferred_boot(START, ("/assets/root-1.js", "/assets/page-1.js"))
    addresses = 'all=["manifest-1.js","root-1.js","page-1.js","entry-1.js"].map(name=>"/assets/"+name)'
    assert addresses in script
    assert "for(const href of all)" in script
    assert (
        "await import(all[0]);"
        "const [route0,route1]=await Promise.all([import(all[1]),import(all[2])]);"
        "await styled;"
        'window.__reactRouterRouteModules={"root":route0,"routes/page":route1};'
        "await import(all[3]);"
    ) in script
    assert script.endswith("requestAnimationFrame(()=>setTimeout(begin));setTimeout(begin,2000)})()")


def test_modules_that_pages_share_run_one_at_a_time_before_those_of_the_page() -> None:
    script = deferred_boot(START, ("/assets/shared-1.js", "/assets/entry-1.js", "/assets/shared-2.js"))
    assert 'all=["shared-1.js","shared-2.js","manifest-1.js"' in script
    one_at_a_time = script.index("for(const href of all.slice(0,2)){await import(href);await(")
    assert script.index("modulepreload") < one_at_a_time < script.index("await import(all[2]);")


def test_the_whole_stylesheet_is_asked_for_after_the_first_frame_and_before_the_page_is_taken_over() -> None:
    script = deferred_boot(START, ())
    assert script.index("link.disabled=false") < script.index("modulepreload") < script.index("await styled")
    assert script.index("await styled") < script.index("import(all[3])")


def test_modules_of_several_folders_are_asked_for_by_their_whole_addresses() -> None:
    script = deferred_boot(START, ("/elsewhere/shared-1.js",))
    assert 'all=["/elsewhere/shared-1.js","/assets/manifest-1.js"' in script
    assert ".map(name=>" not in script


def test_a_start_script_of_another_form_is_left_alone_and_so_is_its_page() -> None:
    assert deferred_boot('import "/assets/other.js";', ()) == 'import "/assets/other.js";'
    page = html("About").replace(START, 'import "/assets/other.js";')
    assert inline_critical_css(page, {STYLE: read_sheet(CSS)}) == page


def test_a_page_carries_only_the_styles_that_it_can_use(tmp_path: Path) -> None:
    folder = write_export(tmp_path)
    (folder / STYLE.lstrip("/")).write_text(f"{CSS}.card{{color:red}}[open]>p{{margin:0}}", encoding="utf-8")
    finish(folder, SITE)
    assert "h1{color:#123}</style>" in read(folder, "about-us/index.html")


def test_the_error_page_is_plain_html_with_the_head_script_only(finished: Path) -> None:
    page = read(finished, "not-found/index.html")
    assert page.count("<script") == 2
    assert f"<script data-head>{HEAD_SCRIPT}</script>" in page
    assert '<script type="application/ld+json">' in page
    assert "modulepreload" not in page
    assert 'rel="stylesheet"' not in page
    assert read(finished, "404.html") == page


def test_finishing_twice_changes_nothing(finished: Path) -> None:
    before = snapshot(finished)
    finish(finished, SITE)
    assert snapshot(finished) == before


def test_second_copies_and_old_sidecars_go(finished: Path) -> None:
    assert not (finished / "about-us.html").exists()
    assert not (finished / "old.txt.gz").exists()
    assert (finished / "__spa-fallback.html").exists()


def test_every_text_has_its_compressed_copy(finished: Path) -> None:
    texts = {file for file in finished.rglob("*") if file.suffix in {".html", ".js", ".css", ".svg", ".txt", ".xml"}}
    copies = {file.with_name(file.name.removesuffix(".gz")): file for file in finished.rglob("*.gz")}
    assert set(copies) == texts
    assert {file: decompress(copy.read_bytes()) for file, copy in copies.items()} == {
        file: file.read_bytes() for file in texts
    }


def test_a_changed_page_is_never_served_from_an_old_copy(finished: Path) -> None:
    (finished / "about-us" / "index.html").write_text(html("About anew", path="/about-us/"), encoding="utf-8")
    finish(finished, SITE)
    page = read_export(finished, SITE).files["/about-us/"]
    assert b"<h1>About anew</h1>" in page.plain()


def test_the_sitemap_lists_the_pages_that_name_themselves(finished: Path) -> None:
    assert read(finished, "sitemap.xml") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<url><loc>http://testserver/</loc><lastmod>2026-03-04</lastmod></url>\n"
        "<url><loc>http://testserver/about-us/</loc></url>\n"
        "<url><loc>http://testserver/tools/rates/</loc></url>\n"
        "</urlset>\n"
    )


def test_robots_txt_allows_everything_and_names_the_sitemap(finished: Path) -> None:
    assert read(finished, "robots.txt") == "User-agent: *\nDisallow:\n\nSitemap: http://testserver/sitemap.xml\n"


def test_a_folder_without_a_site_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="run `reflex export` first"):
        finish(tmp_path, SITE)


def test_an_export_without_an_error_page_still_answers_in_words(tmp_path: Path) -> None:
    assert b"<h1>Page not found</h1>" in read_export(tmp_path, SITE).not_found.plain()


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("url(a.woff2)", "url(/assets/a.woff2)"),
        ('url("../f/a.woff2")', 'url("/f/a.woff2")'),
        ("url(/f/a.woff2)", "url(/f/a.woff2)"),
        ("url(data:image/png;base64,AA)", "url(data:image/png;base64,AA)"),
        ("url(#mask)", "url(#mask)"),
    ],
)
def test_addresses_in_a_style_hold_on_every_page(css: str, expected: str) -> None:
    assert with_absolute_urls(css, "/assets/site.css") == expected


def long_page(tmp_path: Path, *, below: int) -> str:
    """Return a page as it is finished whose second part is so many bytes long, and so are the styles of that part."""
    folder = write_export(tmp_path)
    page = html("About").replace("</h1>", f"</h1><main><p>{'a' * 4_000}</p><section>{'b' * below}</section></main>")
    (folder / "about-us" / "index.html").write_text(page, encoding="utf-8")
    css = f"p{{color:red}}section{{--b:{'b' * below}}}"
    (folder / STYLE.lstrip("/")).write_text(css, encoding="utf-8")
    finish(folder, SITE)
    return read(folder, "about-us/index.html")


def test_a_page_too_heavy_with_all_its_styles_carries_those_of_its_beginning(tmp_path: Path) -> None:
    written = long_page(tmp_path, below=MOST // 2)
    assert f'<style data-from="{STYLE}">p{{color:red}}</style>' in written
    plainly = f'</p><noscript data-mid><link data-mid rel="stylesheet" href="{STYLE}"></noscript><script data-mid>'
    script, _, below = written.partition(plainly)[2].partition("</script>")
    assert "<style data-mid>[data-low]{display:none!important}</style>" in script
    assert below.startswith("<section data-low>")
    assert f'<link disabled href="{STYLE}" rel="stylesheet" type="text/css"/>' in written


@pytest.mark.parametrize("below", [1_000, MOST], ids=["light", "too heavy in two as well"])
def test_a_page_carries_all_its_styles_where_a_part_of_them_would_not_help(tmp_path: Path, below: int) -> None:
    written = long_page(tmp_path, below=below)
    assert ("section{--b:" in written, "data-mid rel" in written) == (True, False)


def test_pages_carry_the_fonts_and_their_stylesheet_does_not(finished: Path) -> None:
    pages = [file.read_text(encoding="utf-8") for file in finished.rglob("*.html") if "__spa" not in file.name]
    assert {page.count("@font-face") for page in pages} == {1}
    whole = read(finished, STYLE.lstrip("/"))
    assert (whole.count("@font-face"), whole.count("h1{")) == (0, 1)


def test_fonts_are_named_once_each() -> None:
    assert fonts('url("/a.woff2") url(/b.woff2) url(/a.woff2) url(/c.png)') == ("/a.woff2", "/b.woff2")


def test_a_page_says_what_it_is() -> None:
    page = html("Rates & fees", path="/tools/rates/", changed="2026-01-02")
    assert canonical(page) == "http://testserver/tools/rates/"
    assert meta(page, "description") == "Rates & fees, described"
    assert is_indexed(page)
    assert not is_indexed(html("Test", robots="noindex, nofollow"))
    assert canonical("<link rel='x'>") is None


def test_hashes_cover_scripts_that_run_and_no_data() -> None:
    data = '<script src="/a.js"></script><script type="application/ld+json">{}</script>'
    page = f"{data}<script>1</script><script>1</script>"
    assert script_hashes(page) == ("'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='",)


def test_the_head_script_can_stand_in_a_script_element() -> None:
    assert "</" not in HEAD_SCRIPT
    assert len(HEAD_SCRIPT) < 1_750
