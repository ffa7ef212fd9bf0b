"""Take the pictures that are kept with the code: those that other sites show of ours, and the README's.

`python -m tools.pictures`, after a change of looks; needs the tools of the tests.
"""

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tools.build import build
from tools.environment import find_chromium
from tools.project import Project, run_tool
from tools.server import free_port, start
from tools.shared_pictures import FLAGS, draw

README = (1280, 1400)


def main() -> None:
    """Build, serve, and write `assets/og/` and `docs/site.png`."""
    project = Project()
    build(project)
    server = start(project, free_port(), log=project.work / "pictures-server.log")
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=str(find_chromium()), args=FLAGS)
            draw(browser, project)
            _take(browser, f"{server.url}/tools/rates/", project.root / "docs" / "site.png", size=README)
    finally:
        server.stop()


def _take(browser: Browser, address: str, file: Path, *, size: tuple[int, int]) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page.goto(address)
    page.get_by_role("button", name="Accept & Close").click()
    page.mouse.move(0, 0)  # off what stands where the notice was
    page.wait_for_load_state("networkidle")
    file.parent.mkdir(exist_ok=True)
    page.screenshot(path=file)
    page.close()


if __name__ == "__main__":
    run_tool(main)
