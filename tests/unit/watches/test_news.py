"""Mails of watches as they are sent: raw headers, signature, and both bodies."""

import re
from base64 import b64encode
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import dkim
import html5lib
import pytest

from broker.lending.transfer_window import TransferWindow
from broker.mail.dkim_signature import dkim_signer
from broker.mail.mail import KIND_WORDS, ClaimedMail, MailKind
from broker.rates.product_text import aprc_sentence, example_sentence, product_name
from broker.settings import Settings
from broker.watches.figures import plan_figures, search_of, watch_plan
from broker.watches.news_text import news_context
from broker.watches.watch import MAX_TOKEN_LENGTH, Tell
from tests.unit.enquiries.enquiring import BEGINNING, Calendar
from tests.unit.mail.mails import MAIL_KEY, SENDER, private_pem, public_der, renderer
from tests.unit.watches.market import MovingMarket
from tests.unit.watches.watching import TODAY, watch

LINK, STOP = "L" * 32, "S" * MAX_TOKEN_LENGTH
WINDOW = TransferWindow(words="Halifax lets you book from 4 months before your deal ends.")


def news(*tells: Tell, is_read: bool = True, **changes: Any) -> ClaimedMail:
    planned = watch_plan(watch(rate=6.4, follow_on=8.2, **changes), today=TODAY, window=WINDOW)
    answer = MovingMarket(Calendar()).answer(search_of(planned)) if is_read else None
    context = news_context(planned, plan_figures(planned, answer), tells)
    return mail(MailKind.WATCH_NEWS, **context)


def mail(kind: MailKind, **context: str) -> ClaimedMail:
    return ClaimedMail(
        id=9,
        kind=kind,
        key=MAIL_KEY,
        created=BEGINNING,
        attempts=1,
        recipient="zebedee@quill.example",
        context={**context, "link": LINK, "stop": STOP},
    )


CONFIRM, REMINDER = (mail(kind, delete_on="7 April 2026") for kind in (MailKind.WATCH_CONFIRM, MailKind.WATCH_REMINDER))


@pytest.fixture(params=["confirm", "reminder", "dates", "prices", "a let home"])
def written(request: pytest.FixtureRequest) -> ClaimedMail:
    return {
        "confirm": lambda: CONFIRM,
        "reminder": lambda: REMINDER,
        "dates": lambda: news(Tell.WINDOW, Tell.THREE_MONTHS, Tell.ONE_MONTH, is_read=False),
        "prices": lambda: news(Tell.SAVING, Tell.RATE, Tell.FELL),
        "a let home": lambda: news(Tell.RATE, home="let", repay="interest-only"),
    }[request.param]()


def read(written: ClaimedMail) -> EmailMessage:
    message = message_from_bytes(renderer().content(written), policy=default)
    assert isinstance(message, EmailMessage)
    return message


def part(written: ClaimedMail, kind: str) -> str:
    body = read(written).get_body((kind,))
    assert body
    return body.get_content().replace("\r\n", "\n")


def test_each_kind_has_words_for_staff() -> None:
    assert set(KIND_WORDS) == set(MailKind)


def test_html_is_valid_without_pictures_and_every_line_is_short(written: ClaimedMail) -> None:
    html = part(written, "html")
    html5lib.HTMLParser(strict=True).parse(html)
    assert ("<img" in html, "prefers-color-scheme: dark" in html, "{{" in html) == (False, True, False)
    content = renderer().content(written)
    assert max(map(len, content.partition(b"\r\n\r\n")[2].split(b"\r\n"))) <= 78


def test_both_parts_have_the_link_and_no_address_of_the_plan(written: ClaimedMail) -> None:
    for kind in ("plain", "html"):
        text = part(written, kind)
        assert f"https://broker.example/my-watch/?link={LINK}" in text
        assert STOP not in text
        assert "balance=" not in text


def test_subject_has_no_sum_rate_or_lender(written: ClaimedMail) -> None:
    subject = read(written)["Subject"]
    assert not any(letter.isdigit() or letter in "£%" for letter in subject)
    assert subject in ("Confirm your watch", "Your watch has not begun", "News of your mortgage")


def test_raw_headers_of_one_click_are_whole_on_their_lines() -> None:
    head = renderer().content(news(Tell.SAVING)).partition(b"\r\n\r\n")[0].decode().split("\r\n")
    assert f"List-Unsubscribe: <https://broker.example/my-watch/stop?stop={STOP}>" in head
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in head
    assert "Auto-Submitted: auto-generated" in head


