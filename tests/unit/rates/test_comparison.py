from dataclasses import replace

from broker.rates.comparison import MAX_COMPARED, UNSTATED, ComparedFigure, Comparison, comparison
from broker.rates.product import Incentives, RateProduct
from tests.unit.rates.products import priced
from tests.unit.rates.three_deals import ALDER, BIRCH, CEDAR, THREE


def compared(*products: RateProduct) -> Comparison:
    return comparison(products, logos=[""] * len(products))


def row(label: str, *products: RateProduct) -> tuple[bool, list[tuple[str, bool]]]:
    found = next(line for line in compared(*(products or THREE)).rows if line.label == label)
    return found.differs, [(figure.text, figure.lowest) for figure in found.figures]


def test_row_marks_the_lowest_stated_figure_where_products_differ() -> None:
    assert row("Initial rate") == (True, [("4.20%", True), ("4.50%", False), ("4.80%", False)])
    assert row("Lender fees") == (True, [("£1,999", False), ("£499.50", False), ("£249", True)])
    twin = replace(ALDER, product_id="twin", aprc=ALDER.aprc + 0.000_1)
    assert row("Initial rate", ALDER, twin) == (False, [("4.20%", False)] * 2)
    assert row("APRC", ALDER, twin, CEDAR)[1][:2] == row("APRC", twin, ALDER, CEDAR)[1][:2]
    blank = replace(BIRCH, follow_on_rate=None, follow_on_payment=None, least_loan=None, early_repayment_charge="")
    assert row("Follow-on rate", ALDER, blank) == (True, [("7.50%", True), (UNSTATED, False)])
    assert row("Loans", ALDER, blank)[1][1] == (UNSTATED, False)
    assert row("Early repayment charge", ALDER, blank)[1][1][0] == "Not known here: ask us before you decide"


def test_total_of_the_deal_has_no_lowest_where_deals_differ_in_length() -> None:
    two, longer = priced("a", rate=4.5, fees=999), priced("b", rate=4.4, fees=999, months=27)
    same = priced("b", rate=4.4, fees=999)
    for label in ("Total to pay in the deal", "True cost of the deal", "Owed when the deal ends"):
        assert [any(lowest for _, lowest in row(label, two, other)[1]) for other in (longer, same)] == [False, True]
    assert [lowest for _, lowest in row("True cost a year", two, longer)[1]] == [False, True]


def test_five_products_make_a_comparison_of_four() -> None:
    shown = compared(*(priced(f"p{place}", rate=4 + place) for place in range(5)))
    assert (len(shown.heads), {len(line.figures) for line in shown.rows}) == (4, {4}) == (MAX_COMPARED, {MAX_COMPARED})


def test_notes_name_the_cheapest_and_where_others_change_places_with_it() -> None:
    first = priced("a", rate=4.5, fees=1_999, lender_name="Alder")
    second = priced("b", rate=4.7, fees=0, lender_name="Birch")
    change = (
        "Alder at 4.50% would have a lower true cost than Birch at 4.70% above a loan of £503,469, where both cost "
        "£23,171 a year. By cash paid, Birch at 4.70% costs less below £729,810."
    )
    cheapest = "Birch at 4.70% has the lowest true cost a year at a loan of £100,000."
    assert compared(first, second).notes == (cheapest, change)
    assert compared(replace(first, most_loan=400_000), second).notes[1] == (
        f"{change} They do not both offer a loan of that size."
    )
    notes = compared(*THREE).notes
    assert len(notes) == 4
    assert notes[3].startswith("Alder Bank at 4.20% would have a lower true cost than Cedar at 4.80% above a loan of ")


def test_products_that_are_dearer_at_any_loan_share_a_sentence() -> None:
    assert compared(priced("a", rate=4, fees=500), priced("b", rate=4, fees=900)).notes == (
        "Alder Bank at 4.00% has the lowest true cost a year at a loan of £100,000.",
        "No loan makes its true cost higher than that of Alder Bank at 4.00%.",
    )
    dearer = [priced(name, rate=4.5, fees=900, lender_name=name) for name in ("Birch", "Cedar", "Dogwood")]
    assert compared(priced("a", rate=4, fees=500), *dearer).notes[1:] == (
        "No loan makes its true cost higher than that of Birch at 4.50%, Cedar at 4.50% and Dogwood at 4.50%.",
    )


def test_products_of_one_true_cost_share_it() -> None:
    twin = replace(ALDER, product_id="twin", lender_name="Twin Bank", most_ltv=62.5)
    shown = compared(ALDER, twin, CEDAR)
    assert compared(ALDER, twin).notes == (
        "Alder Bank at 4.20% and Twin Bank at 4.20% have the lowest true cost a year at a loan of £100,000.",
    )
    assert [figure.text for figure in next(row for row in shown.rows if "loan to value" in row.label).figures][
        1
    ] == "62.5%"


def test_total_after_cashback_has_a_row_where_a_product_pays_some() -> None:
    assert not [label for label, _ in compared(*THREE).same if "cashback" in label.lower() and "Total" in label]
    pays = replace(ALDER, incentives=Incentives(cashback=250))
    differs, figures = row("Total to pay, after cashback", pays, BIRCH)
    assert (differs, [text for text, _ in figures]) == (True, ["£14,683.56", "£13,839.42"])


def test_every_product_has_its_name_example_and_aprc() -> None:
    names = ("Alder Bank at 4.20%", "Birch Building Society at 4.50%", "Cedar at 4.80%")
    assert compared(*THREE).named == tuple(zip(("alder", "birch", "cedar"), names, strict=True))
    shown = compared(ALDER, CEDAR)
    costs = [head.aprc for head in shown.heads]
    assert [words for _, _, words in shown.examples] == [
        f"The overall cost for comparison is {aprc} APRC representative." for aprc in costs
    ]
    assert shown.rows[1].figures == tuple(ComparedFigure(text=aprc, lowest=aprc == min(costs)) for aprc in costs)


def test_equal_figures_are_listed_once_except_rate_and_aprc() -> None:
    shown = compared(ALDER, replace(ALDER, product_id="twin"))
    assert [row.label for row in shown.rows] == ["Initial rate", "APRC"]
    assert ("Lender fees", "£1,999") in shown.same
    other = compared(*THREE)
    labels = [label for label, _ in other.same]
    assert {row.label for row in other.rows} & set(labels) == set()
    assert "Lender fees" not in labels
