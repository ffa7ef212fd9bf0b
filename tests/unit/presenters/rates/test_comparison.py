"""Products side by side: what differs, what is lowest, and where two change places."""

from dataclasses import replace

from broker.presenters.rates.comparison import MAX_COMPARED, UNSTATED, ComparedFigure, comparison
from tests.unit.domain.rates.products import priced
from tests.unit.presenters.three_deals import ALDER, BIRCH, CEDAR, THREE


def row(label: str, *products: object) -> tuple[bool, list[tuple[str, bool]]]:
    """Return whether a row differs, and its figures, each with whether it is the lowest."""
    shown = comparison(products or THREE, logos=[""] * MAX_COMPARED)  # pyright: ignore[reportArgumentType] - products as given
    found = next(line for line in shown.rows if line.label == label)
    return found.differs, [(figure.text, figure.lowest) for figure in found.figures]


def test_lowest_of_figures_that_differ_is_marked() -> None:
    assert row("Initial rate") == (True, [("4.20%", True), ("4.50%", False), ("4.80%", False)])
    assert row("Lender fees") == (True, [("£1,999", False), ("£499.50", False), ("£249", True)])


def test_row_that_is_alike_marks_nothing() -> None:
    assert row("Initial rate", ALDER, replace(ALDER, product_id="twin")) == (False, [("4.20%", False)] * 2)


def test_figure_that_the_source_does_not_state_is_no_lowest() -> None:
    blank = replace(BIRCH, follow_on_rate=None, follow_on_payment=None, least_loan=None, early_repayment_charge="")
    assert row("Follow-on rate", ALDER, blank) == (True, [("7.50%", True), (UNSTATED, False)])
    assert row("Loans", ALDER, blank)[1][1] == (UNSTATED, False)
    assert row("Early repayment charge", ALDER, blank)[1][1][0] == "Not stated here: ask us before you decide"


def test_five_products_make_a_comparison_of_four() -> None:
    shown = comparison([priced(f"p{place}", rate=4 + place) for place in range(5)], logos=[""] * 5)
    assert (len(shown.heads), {len(line.figures) for line in shown.rows}) == (4, {4})


def test_notes_name_the_cheapest_and_where_others_change_places_with_it() -> None:
    first = priced("a", rate=4.5, fees=1_999, lender_name="Alder")
    second = priced("b", rate=4.7, fees=0, lender_name="Birch")
    assert comparison([first, second], logos=["", ""]).notes == (
        "Birch at 4.70% has the lowest true cost a year at a loan of £100,000.",
        "Alder at 4.50% would have a lower true cost than Birch at 4.70% above a loan of £503,469, where both cost "
        "£23,171 a year. By cash paid they change places at £729,810.",
    )


def test_every_two_of_the_deals_have_their_note() -> None:
    notes = comparison(THREE, logos=[""] * 3).notes
    assert len(notes) == 4
    assert notes[3].startswith("Alder Bank at 4.20% would have a lower true cost than Cedar at 4.80% above a loan of ")


def test_size_that_one_of_the_deals_is_not_lent_at_is_said() -> None:
    first = priced("a", rate=4.5, fees=1_999, most_loan=400_000)
    note = comparison([first, priced("b", rate=4.7, fees=0)], logos=["", ""]).notes[1]
    assert note.endswith(" Not both are lent at that size.")


def test_deals_are_named_by_their_ids_for_the_way_to_their_details() -> None:
    assert comparison(THREE, logos=[""] * 3).named == (
        ("alder", "Alder Bank at 4.20%"),
        ("birch", "Birch Building Society at 4.50%"),
        ("cedar", "Cedar at 4.80%"),
    )


def test_deal_that_is_dearer_whatever_the_loan_is_said_to_be() -> None:
    notes = comparison([priced("a", rate=4, fees=500), priced("b", rate=4, fees=900)], logos=["", ""]).notes
    assert notes == (
        "Alder Bank at 4.00% has the lowest true cost a year at a loan of £100,000.",
        "No loan makes its true cost higher than that of Alder Bank at 4.00%.",
    )


def test_deals_that_are_dearer_whatever_the_loan_share_a_sentence() -> None:
    dearer = [priced(name, rate=4.5, fees=900, lender_name=name) for name in ("Birch", "Cedar", "Dogwood")]
    notes = comparison([priced("a", rate=4, fees=500), *dearer], logos=[""] * 4).notes
    assert notes[1:] == (
        "No loan makes its true cost higher than that of Birch at 4.50%, Cedar at 4.50% and Dogwood at 4.50%.",
    )


def test_figures_that_read_alike_are_lowest_alike() -> None:
    twin = replace(ALDER, product_id="twin", aprc=ALDER.aprc + 0.000_1)
    assert row("APRC", ALDER, twin, CEDAR)[1][:2] == row("APRC", twin, ALDER, CEDAR)[1][:2]


def test_every_deal_keeps_its_own_example_and_apr() -> None:
    shown = comparison([ALDER, CEDAR], logos=["", ""])
    assert [aprc for _, aprc in shown.examples] == [
        f"The overall cost for comparison is {head.aprc} APRC representative." for head in shown.heads
    ]
    assert shown.rows[1].figures == tuple(
        ComparedFigure(text=head.aprc, lowest=head.aprc == min(h.aprc for h in shown.heads)) for head in shown.heads
    )
