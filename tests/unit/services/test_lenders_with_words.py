"""Lenders that only the content knows."""

from dataclasses import replace

from broker.domain.rates.lenders import KnownLender
from broker.services.lenders import lenders_with_words
from tests.our_content import STORE
from tests.unit.content.wordpress.answering import snapshot

HALIFAX = KnownLender(lender_id=34, name="Halifax", slug="halifax")


def test_lender_of_the_content_has_a_page_unless_id_or_slug_is_taken() -> None:
    text = snapshot()[0].lenders["alder-mutual"]
    texts = {
        **STORE.lender_texts(),
        "alder-mutual": text,
        "halifax": text,
        "halifax-bank": replace(text, lender_id=34),
        "nobody": replace(text, lender_id=0),
    }
    assert lenders_with_words(texts, beside=[HALIFAX]) == (
        KnownLender(lender_id=101, name="Alder Mutual", slug="alder-mutual", kind=""),
    )
