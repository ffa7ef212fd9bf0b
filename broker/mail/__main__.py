"""Try the mail of this site: `python -m broker.mail test ADDRESS` sends one mail and says what the server answered."""

import asyncio
import re
import secrets
import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from broker.clock import utc_now
from broker.content.source import content_store
from broker.mail.mail import ClaimedMail, MailKind
from broker.mail.outbox import MailError
from broker.mail.rendering import firm_of
from broker.mail.smtp import mailer_for
from broker.settings import Settings, SettingsError, read_settings

_ADDRESS = re.compile(r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0, or 1 with a sentence on standard error."""
    parser = ArgumentParser(prog="python -m broker.mail", description="Tries the mail of this site.")
    commands = parser.add_subparsers(dest="command", required=True)
    test = commands.add_parser("test", help="send one mail, and tell what the mail server answered")
    test.add_argument("address", help="the recipient, for example your own mailbox")
    options = parser.parse_args(arguments)
    try:
        answer = asyncio.run(_send_test(options.address, read_settings()))
    except SettingsError as error:
        sys.stderr.write(f"{str(error).rstrip('.')}.\n")
        return 1
    except MailError as error:
        cause = str(error.__cause__ or "")
        sys.stderr.write(f"The mail was not accepted: {error}{f' ({cause})' if cause else ''}.\n")
        return 1
    sys.stdout.write(f"The mail server accepted the mail, and answered: {answer}\n")
    return 0


async def _send_test(address: str, settings: Settings) -> str:
    """Return the server's answer to a test mail; raises SettingsError, MailError."""
    if not _ADDRESS.fullmatch(address):
        raise SettingsError(f"{address!r} is no email address")
    store = content_store(settings)
    mailer = mailer_for(settings, lambda: firm_of(store.site(), site_url=settings.site_url))
    if mailer is None:
        raise SettingsError("No mail server is named: set BROKER_SMTP_URL, BROKER_MAIL_TO and BROKER_MAIL_FROM")
    mail = ClaimedMail(
        id=0, kind=MailKind.TEST, key=secrets.token_hex(16), created=utc_now(), attempts=1, recipient=address
    )
    return await mailer.send(mail)


if __name__ == "__main__":
    sys.exit(main())
