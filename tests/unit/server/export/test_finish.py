import json
from gzip import decompress
from pathlib import Path

import brotli
import pytest

from broker.markup import canonical, is_indexed, meta, parse_page, script_hashes
from broker.server.export.css import fonts, with_absolute_urls
from broker.server.export.finish import PASSES, ExportError, finish
from broker.server.export.scripts import HEAD_SCRIPT, deferred_boot
from broker.server.exported_site import read_export
from tests.unit.server.site import CSS, SITE, START, STYLE, THEME, html, write_export


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    finish(write_export(tmp_path))
    return tmp_path


def read(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file): (file.read_bytes(), file.stat().st_mtime_ns) for file in files}


def test_a_page_is_painted_from_its_own_text(finished: Path) -> None:
    page = read(finished, "about-us/index.html")
    css = CSS.replace("../fonts", "/fonts")
    added = (
        f'<script data-head="">{HEAD_SCRIPT}</script>'
        '<link rel="preload" as="font" type="font/woff2" crossorigin="" href="/fonts/a.woff2">'
        f'<style data-from="{STYLE}">{css}</style>'
    )
    assert f"{THEME}{added}" in page
    assert f'<link href="{STYLE}" rel="stylesheet" type="text/css" disabled>' in page
    assert f'<link as="style" href="{STYLE}" rel="preload" media="not all">' in page
    assert 'rel="modulepreload" href' not in page
    assert page.count("<style") == page.count("data-head") == 1


def boot_parameters(*modules: str) -> dict[str, object]:
    return json.loads(deferred_boot(START, modules).rpartition("deferBoot(")[2].removesuffix(")})()"))


def test_the_start_script_is_called_with_the_modules_of_its_page() -> None:
    shared = ("/assets/root-1.js", "/assets/shared-1.js", "/assets/entry-1.js", "/assets/shared-2.js")
    assert boot_parameters(*shared) == {
        "folder": "/assets/",
        "shared": ["shared-1.js", "shared-2.js"],
        "manifest": "manifest-1.js",
        "routes": {"root": "root-1.js", "routes/page": "page-1.js"},
        "entry": "entry-1.js",
    }
    parameters = boot_parameters("/elsewhere/shared-1.js")
    assert (parameters["folder"], parameters["shared"]) == ("", ["/elsewhere/shared-1.js"])
    assert parameters["manifest"] == "/assets/manifest-1.js"


def test_a_page_whose_start_script_has_another_form_is_left_alone(tmp_path: Path) -> None:
    other = 'import "/assets/other.js";'
    assert deferred_boot(other, ()) == other
    page = html("About").replace(START, other)
    finish(write_export(tmp_path, **{"about-us/index.html": page}))
    assert read(tmp_path, "about-us/index.html") == page


SIGNS = list(zip(PASSES[1:4], ("<script data-head", "<style data-from=", " disabled>"), strict=True))


@pytest.mark.parametrize(("name", "sign"), SIGNS)
def test_each_pass_can_be_left_out(tmp_path: Path, name: str, sign: str) -> None:
    finish(write_export(tmp_path), without=[name])
    assert sign not in read(tmp_path, "about-us/index.html")
    assert ("@font-face" in read(tmp_path, STYLE.lstrip("/"))) == (name == "inline_critical_css")


def test_nothing_happens_without_any_pass(tmp_path: Path) -> None:
    before = {name: text for name, (text, _) in snapshot(write_export(tmp_path)).items() if "about-us" not in name}
    finish(tmp_path, without=PASSES)
    after = {name: text for name, (text, _) in snapshot(tmp_path).items() if "about-us" not in name}
    assert {name for name in after if before.get(name) != after[name]} == {str(tmp_path / "404.html")}


def test_a_page_carries_only_the_styles_that_it_can_use(tmp_path: Path) -> None:
    finish(write_export(tmp_path, **{STYLE: f"{CSS}.card{{color:red}}[open]>p{{margin:0}}"}))
    assert "h1{color:#123}</style>" in read(tmp_path, "about-us/index.html")


def test_the_error_page_is_plain_html_with_the_head_script_only(finished: Path) -> None:
    page = read(finished, "not-found/index.html")
    assert page.count("<script") == 2
    assert f'<script data-head="">{HEAD_SCRIPT}</script>' in page
    assert '<script type="application/ld+json">' in page
    assert ("modulepreload" in page, 'rel="stylesheet"' in page) == (False, False)
    assert read(finished, "404.html") == page


