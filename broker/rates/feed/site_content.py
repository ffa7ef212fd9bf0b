"""Questions of the content service: frequently asked ones, and the questionnaire (calls 2 and 8 of specification 7)."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from broker.markup import add_paragraphs
from broker.rates.feed.client import FAQS, QUESTIONNAIRE, FeedClient
from broker.rates.feed.errors import FeedParseError
from broker.rates.feed.html_text import plain_text, safe_html
from broker.rates.feed.response_tree import Tree, as_list, child, is_empty, raise_for_fault, text_of

MAX_QUESTION_LENGTH = 300

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedFaq:
    """A question as plain text, and its answer as safe HTML, which may be empty."""

    question: str
    answer: str


async def fetch_faqs(client: FeedClient) -> Mapping[str, tuple[FeedFaq, ...]]:
    return parse_faqs(await client.read(FAQS))


def parse_faqs(tree: Tree) -> Mapping[str, tuple[FeedFaq, ...]]:
    """Parse call 2: an object of lists by type, or one list of entries with a `type`; empty answers have no questions.

    Raises FeedFaultError or FeedParseError.
    """
    if is_empty(tree):
        return {}
    raise_for_fault(FAQS.name, tree)
    if not isinstance(tree, dict | list):
        raise FeedParseError(FAQS.name, "an answer that is not a list of questions")
    found: dict[str, list[FeedFaq]] = {}
    for kind, entry in _entries(tree):
        if faq := _faq(entry):
            found.setdefault(kind, []).append(faq)
    return {kind: tuple(faqs) for kind, faqs in found.items()}


def _entries(tree: dict[str, Tree] | list[Tree]) -> Iterator[tuple[str, Tree]]:
    """Yield each entry with its type; types that are not valid in a URL are skipped."""
    if isinstance(tree, dict) and child(tree, "post_title") is None:
        named = ((kind, entry) for kind, entries in tree.items() for entry in as_list(entries))
    else:
        named = ((text_of(child(entry, "type")) or "", entry) for entry in as_list(tree))
    return ((kind, entry) for kind, entry in named if _SLUG.fullmatch(kind))


def _faq(entry: Tree) -> FeedFaq | None:
    """Return a published question; None for a draft, a protected or an empty one."""
    question = plain_text(text_of(child(entry, "post_title")), MAX_QUESTION_LENGTH)
    status = text_of(child(entry, "post_status")) or "publish"
    if not question or status != "publish" or text_of(child(entry, "post_password")):
        return None
    return FeedFaq(question=question, answer=safe_html(add_paragraphs(text_of(child(entry, "post_content")) or "")))


async def fetch_questionnaire(client: FeedClient) -> str:
    """Return the JSON text of the flow, which nothing has checked; raises FeedError, for an empty answer too."""
    tree = await client.read(QUESTIONNAIRE)
    if is_empty(tree):
        raise FeedParseError(QUESTIONNAIRE.name, "an answer without a questionnaire")
    return json.dumps(tree, ensure_ascii=False)
