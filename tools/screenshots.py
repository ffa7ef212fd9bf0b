"""Take the pictures of README and docs from the demo: `make screenshots`. Its clock stands at one moment.

Needs a build, Chromium and Debian's faketime, as `make test` does.
"""

import io
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from broker import routes
from broker.clock import UK
from tools.demo.story import OWNER
from tools.environment import find_chromium
from tools.project import Project, ToolError, run_tool
from tools.server import free_port, start

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

NOW = datetime(2026, 11, 26, 10, 18, tzinfo=UK)

_WIDE, _SMALL = (1280, 860), (390, 844)
_QUALITY = 82
_PASSWORD = "three plain words"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Picture:
    """A picture of a page, of an account; `press` is the text of a row to press where there are two panes."""

    name: str
    path: str
    account: str = "ada"
    press: str = ""


_CASE = "case"
"""The picture of the case that most was written about."""

_PICTURES = (
    _Picture(name="today", path=routes.STAFF, press="Ask for payslips"),
    _Picture(name=_CASE, path=routes.STAFF_ENQUIRY),
    _Picture(name="list", path=routes.STAFF_ENQUIRIES),
    _Picture(name="diary", path=routes.STAFF_DIARY),
    _Picture(name="figures", path=routes.STAFF_FIGURES, account=OWNER),
    _Picture(name="duties", path=routes.STAFF_DUTIES, account=OWNER),
    _Picture(name="logos", path=routes.UPDATE_LENDERS, account=OWNER),
    _Picture(name="accounts", path=routes.STAFF_ACCOUNTS, account=OWNER),
)


def main() -> None:
    """Make the demo, serve it, and write the pictures to docs/pictures; raises ToolError."""
    from playwright.sync_api import sync_playwright  # of the tests' requirements

    project, chromium = Project(), find_chromium()
    if not chromium:
        raise ToolError("The pictures need Chromium: make test installs it.")
    folder = project.root / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as held:
        settings = {"BROKER_STATE_DIR": held, **_stopped_clock()}
        command = [sys.executable, "-m", "tools.demo", "--no-serve", "--state", held, "--password", _PASSWORD]
        subprocess.run([*command, "--now", NOW.isoformat()], check=True, cwd=project.root, env=os.environ | settings)
        server = start(project, free_port(), log=Path(held) / "server.log", settings=settings)
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium)
                _take_all(browser, server.url, folder, case=routes.staff_enquiry(_reference(Path(held))))
        finally:
            server.stop()


def _reference(state: Path) -> str:
    """Return the reference of a case of Ada's with most in its timeline that is not closed."""
    query = (
        "SELECT reference FROM enquiries JOIN enquiry_notes ON enquiry_id = enquiries.id "
        "WHERE assigned = 'ada' AND state <> 'closed' GROUP BY reference ORDER BY count(*) DESC, min(created) LIMIT 1"
    )
    with closing(sqlite3.connect(state / "enquiries.db")) as connection:
        return str(connection.execute(query).fetchone()[0])


def _take_all(browser: "Browser", url: str, folder: Path, *, case: str) -> None:
    for account in sorted({each.account for each in _PICTURES}):
        for name, (width, height) in (("1280", _WIDE), ("390", _SMALL), ("dark", _WIDE)):
            scheme = "dark" if name == "dark" else "light"
            size: ViewportSize = {"width": width, "height": height}
            context = browser.new_context(base_url=url, viewport=size, color_scheme=scheme, locale="en-GB")
            context.clock.set_system_time(NOW)
            page = context.new_page()
            _sign_in(page, account)
            for picture in _PICTURES:
                if picture.account == account and (name != "dark" or picture.name == "today"):
                    path = case if picture.name == _CASE else picture.path
                    _take(
                        page, path, folder / f"{picture.name}-{name}.webp", press="" if name == "390" else picture.press
                    )
            context.close()


def _sign_in(page: "Page", account: str) -> None:
    page.goto(routes.STAFF_SIGN_IN)
    page.get_by_label("Name").fill(account)
    page.get_by_label("Password", exact=True).fill(_PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(re.compile(f"(?!.*{routes.STAFF_SIGN_IN})"))
    page.wait_for_load_state("networkidle")


def _take(page: "Page", path: str, file: Path, *, press: str) -> None:
    from playwright.sync_api import expect

    page.goto(path)
    _settle(page)
    if press:
        page.locator("[data-row]").filter(has_text=press).first.get_by_role("link").first.click()
        expect(page.locator("[data-row][aria-current=true]")).to_have_count(1, timeout=20_000)
        _settle(page)
    image = Image.open(io.BytesIO(page.screenshot()))
    image.convert("RGB").save(file, format="WEBP", quality=_QUALITY, method=6)
    print(f"{file.name}: {file.stat().st_size // 1024} KB")


def _settle(page: "Page") -> None:
    """Wait until the data of a page is there, and its pictures and fonts."""
    from playwright.sync_api import expect

    page.wait_for_load_state("networkidle")
    expect(page.locator("main").locator(".sk, [aria-busy=true]")).to_have_count(0, timeout=20_000)
    page.evaluate("document.fonts.ready.then(() => null)")


def _stopped_clock() -> Mapping[str, str]:
    """Return the settings of processes whose clock starts at `NOW`; raises ToolError without the library."""
    library = next((each for each in Path("/usr").glob("lib*/**/faketime/libfaketimeMT.so.1")), None)
    if library is None:
        raise ToolError("The pictures need Debian's faketime: make test installs it.")
    local = f"{NOW:%Y-%m-%d %H:%M:%S}"
    monotonic = {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0", "NO_FAKE_STAT": "1"}
    return {"LD_PRELOAD": str(library), "FAKETIME": f"@{local}", "TZ": "Europe/London", **monotonic}


if __name__ == "__main__":
    run_tool(main)
