"""The form of a question: the names of its fields, and parsing of a submitted form."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie

from broker.questionnaire.flow import Step

STEP, ANSWER, VERSION, DEALT, DIGEST = "step", "answer", "version", "dealt", "digest"
"""Fields of every question: the step, the option chosen, the version of the journey on the page, the token of the last
answer that the page knew to be stored or refused, and the digest of the question on the page.

Inputs of a step with several are named by their keys.
"""

JOURNEY_COOKIE = "journey"
"""The cookie with a visitor's token, which no script reads: the edge sets it in the response to a post."""

CODE = "code"
"""The field with the code that a page exchanges for its cookie."""

NAMES = (STEP, ANSWER, VERSION, DEALT, DIGEST)

QUESTION_CHANGED = "This question has changed since you opened this page. Please load the page again, then answer it"

MAX_FIELDS = 20
"""Fields of a form that are read."""

MAX_INPUTS = MAX_FIELDS - len(NAMES)
"""Inputs of a step; no step of the specification has half as many."""


def journey_token_in(cookie_header: str) -> str:
    """Return the journey's token in a Cookie header; empty for none."""
    jar = SimpleCookie()
    try:
        jar.load(cookie_header)
    except CookieError:
        return ""
    return jar[JOURNEY_COOKIE].value if JOURNEY_COOKIE in jar else ""


@lru_cache(maxsize=1_024)
def question_digest(step: Step) -> str:
    """Return 12 hexadecimal digits that change with anything a step says, asks or leads to."""
    return hashlib.sha256(repr(step).encode()).hexdigest()[:12]


def is_outdated(digest: object, step: Step | None) -> bool:
    """Return whether a form's digest, if it has one, is of another version of its question than `step`."""
    return bool(digest) and step is not None and digest != question_digest(step)


def answer_in(form: Mapping[str, object]) -> object:
    """Return the answer in a form: the option's key, or the values of the inputs by key."""
    if ANSWER in form:
        return form[ANSWER]
    return {name: value for name, value in list(form.items())[:MAX_FIELDS] if name not in NAMES}


def version_in(form: Mapping[str, object]) -> int | None:
    """Return the version of the journey on a form's page, or None."""
    value = form.get(VERSION)
    text = value if isinstance(value, str) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 and int(text) > 0 else None
