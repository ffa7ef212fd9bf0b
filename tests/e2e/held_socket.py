"""A slow server, as a page sees one: answers that come over its socket when a test lets them."""

from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute


class HeldSocket:
    """The socket of a page, whose answers can be kept back from the moment that one of them holds a text."""

    def __init__(self, page: Page) -> None:
        """Stand between the page's sockets and the server; before the first visit."""
        self._mark = ""
        self._held: list[Callable[[], None]] = []
        self._holding = False
        page.route_web_socket("**/_event/**", self._connect)

    def hold_after(self, mark: str) -> None:
        """Let answers through up to the one that holds this text, and keep back what follows."""
        self._mark = mark

    def hold(self) -> None:
        self._holding = True

    def release(self) -> None:
        """Let through what was kept back, and all that follows."""
        self._mark, held, self._held = "", self._held, []
        self._holding = False
        for send in held:
            send()

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if self._holding:
                self._held.append(lambda: socket.send(message))
                return
            socket.send(message)
            self._holding = bool(self._mark) and self._mark in str(message)

        server.on_message(pass_on)
