import logging
from typing import Any

import httpx
import pytest

from broker.build_inputs import feed_faqs
from broker.content.models.pages import Faq
from broker.content.models.pictures import SafeHtml
from tests.unit.rates.feed.answers import body
from tests.unit.rates.feed.recorded import client, replied

ANSWERS: dict[str, tuple[Any, dict[str, tuple[Faq, ...]]]] = {
    "questions by type": (
        {"remortgaging": [{"post_title": "When?", "post_content": "<p>Now</p><script>x</script>"}]},
        {"remortgaging": (Faq(question="When?", answer=SafeHtml("<p>Now</p>")),)},
    ),
    "a question without an answer": ({"remortgaging": [{"post_title": "When?", "post_content": ""}]}, {}),
    "none": ([], {}),
    "null": (None, {}),
    "a fault": ({"Body": {"Fault": {"faultstring": "Down"}}}, {}),
    "text": ("soon", {}),
}


@pytest.mark.parametrize(("tree", "found"), ANSWERS.values(), ids=ANSWERS)
async def test_questions_are_those_with_answers_or_none(tree: Any, found: dict[str, tuple[Faq, ...]]) -> None:
    assert await feed_faqs(client(lambda _request: replied(body(tree)))) == found


async def test_failure_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert await feed_faqs(client(lambda _request: httpx.Response(500, stream=httpx.ByteStream(b"")))) == {}
    assert [record.getMessage() for record in caplog.records] == ["questions not read: faqs: answered 500"]
