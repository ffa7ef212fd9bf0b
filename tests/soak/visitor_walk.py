"""A walk of a visitor on a phone: its pages, its mails in a real mail server, and the site's clock, which it moves."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from email.message import Message
from pathlib import Path
from typing import Literal

import pytest
from icalendar import Calendar, Event
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from broker.clock import UK
from broker.watches.checks import MAX_MAILS, WINDOW
from tests.e2e.enquiry_page import linger, send
from tests.e2e.live import until
from tests.e2e.pages import PHONE, visit
from tests.integration.enquiry_site import EnquirySite, enquiry_site, next_address, post
from tests.integration.mail_server import MailServer
from tests.integration.process_clock import ProcessClock, process_clock
from tests.soak.walk import PATIENCE, Walk
from tests.standin import Standin, running
from tests.timeouts import ANSWER_TIMEOUT
from tools.environment import find_chromium
from tools.project import Project

NAME, EMAIL, TELEPHONE, BALANCE = "Xylophia Quince", "xylophia.q@marked.example", "07700 900987", "191919"
MARKS = ("xylophia", "quince", "marked.example", "900987")
"""What no address and nothing stored in the browser may have, in lower case."""

FIGURES = ("191919", "191,919")
"""What no subject and no line of the log may have either; the address of a plan has its figures."""

STAFF, OTHER = "staff@broker.example", "ada@sentinel.example"
"""The other recipients of mail: whoever reads enquiries, and another visitor whose mail shows that none came before."""

KEPT = ("appointments", "enquiries", "watches")
"""Tables that no link may change by being opened."""

LOOKS: tuple[Literal["light", "dark"], ...] = ("light", "dark")

_STORED = "() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"


class VisitorWalk(Walk):
    """A visitor's page, mailbox and site; `ahead` is how far the site's clock is ahead, `news` when news came."""

    def __init__(
        self, page: Page, folder: Path, *, scripts: bool, site: EnquirySite, clock: ProcessClock, mails: MailServer
    ) -> None:
        super().__init__(page, folder, whole=True, scripts=scripts)
        self.site, self._clock, self._mails = site, clock, mails
        self.ahead = timedelta()
        self.news: list[datetime] = []
        self._addresses: list[str] = []
        assert page.context.browser
        self._readers = {look: _reader(page.context.browser, look) for look in LOOKS}
        page.context.on("request", lambda request: self._addresses.append(request.url))

    @property
    def now(self) -> datetime:
        return datetime.now(UK) + self.ahead

    def move_clock(self, moment: datetime) -> None:
        """Start the site again with its clock at a moment."""
        self.check_log()
        self.site.stop()
        self.ahead = moment - datetime.now(UK)
        self._clock.set_ahead(round(self.ahead.total_seconds()))
        self.site.start()

    def wait_for_check(self) -> None:
        """Wait until the site, since it was started, has checked the watches."""
        until(lambda: "watches checked: 1" in self.site.server.said())

    def go(self, address: str) -> None:
        visit(self.page, address) if self.scripts else self.page.goto(address)

    def look(self, name: str, heading: str, *words: str) -> None:
        """Check the heading and the text of a page, and what the browser stores, and stand there."""
        expect(self.page.get_by_role("heading", level=1)).to_have_text(heading)
        for each in words:
            expect(self.page.get_by_role("main")).to_contain_text(each)
        stored = self.page.evaluate(_STORED).lower()
        assert [mark for mark in MARKS if mark in stored] == []
        self.stand(name)

    def press_button(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def fill(self, **fields: str) -> None:
        """Fill in fields, no faster than a person can."""
        for name, text in fields.items():
            self.page.locator(f"#enquiry-{name}").fill(text)
        if self.scripts:  # without them a form has no token, whose age is checked
            linger(self.page)

    def submit(self) -> None:
        send(self.page)

    def mail(self, name: str, subject: str, *words: str) -> Message:
        """Return the visitor's next mail, once it is checked and its pictures are taken."""
        while (mail := self._mails.next())["To"] != EMAIL:
            assert mail["To"] in (STAFF, OTHER), mail["To"]
        self.read(mail, name, subject, *words)
        return mail

    def read(self, mail: Message, name: str, subject: str, *words: str) -> None:
        assert re.fullmatch(subject, mail["Subject"]), mail["Subject"]
        assert [mark for mark in (*MARKS, *FIGURES) if mark in mail["Subject"].lower()] == []
        assert re.fullmatch("<[^<>@]+@broker.example>", mail["Message-ID"]), mail["Message-ID"]
        assert mail["Auto-Submitted"] in ("auto-generated", "auto-replied")
        text = " ".join(body(mail, "text/plain").split())
        for each in words:
            assert each in text
        step = self.step(f"mail-{name}")
        for look, reader in self._readers.items():
            reader.set_content(body(mail, "text/html"))
            self.picture(reader, f"{step}-{look}")

    def read_news(self, mail: Message, name: str, *words: str) -> None:
        """Read a mail with news, which is one of at most two in 31 days and ends by one click."""
        self.read(mail, name, "News of your mortgage", *words, "because you asked us to tell you")
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        self.news.append(self.now)
        assert len([each for each in self.news if each > self.now - WINDOW]) <= MAX_MAILS

    def mails_before(self, subject: str) -> list[Message]:
        """Return the visitor's mails that come before one of another visitor."""
        found = list[Message]()
        while (mail := self._mails.next())["To"] != OTHER or not re.fullmatch(subject, mail["Subject"]):
            found += [mail] if mail["To"] == EMAIL else []
        return found

    def mails_until_now(self) -> list[Message]:
        """Return the visitor's mails that come before the confirmation of another visitor's enquiry."""
        self.other_sends()
        return self.mails_before("We have your enquiry .*")

    def other_sends(self, **fields: str) -> None:
        with self.site.client() as client:
            answer = post(client, name="Ada", email=OTHER, message=f"It is {self.now}.", **fields)
        assert answer.status_code == 303, answer.text

    def open(self, mail: Message, path: str) -> str:
        """Open the links of a mail as a scanner does, then one as the visitor, and return its address."""
        links = re.findall(rf"{re.escape(self.site.url)}/\S+\?\S+", body(mail, "text/plain"))
        before = self.kept()
        with self.site.client() as scanner:
            for link in {*links, *unsubscribing(mail)}:
                assert (scanner.head(link).status_code, scanner.get(link).status_code) == (200, 200), link
        address = next(link for link in links if path in link)
        self.page.goto(address)
        assert self.kept() == before
        return address

    def kept(self) -> dict[str, list[tuple[object, ...]]]:
        """Return the rows of the site's database that belong to visitors."""
        connection = sqlite3.connect(self.site.state_dir / "enquiries.db", timeout=ANSWER_TIMEOUT)
        try:
            return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in KEPT}
        finally:
            connection.close()

    def check_log(self) -> None:
        """Check that nothing of the visitor is in the log since the site was started."""
        said = self.site.server.said().lower()
        assert [mark for mark in (*MARKS, *FIGURES) if mark in said] == []

    def finish(self) -> None:
        """Check what all pages and mails showed, the log and the addresses."""
        self.check_log()
        assert self.faults == []
        assert [(mark, each) for mark in MARKS for each in self._addresses if mark in each.lower()] == []


