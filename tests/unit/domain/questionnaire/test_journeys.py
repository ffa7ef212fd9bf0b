"""The shipped flow against specification 4: its edges, rate steps and entries, and each journey to submit."""

from broker.domain.questionnaire.answers import Value
from broker.domain.questionnaire.entries import ENTRIES, ENTRY_STEPS
from broker.domain.questionnaire.flow import Choice, Rates, Step
from broker.domain.questionnaire.graph import QuestionsLeft, questions_left
from broker.domain.questionnaire.journey import Accepted, answer_step, replay
from tests.unit.domain.questionnaire.flows import SHIPPED, reply
from tests.unit.domain.questionnaire.journeys import JOURNEYS
from tests.unit.domain.questionnaire.specification_4 import EDGES, QUESTIONS_LEFT, RATE_STEPS


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


def test_journeys_lead_to_submit_within_the_questions_left() -> None:
    left = questions_left(SHIPPED)
    for name, journey in JOURNEYS.items():
        answers: dict[str, Value] = {}
        ahead = [SHIPPED.steps[step].is_question for step in journey.steps]
        for number, (step, words) in enumerate(journey.replies):
            assert left[step].least <= sum(ahead[number:]) <= left[step].most, (name, step)
            taken = answer_step(
                SHIPPED, journey.entry, answers=answers, step=step, answer=reply(SHIPPED.steps[step], words)
            )
            assert isinstance(taken, Accepted), (name, step, taken)
            answers = taken.answers
            assert taken.journey.path == journey.steps[: number + 2], (name, step)
        end = replay(SHIPPED, journey.entry, answers)
        assert (end.is_complete, end.path, end.left) == (True, journey.steps, QuestionsLeft(least=0, most=0)), name


def test_answers_of_a_journey_read_like_this() -> None:
    journey = JOURNEYS["buy-to-let remortgage, dependants and a loan"]
    lines = replay(SHIPPED, "q1", {step: reply(SHIPPED.steps[step], words) for step, words in journey.replies}).lines
    assert {
        ("Mortgage for", "Remortgage"),
        ("Use of the property", "Buy to Let"),
        ("Reason", "To save money"),
        ("Property value", "£250,000"),
        ("Mortgage left", "£150,000"),
        ("Loan to value", "60%"),
        ("People applying", "2"),
        ("Credit trouble", "No"),
        ("Employment", "Employed"),
        ("Annual income", "£35,000 a year"),
        ("Additional income", "Child benefit"),
        ("Dependants", "Yes"),
        ("Number of dependants", "2"),
        ("Age next birthday", "41"),
        ("Credit cards or loans", "Yes"),
        ("Owed on cards and loans", "£5,000"),
        ("Mortgage type", "Interest-only"),
        ("Add fees to the loan", "Yes"),
        ("Property type", "Flat"),
        ("New build", "No"),
        ("Year built", "1985"),
        ("Tenure", "Leasehold"),
        ("Bedrooms", "2"),
    } <= {(line.label, line.words) for line in lines}


def test_journeys_take_every_edge() -> None:
    pairs = {
        (step, after)
        for journey in JOURNEYS.values()
        for step, after in zip(journey.steps, journey.steps[1:], strict=False)
    }
    ends = {(journey.steps[-1], "submit") for journey in JOURNEYS.values()}
    specified = {(step, after) for step, ways in EDGES.items() for after in ways.values()}
    shipped = {(id_, next_id) for id_, step in SHIPPED.steps.items() for next_id in step.next_ids}
    assert specified & shipped <= pairs | ends


def test_questions_left_from_each_entry() -> None:
    left = questions_left(SHIPPED)
    assert {step: (left[step].least, left[step].most) for step in SHIPPED.entries} == QUESTIONS_LEFT


def test_entries_are_steps_of_the_flow() -> None:
    assert set(SHIPPED.entries) == set(ENTRY_STEPS) == {"q1", *ENTRIES.values()}


def test_pages_begin_at_these_steps() -> None:
    first = {
        "first-time-buyer": "q96",
        "home-mover": "q66",
        "buy-to-let": "q97",
        "buy-to-let-remortgage": "q3",
        "buy-to-let-purchase": "q33",
        "remortgaging": "q2",
        "purchase": "q32",
        "residential-purchase": "q52",
        "contractor-mortgage": "q1",
        "self-employed": "q1",
    }
    assert first == ENTRIES
