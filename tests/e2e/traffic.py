"""What a page asks the server for and what its socket carries, and waiting for that."""

import pytest
from playwright.sync_api import Page, WebSocket

from tests.e2e.calculator_page import settle

FRAMES = 1_200
"""Frames of a page, twenty seconds or so, for which it is waited at most."""


def traffic_of(page: Page) -> list[str]:
    """Return a list that grows with the page's requests, pictures aside, and its socket's frames, pulse aside."""
    seen: list[str] = []

    def listen(socket: WebSocket) -> None:
        for event in ("framesent", "framereceived"):
            socket.on(event, lambda frame: seen.extend({str(frame)} - {"2", "3"}))

    page.on("request", lambda request: seen.extend([request.url] if not request.url.endswith(".svg") else []))
    page.on("websocket", listen)
    return seen


def await_answer(page: Page, traffic: list[str]) -> None:
    """Wait until the server has answered what a page asks as it is loaded."""
    for _ in range(FRAMES):
        if any('"is_hydrated_rx_state_":true' in line for line in traffic):
            return
        settle(page)
    pytest.fail("the server did not answer")
