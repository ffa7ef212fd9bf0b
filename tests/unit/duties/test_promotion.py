from datetime import UTC, date, datetime, timedelta

import pytest

from broker.duties.promotion import Approval, PromotionState, PublicPage, is_promotion, promotion, register, sentences

TODAY = date(2026, 11, 26)
TEXT = "Fix for two years from 4.09%, 7.14% APRC, as of 26 November 2026.\nYou pay £1,204.55 a month. We charge no fee."
PAGE = PublicPage(path="/remortgaging/", text=TEXT)


def approved(text: str = TEXT, due: date = TODAY + timedelta(days=60)) -> Approval:
    return Approval(path=PAGE.path, text=text, who="olga", at=datetime(2026, 9, 1, tzinfo=UTC), due=due)


@pytest.mark.parametrize("text", ["from 4.09%", "7 % APRC", "You pay £ 900 a month", "£1,204.55"])
def test_text_with_a_rate_or_a_payment_is_a_promotion(text: str) -> None:
    assert is_promotion(text)


@pytest.mark.parametrize("text", ["We answer within one working day", "Call 020 7946 0123", "Five of 12 lenders"])
def test_text_without_one_is_none(text: str) -> None:
    assert not is_promotion(text)


def test_live_rates_payments_and_dates_are_no_change() -> None:
    later = TEXT.replace("4.09%", "3.99%").replace("£1,204.55", "£998").replace("26 November 2026", "3 December 2026")
    assert promotion(PublicPage(path=PAGE.path, text=later), approved(), TODAY).state is PromotionState.APPROVED


def test_changed_sentences_are_named() -> None:
    changed = PublicPage(path=PAGE.path, text=TEXT.replace("no fee", "£495 at completion"))
    found = promotion(changed, approved(), TODAY)
    assert found.state is PromotionState.CHANGED
    assert (found.added, found.removed) == (("We charge £495 at completion.",), ("We charge no fee.",))


def test_moved_sentences_are_no_change() -> None:
    moved = PublicPage(path=PAGE.path, text="\n".join(reversed(sentences(TEXT))))
    assert promotion(moved, approved(), TODAY).state is PromotionState.APPROVED


@pytest.mark.parametrize(
    ("days", "state"),
    [(-1, PromotionState.OVERDUE), (0, PromotionState.DUE), (30, PromotionState.DUE), (31, PromotionState.APPROVED)],
)
def test_approval_is_due_again(days: int, state: PromotionState) -> None:
    assert promotion(PAGE, approved(due=TODAY + timedelta(days=days)), TODAY).state is state


def test_register_lists_promotions_and_what_needs_somebody_first() -> None:
    pages = [PublicPage(path="/a/", text="from 4%"), PAGE, PublicPage(path="/about/", text="We are brokers")]
    found = register(pages, {"/a/": approved("from 5%")}, TODAY)
    assert [(each.page.path, each.state) for each in found] == [
        ("/remortgaging/", PromotionState.NEVER),
        ("/a/", PromotionState.APPROVED),
    ]
