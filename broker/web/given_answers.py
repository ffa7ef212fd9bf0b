"""A question answered by a plain form post: before the scripts of its page have started, or without them.

What is kept and what is refused is the same as over the socket; the browser is sent on to the next question. A plain
post never waited for a connection, so it takes the place of any answer before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import FormData, Headers

from broker import routes
from broker.domain.kept import StorageError
from broker.domain.questionnaire.engine import Refused
from broker.domain.questionnaire.forms import STEP, answer_in
from broker.presenters.questionnaire import CHANGE, page_after, page_of
from broker.services.journeys import KEPT_FOR, Gone
from broker.services.questions import COOKIE, Newer, Questions
from broker.web.answer import Answer
from broker.web.posts import Post, Sender

AWAY = "We could not keep this answer just now. Please try again in a minute, or call us"


def token_in(headers: Headers) -> str:
    """Return the visitor's token in a request's cookies; an empty text where there is none."""
    jar = SimpleCookie()
    try:
        jar.load(";".join(headers.getlist("cookie")))
    except CookieError:
        return ""
    return jar[COOKIE].value if COOKIE in jar else ""


def token_cookie(token: str, *, secure: bool) -> str:
    """Return the Set-Cookie value that keeps a token as long as its answers; an empty one deletes it."""
    kept = f"{COOKIE}={token}; Max-Age={int(KEPT_FOR.total_seconds()) if token else 0}; Path=/; SameSite=Lax"
    return f"{kept}; Secure" if secure else kept


def given_answer(questions: Callable[[], Questions], *, secure: bool) -> Post:
    """Return what answers a question's form: 303 to the next page, 422 with the reasons, 503 where nothing is kept."""

    async def answer(form: FormData, sender: Sender) -> Answer:
        given = {name: value for name, value in form.items() if isinstance(value, str)}
        step = given.get(STEP, "")
        try:
            taken = await questions().answer(token_in(sender.headers), step, answer=answer_in(given))
        except StorageError:
            return _told(503, f"{AWAY}.")
        if isinstance(taken, Gone):
            return _to(routes.QUESTIONNAIRE)
        if isinstance(taken, Refused):
            reasons = " ".join(f"{each.reason}." for each in taken.invalid)
            return _to(page_of(taken.journey.current)) if taken.off_path else _told(422, reasons)
        held = taken.held if isinstance(taken, Newer) else taken
        after = _to(page_after(held.journey, step, changing=_is_changing(sender.headers)))
        return replace(after, cookies=(token_cookie(held.token, secure=secure),))

    return Post(answer=answer)


def _is_changing(headers: Headers) -> bool:
    """Tell whether the form stood on a page at which an answer was to be changed, by what the browser says."""
    try:
        return CHANGE in parse_qs(urlsplit(headers.get("referer", "")).query)
    except ValueError:
        return False


def _to(path: str) -> Answer:
    return Answer(status=303, headers={"location": path})


def _told(status: int, words: str) -> Answer:
    body = f"{words} Please go back, and send it again."
    return Answer(status=status, headers={"content-type": "text/plain; charset=utf-8"}, body=body.encode())
