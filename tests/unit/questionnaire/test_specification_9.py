"""The shipped flow against specification 9: the ends of its ranges, and the answers of its choices.

The tables have the steps of the specification; a question that is added to the flow needs no line here.
"""

from typing import TypeVar

from broker.questionnaire.answers import Answered, read_answer
from broker.questionnaire.flow import Calculator, Choice, Inputs, Radio, Range, SecondValue, UnitType
from tests.unit.questionnaire.flows import SHIPPED, first_answer

Kind = TypeVar("Kind", Calculator, Radio, Range)

HOME_VALUE, FIRST_HOME_VALUE = (50_000, 1_000_000), (100_000, 1_000_000)
OUTSTANDING = (21_000, 1_000_000)
DEPOSIT, MOVER_DEPOSIT = (25_000, 500_000), (10_000, 500_000)
PEOPLE, MORE_PEOPLE = (1, 2), (1, 4)
INCOME, RENT, OWED = (10_000, 170_000), (400, 4_000), (50, 25_000)
YEAR, BEDROOMS, DEPENDANTS, AGE = (1900, 2020), (1, 6), (1, 5), (18, 65)

RANGES = {
    HOME_VALUE: "q4 01, q19 01, q34 01, q55 01",
    FIRST_HOME_VALUE: "q77 01",
    OUTSTANDING: "q4 02, q19 02",
    DEPOSIT: "q34 02, q77 02, q98 01",
    MOVER_DEPOSIT: "q55 02",
    PEOPLE: "q5 01, q21 01, q36 02, q48 01",
    MORE_PEOPLE: "q57 01, q70 01, q79 01, q91 01",
    INCOME: "q8 01, q23 01, q37 02, q49 01, q57 02, q71 01, q79 02, q91 02",
    RENT: "q37 01",
    OWED: "q10 01, q25 01, q59 01, q73 01, q81 01, q93 01",
    YEAR: "q15 01, q30 01, q42 01, q64 01, q86 01",
    BEDROOMS: "q17 01, q31 01, q44 01, q67 01, q88 01",
    DEPENDANTS: "q101 01, q106 01",
    AGE: "q102 01, q105 01",
}
"""The steps and inputs that have each range."""


def inputs(kind: type[Kind]) -> list[tuple[str, Kind]]:
    asks = [(id_, step.asks) for id_, step in SHIPPED.steps.items()]
    return [
        (id_, each) for id_, ask in asks if isinstance(ask, Inputs) for each in ask.inputs if isinstance(each, kind)
    ]


def test_flow_has_these_ranges() -> None:
    expected = {place: ends for ends, places in RANGES.items() for place in places.split(", ")}
    found = {f"{step} {each.key}": (each.low, each.high) for step, each in inputs(Range)}
    steps = {place.split()[0] for place in expected}
    assert {place: ends for place, ends in found.items() if place.split()[0] in steps} == expected


def test_ranges_take_their_ends_and_nothing_beyond() -> None:
    for step, each in inputs(Range):
        others = first_answer(SHIPPED, step)
        assert isinstance(others, dict)
        for value in (each.low, each.high):
            answered = read_answer(SHIPPED.steps[step], {**others, each.key: value})
            assert isinstance(answered, Answered), (step, value)
            assert answered.figure(each.key) == value
        for value in (each.low - 1, each.high + 1):
            refused = read_answer(SHIPPED.steps[step], {**others, each.key: value})
            assert isinstance(refused, tuple), (step, value)
            assert [(one.step, one.input) for one in refused] == [(step, each.key)]


def test_sliders_reach_their_ends_and_start_on_a_step() -> None:
    for step, each in inputs(Range):
        assert ((each.high - each.low) % each.unit, (each.start - each.low) % each.unit) == (0, 0), step
        assert (each.before == "£") == (each.high > 2020), step
        assert (each.unit_type is UnitType.YEAR) == ((each.low, each.high) == YEAR), step


WORK = ("Employed", "Self-employed", "Contractor", "Other")
EXTRA = ("Child benefit", "Second job", "Other", "No other income")
KIND, PLACE, TENURE = ("Repayment", "Interest-only"), ("Flat", "House"), ("Freehold", "Leasehold")
WHEN, CREDIT = ("0-3 months", "3-6 months"), ("No", "Yes", "Not sure")

TEXTS: dict[tuple[str, ...], str] = {
    WORK: "q7 q22 q35 q46 q56 q69 q78 q90",
    EXTRA: "q99 q103",
    KIND: "q11 q26 q38 q50 q60 q74 q82 q94",
    PLACE: "q13 q28 q40 q62 q84",
    TENURE: "q16 q43 q65 q87",
    WHEN: "q45 q68 q89",
    CREDIT: "q6 q20 q47",
    ("Yes", "No"): "q9 q12 q14 q24 q27 q29 q33 q39 q41 q51 q53 q54 q58 q61 q63 q66 q72 q75 q76 q80 q83 q85 q92 q95 q96"
    " q100 q104",
    ("Remortgage", "Purchase"): "q1 q97",
    ("Buy to Let", "Residential"): "q2 q32",
    ("To save money", "To raise money"): "q3 q18",
    ("First time buyer", "Home Mover"): "q52",
}
"""The answers of each choice (specification 4 and 9); additional income can also be none."""


def test_choices_offer_these_answers() -> None:
    expected = {step: texts for texts, steps in TEXTS.items() for step in steps.split()}
    asks = {id_: SHIPPED.steps[id_].asks for id_ in expected}
    assert {
        id_: tuple(option.text for option in ask.options) for id_, ask in asks.items() if isinstance(ask, Choice)
    } == expected


def test_steps_with_two_questions_ask_both() -> None:
    found = {(step, each.key, tuple(option.text for option in each.options)) for step, each in inputs(Radio)}
    assert {("q30", "02", TENURE), ("q36", "01", CREDIT)} <= found


def test_loan_to_value_is_worked_out_of_these() -> None:
    found = {id_: (each.key, each.value_01, each.value_02, each.second) for id_, each in inputs(Calculator)}
    owed, paid = ("03", "01", "02", SecondValue.LOAN), ("03", "01", "02", SecondValue.DEPOSIT)
    expected = {"q4": owed, "q19": owed, "q34": paid, "q55": paid, "q77": paid}
    assert {id_: found.get(id_) for id_ in expected} == expected


def test_every_question_has_its_reason_and_its_words() -> None:
    for id_, step in SHIPPED.steps.items():
        assert step.why.endswith("."), id_
        assert step.question.endswith("?") == step.is_question, id_
        assert 0 < len(step.label) <= 30, id_


def test_cards_fill_whole_rows() -> None:
    choices = [step.asks for step in SHIPPED.steps.values() if isinstance(step.asks, Choice)]
    assert {sum(option.width for option in choice.options) % 12 for choice in choices} == {0}
