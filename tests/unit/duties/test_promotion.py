from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from broker.duties.promotion import Approval, PromotionState, PublicPage, is_promotion, promotion, register, sentences
from broker.duties.promotion_view import promotion_line

TODAY = date(2026, 11, 26)
TEXT = "Fix for two years from 4.09%, 7.14% APRC, as of 26 November 2026.\nYou pay £1,204.55 a month. We charge no fee."
PAGE = PublicPage(path="/remortgaging/", text=TEXT)


def approved(text: str = TEXT, due: date = TODAY + timedelta(days=60)) -> Approval:
    return Approval(path=PAGE.path, text=text, who="olga", at=datetime(2026, 9, 1, tzinfo=UTC), due=due)


@pytest.mark.parametrize(
    "text",
    [
        "A fixed rate of 4.09% for two years.",
        "Fix for two years from 4%",
        "Mortgages from 3.99%!",
        "Initial rate4.21%fixed, 24 months",
        "Overall cost 7 % APRC representative",
        "The APRC is 7.1%.",
        "Interest: £150,000 at 5.50% = £8,250",
        "£360,000 over 25 years at an example 4.92%",
        "Deal 1, 4.50%",
        "You would pay £ 900 a month",
        "[live] Monthly payment £1,009.51 £1,640.45",
    ],
)
def test_text_with_a_rate_or_a_payment_is_a_promotion(text: str) -> None:
    assert is_promotion(f"We are brokers.\n{text}")


@pytest.mark.parametrize(
    "text",
    [
        "We answer within one working day",
        "For example £300,000",
        "A home of up to £450,000, with a bonus of 25%",
        "She pays basic rate tax at 20%",
        "Rate up to £145,000 0%",
        "You reach 90% loan to value, the next band of rates",
        "The service charge is £150 a month",
        "What is the APRC, and how much should you trust it?\nA bonus of 25%",
        "You pay nothing. We save £500 a month.",
    ],
)
def test_other_figures_are_none(text: str) -> None:
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
    pages = [PublicPage(path="/a/", text="a rate of 4%"), PAGE, PublicPage(path="/about/", text="We are brokers")]
    found = register(pages, {"/a/": approved("a rate of 5%")}, TODAY)
    assert [(each.path, each.state) for each in found] == [
        ("/remortgaging/", PromotionState.NEVER),
        ("/a/", PromotionState.APPROVED),
    ]


def test_pages_of_a_family_are_one_entry_with_each_new_sentence_once() -> None:
    pages = [
        PublicPage(path=f"/lenders/{name}/", text=f"A rate of {rate}%. New.") for name, rate in (("a", 4), ("b", 5))
    ]
    (whole, former) = (approved("A rate of 3%.", due=TODAY + timedelta(days=days)) for days in (60, 50))
    (found,) = register(
        [*pages, PublicPage(path="/lenders/c/", text="")], {pages[0].path: whole, pages[1].path: former}, TODAY
    )
    assert (found.path, found.state, found.added) == ("/lenders/*", PromotionState.CHANGED, ("New.",))
    assert (found.waiting, found.approval) == (tuple(pages), former)


def test_family_stands_as_its_page_that_needs_somebody_most() -> None:
    pages = [PublicPage(path=f"/mortgage-broker-{name}/", text="A rate of 4%.") for name in "ab"]
    (found,) = register(pages, {pages[0].path: approved("A rate of 4%.")}, TODAY)
    assert (found.path, found.state, found.waiting) == ("/mortgage-broker-*", PromotionState.NEVER, (pages[1],))


def test_page_of_all_lenders_is_not_of_their_family() -> None:
    pages = [PublicPage(path=path, text="A rate of 4%.") for path in ("/lenders/", "/lenders/a/")]
    assert [each.path for each in register(pages, {}, TODAY)] == ["/lenders/", "/lenders/*"]


def test_day_of_an_approval_is_that_of_the_uk() -> None:
    given = replace(approved(), at=datetime(2026, 6, 30, 23, 20, tzinfo=UTC))
    assert promotion_line(promotion(PAGE, given, TODAY), TODAY).approved == "Wed 1 Jul"
