"""Questions and answers of the feed, read when the site is built (call 2)."""

import logging
from collections.abc import Mapping

from broker.content.models.pages import Faq
from broker.content.models.safe_html import SafeHtml
from broker.feeds.client import FeedClient
from broker.feeds.errors import FeedError
from broker.feeds.faqs import fetch_faqs

log = logging.getLogger(__name__)


async def feed_faqs(client: FeedClient) -> Mapping[str, tuple[Faq, ...]]:
    """Return the questions that have an answer, by service type; none where the call fails.

    A failure is silent to the visitor (specification 8, decision 27): it is only logged.
    """
    try:
        found = await fetch_faqs(client)
    except FeedError as error:
        log.warning("questions not read: %s", error)
        return {}
    answered = {
        kind: tuple(Faq(question=faq.question, answer=SafeHtml(faq.answer)) for faq in faqs if faq.answer)
        for kind, faqs in found.items()
    }
    return {kind: faqs for kind, faqs in answered.items() if faqs}
