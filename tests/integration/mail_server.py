"""A real mail server on this machine, with a switch for each way in which one fails."""

import queue
from asyncio import Transport
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from email import message_from_bytes
from email.message import Message
from enum import StrEnum

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.timeouts import ANSWER_TIMEOUT
from tools.server import free_port


@contextmanager
def mail_server(handler: object, *, port: int) -> Iterator[None]:
    """Run a mail server whose mails `handler` takes."""
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield
    finally:
        controller.stop()


class Mood(StrEnum):
    """What the server does with a mail."""

    TAKES = "takes it"
    GREYLISTS = "asks to come again later"
    REFUSES = "does not know the recipient"
    BUSY = "has no room, after reading it"
    DROPS = "reads it, and is gone before its answer"


class MailServer:
    """Holds what it took, and what it read and did not acknowledge, in the order of arrival."""

    def __init__(self) -> None:
        self.port = free_port()
        self.mood = Mood.TAKES
        self.taken: queue.Queue[Message] = queue.Queue()
        self.dropped: list[Message] = []

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def next(self) -> Message:
        return self.taken.get(timeout=ANSWER_TIMEOUT)

    def up(self) -> AbstractContextManager[None]:
        return mail_server(self, port=self.port)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.mood is Mood.GREYLISTS:
            return "451 4.7.1 Greylisted, please try again later"
        if self.mood is Mood.REFUSES:
            return "550 5.1.1 No such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content)
        if self.mood is Mood.DROPS:
            self.dropped.append(message)
            assert isinstance(server.transport, Transport)
            server.transport.abort()
        if self.mood is Mood.BUSY:
            return "452 4.3.1 Insufficient system storage"
        if self.mood is Mood.TAKES:
            self.taken.put(message)
        return "250 OK"
