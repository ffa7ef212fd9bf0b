"""The staff page of mail."""

import html5lib
import pytest

from broker.mail.mail import MailKind, NewMail
from broker.mail.outbox import LEASE, REFUSED_RETRY_DELAY
from broker.mail.outbox_store import MailCipher, OutboxStore, add_mail
from broker.storage.encryption import SecretKeys
from tests.databases.fixtures import KEY
from tests.unit.server.staff_web import Browser, heading

PAGE, FORM, LIFT, ADDRESS = "/staff/mail/", "/staff/mail", "/staff/mail/lift", "zebedee@quill.example"
KEYS = SecretKeys((KEY,))


@pytest.fixture(autouse=True)
def signed_in(browser: Browser) -> None:
    browser.sign_in()


def add(browser: Browser, count: int) -> OutboxStore:
    database, created = browser.testbed.database, browser.testbed.calendar()
    mail = NewMail(kind=MailKind.CONFIRMATION, created=created, recipient=ADDRESS, context={"reference": "HG-1"})
    for _ in range(count):
        browser.do(database.write, lambda one: add_mail(one, MailCipher(KEYS), mail))
    return OutboxStore(database, KEYS, "one")


async def fail(outbox: OutboxStore, browser: Browser, problem: str, *, ends: bool) -> None:
    now = browser.testbed.calendar()
    mail = await outbox.claim(now, lease=LEASE, longest=REFUSED_RETRY_DELAY)
    assert mail
    if ends:
        await outbox.give_up(mail, now, problem=problem)
    else:
        await outbox.reschedule(mail, due=now + REFUSED_RETRY_DELAY, problem=problem)


def test_page_lists_what_waits_and_what_was_given_up_without_an_address(browser: Browser) -> None:
    empty = browser.get(PAGE).text
    outbox = add(browser, 3)

    async def fail_two() -> None:
        await fail(outbox, browser, "451", ends=False)
        await fail(outbox, browser, "550", ends=True)

    browser.do(fail_two)
    page = browser.get(PAGE).text
    for each in (empty, page):
        html5lib.HTMLParser(strict=True).parse(each)
    assert (heading(page), "Nothing waits." in empty) == ("Mail", True)
    for words in ("Waiting: 2", "tried once, again at", "The mail server answered 451", "not tried yet", "Given up: 1"):
        assert words in page, words
    assert ("quill" in page, "HG-1" in page) == (False, False)


def test_waiting_mail_is_tried_again_at_once_and_the_press_is_recorded(browser: Browser) -> None:
    outbox = add(browser, 1)

    async def fail_one() -> None:
        await fail(outbox, browser, "451", ends=False)

    async def is_due() -> bool:
        now = browser.testbed.calendar()
        return await outbox.claim(now, lease=LEASE, longest=REFUSED_RETRY_DELAY) is not None

    browser.do(fail_one)
    assert browser.do(is_due) is False
    answer = browser.post(FORM)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}?done")
    assert "tried again now" in browser.get(answer.headers["location"]).text
    assert browser.do(is_due) is True
    assert browser.do(browser.testbed.audit_sentences)[-1] == "ada had waiting mail tried again (1)"


def test_staff_have_mail_sent_again_to_an_address_that_it_came_back_from(browser: Browser) -> None:
    outbox = add(browser, 2)

    async def come_back() -> None:
        now = browser.testbed.calendar()
        mail = await outbox.claim(now, lease=LEASE, longest=REFUSED_RETRY_DELAY)
        assert mail
        await outbox.mark_sent(mail, now)
        await outbox.record_return(mail.key, is_complaint=False, at=now)

    async def next_recipient() -> str:
        mail = await outbox.claim(browser.testbed.calendar(), lease=LEASE, longest=REFUSED_RETRY_DELAY)
        return mail.recipient if mail else ""

    browser.do(come_back)
    for typed in ("somebody@quill.example", "", "nonsense\x00" * 90):
        refused = browser.post(LIFT, address=typed)
        assert (refused.status_code, "Check its spelling" in refused.text) == (422, True)
        assert f'value="{typed.strip()[:254]}"' in refused.text
    assert browser.do(next_recipient) == ""
    answer = browser.post(LIFT, address=f" {ADDRESS.upper()} ")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}?lifted")
    add(browser, 1)
    assert browser.do(next_recipient) == ADDRESS
    sentence = browser.do(browser.testbed.audit_sentences)[-1]
    assert sentence == "ada had mail sent again to an address that it came back from"


def test_page_and_button_need_a_session(browser: Browser) -> None:
    browser.client.cookies.clear()
    assert browser.get(PAGE).headers["location"] == "/staff/sign-in/?to=/staff/mail/"
    assert browser.post(FORM).status_code in (303, 403)
    assert browser.post(LIFT, address=ADDRESS).status_code in (303, 403)