def unsubscribing(mail: Message) -> list[str]:
    """Return the address by which a mail lets its recipient unsubscribe, if it has one."""
    return re.findall("<(http[^>]+)>", mail.get("List-Unsubscribe", ""))


def body(mail: Message, kind: str) -> str:
    return _payload(mail, kind).decode()


def calendar_event(mail: Message) -> tuple[str, Event]:
    """Return the method of a mail's calendar file, and its event."""
    calendar = Calendar.from_ical(_payload(mail, "text/calendar"))
    (event,) = calendar.walk("VEVENT")
    assert isinstance(event, Event)
    return str(calendar["METHOD"]), event


def sequence(event: Event) -> int:
    return int(str(event["SEQUENCE"]))


def _payload(mail: Message, kind: str) -> bytes:
    part = next(each for each in mail.walk() if each.get_content_type() == kind)
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload


def _reader(browser: Browser, look: Literal["light", "dark"]) -> Page:
    """Return a page that shows mails, as a mail program does: without scripts."""
    size = ViewportSize(width=PHONE[0], height=PHONE[1])
    return browser.new_page(viewport=size, color_scheme=look, java_script_enabled=False)


@contextmanager
def visitor_walk(project: Project, folder: Path, name: str, *, scripts: bool) -> Iterator[tuple[VisitorWalk, Standin]]:
    """Serve a site over a feed that answers and a mail server that takes mail, and return a visitor's walk."""
    mails = MailServer()
    pictures = project.work / "walks" / "visitors" / f"{name}-{'scripts' if scripts else 'plain'}"
    with running() as feed, mails.up(), process_clock(folder / "clock") as clock, sync_playwright() as playwright:
        if clock is None:
            pytest.skip("libfaketime, which sets the clock of single processes, is not installed")
        settings = {**clock.settings, "BROKER_RATES_MINUTES": "60", "BROKER_API_SECONDS": "60"}
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        with enquiry_site(project, folder, mail=mails.url, api_url=feed.url, settings=settings) as site:
            page = browser.new_page(
                base_url=site.url,
                viewport=ViewportSize(width=PHONE[0], height=PHONE[1]),
                java_script_enabled=scripts,
                locale="en-GB",
                reduced_motion="reduce",
                timezone_id="Europe/London",
                extra_http_headers={"x-forwarded-for": next_address()},
            )
            expect.set_options(timeout=PATIENCE)
            walk = VisitorWalk(page, pictures, scripts=scripts, site=site, clock=clock, mails=mails)
            yield walk, feed
            walk.finish()
        browser.close()
