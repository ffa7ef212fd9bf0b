"""Import of FAQs by service type (call 2), which are optional (specification 8)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from broker.content.models.pages import Faq
from broker.content.wordpress.fields import raw, rows, text
from broker.content.wordpress.import_context import ImportContext
from broker.content.wordpress.responses import Json

_SERVICE_TYPE = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFaq:
    """A question with the slug by which extra SEO entries refer to it."""

    slug: str
    faq: Faq


def import_faqs(context: ImportContext, tree: Json) -> dict[str, tuple[NamedFaq, ...]]:
    """Return the questions by type: an object of lists, or one list whose entries name their `type`.

    Drafts are left out, and what has no answer is noted.
    """
    found: dict[str, list[NamedFaq]] = {}
    for kind, post in _posts(tree):
        question = text(post.get("post_title"))
        if not question or text(post.get("post_status")) not in ("", "publish") or raw(post.get("post_password")):
            continue
        if not (answer := context.html(raw(post.get("post_content"))).html):
            context.note(f"question {question}", "has no answer, left out")
            continue
        faq = NamedFaq(slug=text(post.get("post_name")), faq=Faq(question=question, answer=answer))
        found.setdefault(kind, []).append(faq)
    return {kind: tuple(faqs) for kind, faqs in found.items()}


def choose_faqs(every: Sequence[NamedFaq], named: Sequence[str], *, own: Sequence[NamedFaq]) -> tuple[Faq, ...]:
    """Return questions without repetition: those named by slug, in that order, then a type's own."""
    by_slug = {posted.slug: posted.faq for posted in every}
    chosen = [by_slug[slug] for slug in named if slug in by_slug]
    return tuple(dict.fromkeys([*chosen, *(posted.faq for posted in own)]))


def _posts(tree: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    if isinstance(tree, dict) and "post_title" not in tree:
        named = ((kind, post) for kind, posts in tree.items() for post in rows(posts))
    else:
        named = ((text(post.get("type")), post) for post in rows(tree))
    return ((kind, post) for kind, post in named if _SERVICE_TYPE.fullmatch(kind))
