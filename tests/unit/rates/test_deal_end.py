from dataclasses import replace
from datetime import date
from functools import partial

from broker.rates import rate_details as presenter
from tests.unit.rates.products import priced
from tests.unit.rates.three_deals import ALDER

deal_end = partial(presenter.deal_end, today=date(2026, 11, 24))


def test_end_of_a_deal_has_its_figures_and_what_they_mean() -> None:
    end = deal_end(ALDER)
    assert end.title == "When the deal ends, November 2028 if it starts today"
    assert end.figures == (
        ("Still owed then", "£95,278.09"),
        ("Payment if you do nothing", "£725.44 a month"),
        ("Rise", "£186.50 a month, £2,238.00 a year"),
    )
    assert end.sentences == (
        "If you do nothing, you move to the lender’s follow-on rate: 7.50% today. It is variable, so it may be higher "
        "or lower by then.",
        "You do not have to wait until then. Most lenders let you arrange your next deal some months before this one "
        "ends. Ask us from six months before, once you have made 18 payments.",
    )


def test_payments_are_compared_as_they_are() -> None:
    assert deal_end(priced("a", rate=8, follow_on=3)).figures[-1] == ("Fall", "£283.49 a month, £3,401.88 a year")
    same = replace(ALDER, follow_on_payment=ALDER.initial_payment)
    assert deal_end(same).figures[-1] == ("Rise", "none")


def test_figures_that_the_source_leaves_out_are_named_as_missing() -> None:
    end = deal_end(replace(ALDER, follow_on_rate=None, follow_on_payment=None))
    assert [label for label, _ in end.figures] == ["Still owed then"]
    assert end.sentences[0] == (
        "If you do nothing, you move to the lender’s variable rate. We do not have that figure, so ask us what "
        "your payment would be."
    )


def test_deal_that_fills_the_term_has_no_next_deal() -> None:
    repaid, due = "so the mortgage is paid off then.", "so the loan itself falls due then."
    words = {
        False: f"The deal lasts the whole term, {repaid}",
        True: f"The deal lasts the whole term. The payments are of interest only, {due}",
    }
    ends = {only: deal_end(priced("a", months=60, years=5, interest_only=only)).sentences for only in words}
    assert ends == {only: (sentence,) for only, sentence in words.items()}


def test_end_is_counted_from_today_unless_the_name_has_a_date() -> None:
    ends = {24: "November 2028", 27: "February 2029", 1: "December 2026", 60: "November 2031"}
    for months, month in ends.items():
        title = deal_end(priced("a", months=months)).title
        assert title == f"When the deal ends, {month} if it starts today"
    for name in ("2 Year Fixed until 31/01/2029", "2 Year Fixed until 31 January 2029", "Fixed until 2029"):
        assert deal_end(replace(ALDER, title=name)).title == "When the deal ends"
    for name in ("2 Year Fixed, £1999 fee", "£2029 cashback", "Fee 2000, 2.5% off", "£2,029 fee"):
        assert deal_end(replace(ALDER, title=name)).title.endswith("if it starts today")