def test_answer_to_a_form_has_no_one_click_and_the_reminder_has() -> None:
    assert [[read(each)[name] for name in ("List-Unsubscribe", "Auto-Submitted")] for each in (CONFIRM, REMINDER)] == [
        [None, "auto-replied"],
        [f"<https://broker.example/my-watch/stop?stop={STOP}>", "auto-generated"],
    ]


def test_signature_covers_both_headers_of_one_click() -> None:
    signer = dkim_signer(Settings(mail_from=SENDER, dkim_key=private_pem(), dkim_selector="mail"))
    assert signer
    content = renderer().content(news(Tell.SAVING))
    signed = signer.sign(content) + content

    def record(_name: bytes, **_: object) -> bytes:
        return b"v=DKIM1; k=rsa; p=" + b64encode(public_der())

    assert dkim.verify(signed, dnsfunc=record)
    for old, new in ((STOP.encode(), b"T" * 40), (b"=One-Click", b"=Two-Click"), (b"-Unsubscribe-Post:", b"-Other:")):
        changed = content.replace(old, new)
        assert changed != content
        assert not dkim.verify(signer.sign(content) + changed, dnsfunc=record)


def test_confirmation_says_when_it_is_deleted_and_has_no_figure() -> None:
    for written in (CONFIRM, REMINDER):
        text = part(written, "plain")
        assert "we delete it by 7 April 2026" in text
        assert "£" not in text
        assert "%" not in text


def test_news_says_what_why_and_how_to_stop() -> None:
    text = part(news(Tell.SAVING, Tell.FELL), "plain")
    for words in (
        "Switching now costs £",
        "You asked to hear of £500 or more.",
        "You applied for 4.19%.",
        "When your deal ends on 25 December 2026 you owe £",
        "- Switch now: £",
        "The switch counted is ",
        "Representative example\n\n",
        "%: A mortgage of £",
        "Rates read at 13:00 on 31 March 2026.",
        "Your home may be repossessed",
        "you asked us to tell you when switching now saves £500 or more; when a 2-year fixed deal falls below",
        f"Change, pause or stop your watch: https://broker.example/my-watch/?link={LINK}",
    ):
        assert words in text, words
    assert "Most buy-to-let" not in text
    assert "Most buy-to-let" in part(news(Tell.SAVING, home="let"), "html")


def test_every_rate_that_is_named_has_its_representative_example() -> None:
    planned = watch_plan(watch(rate=6.4, follow_on=8.2, value=260_000), today=TODAY)
    found = plan_figures(planned, MovingMarket(Calendar()).answer(search_of(planned)))
    assert found.product
    planned_product = found.product
    other = replace(
        planned_product, product_id="other", lender_name="Sedgemoor", initial_months=24, initial_rate=3.11, aprc=6.66
    )
    found = replace(found, lowest=other)
    text = part(mail(MailKind.WATCH_NEWS, **news_context(planned, found, (Tell.RATE,))), "plain")
    for product in (planned_product, other):
        assert f"{product_name(product)}: {example_sentence(product)} {aprc_sentence(product)}" in text
    assert f"there is a 2-year fixed deal from {product_name(other)}. You asked to hear of a 2-year fixed deal" in text
    alone = news_context(planned, found, (Tell.SAVING,))
    assert "Sedgemoor" not in "".join(alone.values())
    assert "\n" not in alone["examples"]


def test_dates_without_a_market_name_no_rate_of_a_deal() -> None:
    text = part(news(Tell.WINDOW, Tell.ONE_MONTH, is_read=False), "plain")
    assert "From 25 August 2026 your lender should let you book its next deal. Halifax lets you book" in text
    assert "Your deal ends within a month, on 25 December 2026." in text
    assert "- Do nothing: £" in text
    assert ("Representative" in text, "Switch now" in text, "APRC" in text) == (False, False, False)


def test_dates_and_lengths_of_deals_stay_on_one_line() -> None:
    html = part(news(*Tell), "html")
    broken = re.sub(r'<(span|strong|a) class="whole"[^>]*>[^<]*</', "", html.partition("<body")[2])
    assert re.findall(r"[0-9]+-year|[0-9]{1,2} [A-Z][a-z]+ 20[0-9]{2}", broken) == []
    assert "<b>" not in part(mail(MailKind.WATCH_NEWS, **{**news(Tell.WINDOW).context, "news": "<b> & 2-year"}), "html")
