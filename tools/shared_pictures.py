"""Draw the pictures that other sites show of our pages: `python -m tools.shared_pictures` writes `assets/og/`.

They are composed from the site's own stylesheet and drawings, so that they follow a change of looks, and carry the
firm's name as the content has it. Needs the tools of the tests, and no build.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, Route, sync_playwright

from broker.content.files.embedded_store import EmbeddedStore
from broker.content_drawings import content_drawings
from broker.market.catalogue import load
from broker.presenters.social_images import HEIGHT, PICTURES, WIDTH
from broker.services.lenders import market_lenders
from broker.settings import read_settings
from broker.web.serving.drawings import Drawing
from broker.web.serving.drawings import draw as svg
from tools.environment import find_chromium
from tools.palette_png import Pixels, palette_png
from tools.project import Project, run_tool
from tools.shared_scenes import scene

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

ADDRESS = "http://pictures.invalid/"
"""Where the scenes stand: nowhere, every request is answered from the assets folder, or with a drawing."""

_PIXELS = """async png => {
    const bytes = Uint8Array.from(atob(png), letter => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const pixels = canvas.getImageData(0, 0, picture.width, picture.height).data;
    return await new Promise(done => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result.split(",")[1]);
        reader.readAsDataURL(new Blob([pixels]));
    });
}"""
"""Unpacks a picture into its plain pixels, which a browser can and the standard library cannot."""


def main() -> None:
    """Draw every picture."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(find_chromium()), args=FLAGS)
        draw(browser, Project())
        browser.close()


def draw(browser: Browser, project: Project) -> None:
    """Write `assets/og/{name}.png` for every picture, and drop the files of those that are no more."""
    data = read_settings().data_dir
    store = EmbeddedStore(data / "content")
    drawings = content_drawings(store, market_lenders(load(data / "market")))
    assets = project.root / "assets"
    folder = assets / "og"
    folder.mkdir(exist_ok=True)
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.route("**/*", lambda route: _answer(route, assets, firm=store.site().name, drawings=drawings))
    for name in PICTURES:
        (folder / f"{name}.png").write_bytes(palette_png(_taken(page, name)))
    page.close()
    for file in folder.glob("*.png"):
        if file.stem not in PICTURES:
            file.unlink()


def _answer(route: Route, assets: Path, *, firm: str, drawings: Mapping[str, Drawing]) -> None:
    """Answer a request with a scene by its name, a drawing, or a file of the site."""
    path = route.request.url.removeprefix(ADDRESS)
    if path in PICTURES:
        route.fulfill(body=scene(path, firm), content_type="text/html; charset=utf-8")
    elif drawing := drawings.get(f"/{path}"):
        route.fulfill(body=svg(drawing), content_type="image/svg+xml")
    else:
        route.fulfill(path=assets / path)


def _taken(page: Page, name: str) -> Pixels:
    """Return the pixels of a scene, once its fonts and drawings are there."""
    page.goto(ADDRESS + name, wait_until="networkidle")
    picture = page.screenshot()
    unpacked = page.evaluate(_PIXELS, b64encode(picture).decode())
    return np.frombuffer(b64decode(unpacked), np.uint8).reshape(HEIGHT, WIDTH, 4)[:, :, :3]


if __name__ == "__main__":
    run_tool(main)
