"""Take the pictures that are kept with the code: the one other sites show of ours, and the README's.

`python -m tools.pictures`, after a change of looks; needs the tools of the tests.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tools.build import build
from tools.environment import find_chromium
from tools.project import Project, run_tool
from tools.server import free_port, start

OPEN_GRAPH = (1200, 630)
README = (1280, 1400)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def main() -> None:
    """Build, serve, and write `assets/og.png` and `docs/site.png`."""
    project = Project()
    build(project)
    server = start(project, free_port(), log=project.work / "pictures-server.log")
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=str(find_chromium()), args=FLAGS)
            _open_graph(browser, project)
            _take(browser, f"{server.url}/tools/rates/", project.root / "docs" / "site.png", size=README)
    finally:
        server.stop()


def _open_graph(browser: Browser, project: Project) -> None:
    """Draw the picture from the site's own stylesheet, mark and street, served from the assets folder."""
    page = browser.new_page(viewport={"width": OPEN_GRAPH[0], "height": OPEN_GRAPH[1]})
    art = (project.root / "assets" / "art").as_uri()
    fonts = (project.root / "assets" / "fonts").as_uri()
    scratch = project.work / "og.html"
    scratch.write_text(
        f"""<!doctype html><meta charset="utf-8"><style>
        @font-face{{font-family:Besley;src:url({fonts}/besley.woff2);font-weight:400 900}}
        body{{margin:0;background:#104048;color:#fff;font:600 92px/1.06 Besley;letter-spacing:-.022em;
              height:630px;position:relative;overflow:hidden}}
        p{{margin:0;padding:64px 72px}} em{{font-style:normal;color:#FFBD3F}}
        .name{{padding-bottom:0;font-size:40px;display:flex;gap:20px;align-items:center}}
        .name img{{width:54px;height:60px}} .street{{position:absolute;bottom:0;width:1440px;left:-120px}}</style>
        <p class="name"><img src="{art}/mark-on-dark.svg" alt="">Hearthgate Mortgages</p>
        <p>A good mortgage.<br><em>No broker fee.</em></p>
        <img class="street" src="{art}/street-home-dusk.svg" alt="">"""
    )
    page.goto(scratch.as_uri())
    page.screenshot(path=project.root / "assets" / "og.png")
    page.close()


def _take(browser: Browser, address: str, file: Path, *, size: tuple[int, int]) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page.goto(address)
    page.get_by_role("button", name="Accept & Close").click()
    page.wait_for_load_state("networkidle")
    file.parent.mkdir(exist_ok=True)
    page.screenshot(path=file)
    page.close()


if __name__ == "__main__":
    run_tool(main)
