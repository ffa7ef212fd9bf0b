"""The mail of a one-time link, as it is sent."""

import html5lib
import pytest

from broker import routes
from broker.mail.mail import ClaimedMail, MailKind
from tests.unit.enquiries.enquiring import BEGINNING
from tests.unit.mail.mails import MAIL_KEY, renderer

TOKEN = "T" * 43


@pytest.mark.parametrize(("is_reset", "words"), [("", "has made you an account"), ("yes", "choose a new password")])
def test_mail_of_a_link_says_who_sent_it_and_how_long_it_works(is_reset: str, words: str) -> None:
    context = {
        "name": "Ben Template",
        "account": "ben.template",
        "made_by": "ada",
        "link": TOKEN,
        "ends": "Friday 4 December, 09:40, UK time",
        "is_reset": is_reset,
    }
    mail = ClaimedMail(
        id=1,
        kind=MailKind.STAFF_LINK,
        key=MAIL_KEY,
        created=BEGINNING,
        attempts=1,
        recipient="b.template@example.com",
        context=context,
    )
    message = renderer().message(mail)
    assert message["Subject"] == "Set up signing in to the staff area"
    assert TOKEN not in str(message["Message-ID"]) + str(message["Subject"])
    for part in message.iter_parts():
        text = part.get_content().replace("\n", " ")
        assert (routes.staff_link(TOKEN) in text, words in text, "Friday 4 December" in text) == (True, True, True)
    html = message.get_body(("html",))
    assert html
    html5lib.HTMLParser(strict=True).parse(html.get_content())
