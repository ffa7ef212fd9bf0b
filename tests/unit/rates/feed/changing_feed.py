"""A live feed whose network is a table of answers by call, which a test changes as it goes."""

from collections import Counter
from typing import Any
from urllib.parse import parse_qsl

import httpx

from broker.rates.feed.client import (
    LENDERS,
    LOGOS,
    QUESTIONNAIRE,
    SAVED_LENDERS,
    SAVED_LTV_RATES,
    SAVED_RATES,
    SERVICE,
    Call,
    FeedClient,
)
from tests.unit.rates.feed.answers import body
from tests.unit.rates.feed.recorded import client, replied

CALLS = {
    call.path: call for call in (LENDERS, LOGOS, QUESTIONNAIRE, SAVED_LENDERS, SAVED_LTV_RATES, SAVED_RATES, SERVICE)
}


class Feed:
    """Answers each call with its tree; one without a tree is answered with status 502."""

    def __init__(self, trees: dict[Call, Any]) -> None:
        self.trees = trees
        self.asked: list[str] = []
        self.forms: list[dict[str, str]] = []
        self.client: FeedClient = client(self._respond)

    def counted(self) -> dict[str, int]:
        return dict(Counter(self.asked))

    def _respond(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        call = next(call for end, call in CALLS.items() if path.endswith(end))
        self.asked.append(call.name)
        self.forms.append(dict(parse_qsl(request.content.decode())) | dict(request.url.params))
        tree = self.trees.get(call)
        if callable(tree):
            tree = tree(self.forms[-1])
        if tree is None:
            return httpx.Response(502, stream=httpx.ByteStream(b"<html>Bad gateway</html>"))
        return replied(body(tree))
