"""The shipped flow against specification 4, decisions 28 and 29: edges, rate steps, entries, and journeys to submit."""

from itertools import pairwise

from broker.questionnaire.flow import Choice, Rates, Step, questions_left
from broker.questionnaire.flow_reader import ENTRIES, ENTRY_STEPS
from tests.unit.questionnaire.flows import FLOW, SHIPPED
from tests.unit.questionnaire.journeys import JOURNEYS

WORK = "employed self-employed contractor other"
EXTRA = "child-benefit second-job other none"
TYPE = "repayment interest-only"
CHAINS = (
    # Buy-to-let remortgage
    f"q3 save-money raise-money, q4, q107, q5, q6 no yes not-sure, q7 {WORK}, q8, q99 {EXTRA}, q100",
    "q101, q102, q9",
    f"q10, q11 {TYPE}, q12 yes no, q13 flat house, q14 yes no, q15, q16 freehold leasehold, q17, submit",
    # Residential remortgage
    f"q18 save-money raise-money, q19, q108, q20 no yes not-sure, q21, q22 {WORK}, q23, q103 {EXTRA}, q104",
    "q106, q105, q24",
    f"q25, q26 {TYPE}, q27 yes no, q28 flat house, q29 yes no, q30, q31, submit",
    # Buy-to-let purchase
    f"q34, q109, q35 {WORK}, q36, q37, q38 {TYPE}, q39 yes no, q40 flat house, q41 yes no, q42",
    "q42, q43 freehold leasehold, q44, submit",
    f"q45 0-3-months 3-6-months, q46 {WORK}, q47 no yes not-sure, q48, q49, q50 {TYPE}, q51 yes no, submit",
    # Home mover
    f"q55, q110, q56 {WORK}, q57, q58",
    f"q59, q60 {TYPE}, q61 yes no, q62 flat house, q63 yes no, q64, q65 freehold leasehold, q67, submit",
    f"q68 0-3-months 3-6-months, q69 {WORK}, q70, q71, q72",
    f"q73, q74 {TYPE}, q75 yes no, submit",
    # First-time buyer
    f"q77, q111, q78 {WORK}, q79, q80",
    f"q81, q82 {TYPE}, q83 yes no, q84 flat house, q85 yes no, q86, q87 freehold leasehold, q88, submit",
    f"q89 0-3-months 3-6-months, q98, q90 {WORK}, q91, q92",
    f"q93, q94 {TYPE}, q95 yes no, q54 yes no, submit",
)
"""Steps all of whose answers lead to the next one."""

BRANCHES = """q1 remortgage q2 purchase q32, q2 buy-to-let q3 residential q18, q32 buy-to-let q33 residential q52,
    q52 first-time-buyer q76 home-mover q53, q33 yes q34 no q45, q53 yes q55 no q68, q76 yes q77 no q89,
    q100 yes q101 no q102, q104 yes q106 no q105, q9 yes q10 no q11, q24 yes q25 no q26, q58 yes q59 no q60,
    q72 yes q73 no q74, q80 yes q81 no q82, q92 yes q93 no q94,
    q66 yes q55 no q68, q96 yes q77 no q89, q97 remortgage q3 purchase q33"""
"""Steps with the next one of each answer; the last three are entries into these flows (decision 28)."""

RATE_STEPS = {
    "q107": ("buy-to-let-remortgage", "buy-to-let-remortgage"),
    "q108": ("remortgage", "remortgaging"),
    "q109": ("buy-to-let-purchase", "buy-to-let-purchase"),
    "q110": ("first-time-buyer", "home-mover"),
    "q111": ("first-time-buyer", "first-time-buyer"),
}
"""The kind of each rate step, of the four that the specification has, and the customer type that is searched for."""

QUESTIONS_LEFT = {"q1": (10, 21), "q2": (17, 20), "q3": (17, 19), "q32": (9, 15), "q33": (8, 12), "q52": (9, 14)}
QUESTIONS_LEFT |= {"q66": (8, 13), "q96": (9, 13), "q97": (9, 20)}
"""The fewest and the most questions from each entry of FLOW."""


def specified_edges() -> dict[str, dict[str, str]]:
    """Return where each answer of each step leads; the empty answer is the one way on from inputs and rates."""
    found: dict[str, dict[str, str]] = {}
    for chain in CHAINS:
        for (step, *answers), after in pairwise(part.split() for part in chain.split(",")):
            found[step] = dict.fromkeys(answers or [""], after[0])
    for branch in BRANCHES.split(","):
        step, *ways = branch.split()
        found[step] = dict(zip(ways[::2], ways[1::2], strict=True))
    return found


EDGES = specified_edges()


def edges(step: Step) -> dict[str, str]:
    if isinstance(step.asks, Choice):
        return {option.key: option.next_id for option in step.asks.options}
    return {"": step.asks.next_id}


def test_steps_lead_where_the_specification_says() -> None:
    assert {id_: edges(step) for id_, step in SHIPPED.steps.items()} == EDGES


def test_rate_steps_have_their_kinds_and_customers() -> None:
    asks = {id_: step.asks for id_, step in SHIPPED.steps.items()}
    found = {id_: (each.kind, each.searched) for id_, each in asks.items() if isinstance(each, Rates)}
    assert found == RATE_STEPS


def test_journeys_take_every_edge() -> None:
    pairs = {pair for journey in JOURNEYS.values() for pair in pairwise((*journey.steps, "submit"))}
    specified = {(step, after) for step, ways in EDGES.items() for after in ways.values()}
    shipped = {(id_, next_id) for id_, step in SHIPPED.steps.items() for next_id in step.next_ids}
    assert specified & shipped <= pairs


def test_entries_have_their_pages_and_questions_left() -> None:
    left = questions_left(FLOW)
    assert {step: (left[step].least, left[step].most) for step in FLOW.entries} == QUESTIONS_LEFT
    assert set(SHIPPED.entries) == set(ENTRY_STEPS) == {"q1", *ENTRIES.values()}
    buying = {"first-time-buyer": "q96", "home-mover": "q66", "buy-to-let-purchase": "q33", "purchase": "q32"}
    others = {"buy-to-let": "q97", "buy-to-let-remortgage": "q3", "remortgaging": "q2", "residential-purchase": "q52"}
    assert {**buying, **others, "contractor-mortgage": "q1", "self-employed": "q1"} == ENTRIES
