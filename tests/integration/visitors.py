"""Visitors who ask for pages, one after the other, until told to stop."""

import ssl
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import httpx

from tests.timeouts import ANSWER_TIMEOUT

VISITORS, PAUSE = 8, 0.02
"""Visitors, and seconds that each takes between two pages."""

Answers = Counter[tuple[str, object]]
"""How often each page was answered, and how: its status, or what went wrong."""


@contextmanager
def visitors(
    url: str, paths: Sequence[str], *, verify: ssl.SSLContext | bool = True, headers: Mapping[str, str] | None = None
) -> Iterator[Answers]:
    """Have visitors ask for pages while the context is open, and count what they were answered."""
    answers: Answers = Counter()
    over = threading.Event()

    def visit() -> None:
        with httpx.Client(base_url=url, verify=verify, headers=headers, timeout=ANSWER_TIMEOUT) as client:
            while not over.is_set():
                for path in paths:
                    answers[path, _outcome(client, path)] += 1
                    over.wait(PAUSE)

    threads = [threading.Thread(target=visit) for _ in range(VISITORS)]
    for thread in threads:
        thread.start()
    try:
        yield answers
    finally:
        over.set()
        for thread in threads:
            thread.join()


def shown(url: str, words: str, *, patience: float) -> bool:
    """Wait until a page says some words, and tell whether it came to that within `patience` seconds."""
    over = threading.Event()
    timer = threading.Timer(patience, over.set)
    timer.start()
    with httpx.Client(timeout=ANSWER_TIMEOUT) as client:
        while not over.is_set() and words not in client.get(url).text:
            over.wait(0.05)
    timer.cancel()
    return not over.is_set()


def _outcome(client: httpx.Client, path: str) -> object:
    try:
        return client.get(path).status_code
    except httpx.HTTPError as error:
        return repr(error)
