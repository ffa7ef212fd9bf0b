"""`/updateLenders/` as staff use it: finding a lender, giving it a picture in each way, and what the page says then."""

import base64
import re
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.unit.lenders.logos.sent_pictures import plain

SIDES = (300, 120)
"""Pixels of the pictures that these tests send: no drawn mark has them."""

RED, GREEN, BLUE = (plain(colour, SIDES) for colour in ((200, 0, 0), (0, 160, 0), (0, 0, 200)))

_GIVE = """(element, [kind, files]) => {
    const data = new DataTransfer();
    for (const [name, text] of files)
        data.items.add(new File([Uint8Array.from(atob(text), sign => sign.charCodeAt(0))], name));
    const how = { bubbles: true, cancelable: true };
    if (kind === "paste") element.focus();
    element.dispatchEvent(kind === "paste"
        ? new ClipboardEvent(kind, { clipboardData: data, ...how })
        : new DragEvent(kind, { dataTransfer: data, ...how }));
}"""


def payload(name: str, data: bytes = RED) -> FilePayload:
    return FilePayload(name=name, mimeType="application/octet-stream", buffer=data)


class LogosPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.last_result = page.locator(".last-result")
        self.lines = page.locator(".lender-table tbody tr")
        self.report = page.locator(".report")
        self.chosen = page.locator(".chosen")
        page.on("filechooser", lambda _: None)  # has the browser tell of choosers before a key opens one
        expect(self.lines.first).to_be_visible()

    def line(self, lender: str) -> Locator:
        return self.lines.filter(has=self.page.get_by_role("rowheader", name=lender, exact=True))

    def logo(self, lender: str) -> Locator:
        return self.line(lender).locator("img")

    def upload(self, lender: str, name: str = "a.png", data: bytes = RED) -> None:
        self.line(lender).get_by_label(re.compile(f"the logo of {re.escape(lender)}")).set_input_files(
            payload(name, data)
        )

    def open(self, lender: str) -> None:
        self.line(lender).get_by_role("button", name=lender, exact=True).click()
        expect(self.chosen.get_by_role("heading", name=lender)).to_be_visible()

    def give(self, where: Locator, kind: str, *files: tuple[str, bytes]) -> None:
        """Drop or paste files somewhere, as the browser tells of it: `kind` is drop, dragover or paste."""
        where.evaluate(_GIVE, [kind, [(name, base64.b64encode(data).decode()) for name, data in files]])

    def send_zip(self, file: FilePayload | Path) -> None:
        self.page.get_by_label("Choose a zip file").set_input_files(file)

    def send(self, *files: FilePayload) -> None:
        """Choose files whose names say where they belong."""
        self.page.get_by_label("Choose files").set_input_files(files)

    def expect_told(self, words: str) -> None:
        """Wait until the page says the result of the last change."""
        expect(self.last_result).to_contain_text(words)

    def expect_logo(self, lender: str, *, stands: bool = True) -> None:
        """Wait until a lender's line shows a logo that was sent, at 100 pixels at most, or its drawn mark."""
        expect(self.logo(lender)).to_have_attribute("src", re.compile("^/logos/" if stands else "^/art/"))
        expect(self.logo(lender)).not_to_have_js_property("naturalWidth", 0)
        box = self.logo(lender).bounding_box()
        assert box
        assert 0 < box["width"] <= 100
