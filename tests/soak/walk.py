"""A walk through the desk by keys alone, with a picture, axe and the width of the page at each step."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import violations
from tests.timeouts import ANSWER_TIMEOUT

PATIENCE = 1_000 * ANSWER_TIMEOUT

MOST_TABS = 400
"""Presses of Tab after which an element counts as out of reach."""

_OBSCURED = "because it is partially obscured"
"""What axe says of the size of a target that is scrolled half under a bar."""

_PLACE = """(element) => {
    if (element === document.activeElement) return 0;
    return document.activeElement.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING ? -1 : 1;
}"""
"""0 for the element with the focus, 1 for one after it in the document, -1 for one before it."""


class Walk:
    """A page that is used by its keyboard; `folder` gets the pictures of its steps.

    `presses` counts all keys but those of text, `faults` has what axe found and what was too wide, by step. `told` is
    what a walk counted itself. Pictures are of the window, or of the `whole` page; axe needs `scripts`.
    """

    def __init__(self, page: Page, folder: Path, *, whole: bool = False, scripts: bool = True) -> None:
        self.page, self.folder = page, folder
        self.whole, self.scripts = whole, scripts
        self.presses = 0
        self.faults: list[str] = []
        self.told = ""
        self._steps = 0
        page.set_default_timeout(PATIENCE)
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.png"):
            old.unlink()

    def stand(self, name: str) -> None:
        """Take a picture of the page once it is at rest, and look for barriers and sideways overflow."""
        self.settle()
        step = self.step(name)
        self.picture(self.page, step)
        if self.scripts:
            self.faults += [f"{step}: {each}" for each in violations(self.page) if _OBSCURED not in each]

    def step(self, name: str) -> str:
        """Begin another step, and return its name with its number."""
        self._steps += 1
        return f"{self._steps:02}-{name}"

    def picture(self, page: Page, name: str) -> None:
        """Take a picture of a page, and look for sideways overflow."""
        page.screenshot(path=self.folder / f"{name}.png", full_page=self.whole)
        wide = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        if wide > 0:
            self.faults.append(f"{name}: {wide} px too wide")

    @contextmanager
    def on(self, page: Page) -> Iterator[None]:
        """Go on with another page for a while, as on a colleague's computer."""
        before, self.page = self.page, page
        yield
        self.page = before

    def download(self, *keys: str) -> tuple[str, bytes]:
        """Press keys that download a file, and return its name and its content."""
        with self.page.expect_download() as told:
            self.press(*keys)
        return told.value.suggested_filename, told.value.path().read_bytes()

    def settle(self) -> None:
        expect(self.page.locator("main").locator(".sk, [aria-busy=true]")).to_have_count(0)
        self.page.evaluate("document.fonts.ready.then(() => null)")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.presses += 1
            self.page.keyboard.press(key)

    def write(self, text: str) -> None:
        self.page.keyboard.type(text)

    def to(self, part: Locator) -> None:
        """Press Tab, or Shift and Tab, until an element has the focus and is in sight."""
        expect(part).to_be_visible()
        for _ in range(MOST_TABS):
            place = part.evaluate(_PLACE)
            if not place:
                expect(part.locator("xpath=ancestor-or-self::*[not(contains(@class, 'vh'))][1]")).to_be_in_viewport()
                return
            self.press("Tab" if place > 0 else "Shift+Tab")
        raise AssertionError(f"{part} is out of reach by Tab")

    def enter(self, part: Locator) -> None:
        self.to(part)
        self.press("Enter")

    def button(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        self.enter((within or self.page).get_by_role("button", name=name, exact=isinstance(name, str)))

    def link(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        self.enter((within or self.page).get_by_role("link", name=name, exact=isinstance(name, str)))

    def fill_in(self, field: Locator, text: str) -> None:
        """Replace what a text field has."""
        self.to(field)
        self.press("Control+a")
        self.write(text)

    def date(self, field: Locator, day: date) -> None:
        """Type a day into a date field; Chromium without a window has the order of the United States."""
        self.to(field)
        self.write(f"{day:%m%d%Y}")
        expect(field).to_have_value(day.isoformat())

    def choose(self, field: Locator, words: str) -> None:
        """Choose an option of a closed `select` by the arrow keys, from its first one on."""
        self.to(field)
        options = field.locator("option").all_inner_texts()
        chosen = field.evaluate("each => each.selectedIndex")
        step = options.index(words) - chosen
        self.press(*["ArrowDown" if step > 0 else "ArrowUp"] * abs(step))
        expect(field.locator("option:checked")).to_have_text(words)

    def pick(self, menu: Locator, entry: str) -> None:
        """Open a menu and press one of its entries."""
        self.enter(menu)
        items = self.page.get_by_role("menuitem")
        wanted = items.filter(has_text=entry)
        expect(items.first).to_be_focused()
        for _ in range(items.count()):
            if wanted.evaluate("each => each === document.activeElement"):
                break
            self.press("ArrowDown")
        expect(wanted).to_be_focused()
        self.press("Enter")