def test_finishing_twice_changes_nothing_and_second_copies_go(finished: Path) -> None:
    before = snapshot(finished)
    finish(finished)
    assert snapshot(finished) == before
    names = {name: (finished / name).exists() for name in ("about-us.html", "old.txt.gz", "__spa-fallback.html")}
    assert names == {"about-us.html": False, "old.txt.gz": False, "__spa-fallback.html": True}


def test_every_text_has_its_compressed_copy_which_is_never_an_old_one(finished: Path) -> None:
    texts = {file for file in finished.rglob("*") if file.suffix in {".html", ".js", ".css", ".svg", ".txt", ".xml"}}
    copies = {file.with_name(file.name.removesuffix(".gz")): file for file in finished.rglob("*.gz")}
    assert set(copies) == texts
    scripts = {file for file in texts if file.suffix in {".js", ".css"}}
    assert {brotli.decompress(file.with_name(f"{file.name}.br").read_bytes()) for file in scripts} == {
        file.read_bytes() for file in scripts
    }
    assert len(list(finished.rglob("*.br"))) == len(scripts)
    assert [file for file, copy in copies.items() if decompress(copy.read_bytes()) != file.read_bytes()] == []
    (finished / "about-us" / "index.html").write_text(html("About again", path="/about-us/"), encoding="utf-8")
    finish(finished)
    page = read_export(finished, SITE).files["/about-us/"]
    assert b"<h1>About again</h1>" in page.plain()


def test_the_list_of_routes_leaves_out_what_no_visitor_uses(tmp_path: Path) -> None:
    listed = {
        "root": {"id": "root", "imports": ["/assets/a.js"]},
        "guides": {"id": "guides", "path": "guides", "hasLoader": False, "imports": ["/assets/a.js"], "css": []},
        "record": {"id": "record", "path": "staff/record", "imports": ["/assets/staff-1.js"]},
        "template": {"id": "template", "path": "edge-template-guide", "imports": []},
    }
    name = "assets/manifest-1.js"
    text = f"window.manifest={json.dumps({'routes': listed, 'version': '1'})};"
    finish(write_export(tmp_path, **{name: text}))
    start, _, left = read(tmp_path, name).partition("=")
    known = json.loads(left.removesuffix(";"))
    assert (start, known["version"], list(known["routes"])) == ("window.manifest", "1", ["root", "guides", "record"])
    assert known["routes"]["guides"] == {"id": "guides", "path": "guides", "imports": ["/assets/a.js"]}
    assert known["routes"]["record"] == {"id": "record", "path": "staff/record"}


def test_a_folder_without_a_site_is_refused_and_answers_in_words(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="run `reflex export` first"):
        finish(tmp_path)
    assert b"<h1>Page not found</h1>" in read_export(tmp_path, SITE).not_found.plain()


def test_pages_carry_the_fonts_and_their_stylesheet_does_not(finished: Path) -> None:
    absolute = {"url(a.woff2)": "url(/assets/a.woff2)", 'url("../f/a.woff2")': 'url("/f/a.woff2")'}
    absolute |= {css: css for css in ("url(/f/a.woff2)", "url(data:image/png;base64,AA)", "url(#mask)")}
    assert {css: with_absolute_urls(css, "/assets/site.css") for css in absolute} == absolute
    pages = [file.read_text(encoding="utf-8") for file in finished.rglob("*.html") if "__spa" not in file.name]
    assert {page.count("@font-face") for page in pages} == {1}
    whole = read(finished, STYLE.lstrip("/"))
    assert (whole.count("@font-face"), whole.count("h1{")) == (0, 1)
    assert fonts('url("/a.woff2") url(/b.woff2) url(/a.woff2) url(/c.png)') == ("/a.woff2", "/b.woff2")


def test_a_page_says_what_it_is_and_which_scripts_run() -> None:
    page = parse_page(html("Rates & fees", path="/tools/rates/", changed="2026-01-02"))
    assert canonical(page) == "http://testserver/tools/rates/"
    assert meta(page, "description") == "Rates & fees, described"
    assert is_indexed(page)
    assert not is_indexed(parse_page(html("Test", robots="noindex, nofollow")))
    assert canonical(parse_page("<link rel='x'>")) is None
    data = '<script src="/a.js"></script><script type="application/ld+json">{}</script>'
    page = parse_page(f"{data}<script>1</script><script>1</script>")
    assert script_hashes(page) == ("'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='",)


def test_inline_scripts_have_no_closing_tags_comments_or_exports() -> None:
    scripts = [HEAD_SCRIPT, deferred_boot(START, ())]
    assert [sign for script in scripts for sign in ("</", "//", "/*", "export ") if sign in script] == []
    assert len(HEAD_SCRIPT) < 5_500
