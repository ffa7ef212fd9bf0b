"""The questionnaire of the content service: call 8 of specification 7."""

import json

from broker.rates.feed.client import QUESTIONNAIRE, FeedClient
from broker.rates.feed.errors import FeedParseError
from broker.rates.feed.response_tree import is_empty


async def fetch_questionnaire(client: FeedClient) -> str:
    """Return the JSON text of the flow, which nothing has checked; raises FeedError, for an empty answer too."""
    tree = await client.read(QUESTIONNAIRE)
    if is_empty(tree):
        raise FeedParseError(QUESTIONNAIRE.name, "an answer without a questionnaire")
    return json.dumps(tree, ensure_ascii=False)
