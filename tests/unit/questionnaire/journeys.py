"""The journeys of specification 4: eight, their branches, and the entries.

A journey names the replies that matter. A step of the flow that it does not name gets its first answer, so a question
that is added to the flow needs no change here.
"""

from dataclasses import dataclass

from broker.questionnaire.answers import SEEN, Answered, read_answer
from broker.questionnaire.flow import SUBMIT, Flow, Step
from tests.unit.questionnaire.flows import SHIPPED, first_answer, reply


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedJourney:
    """A journey: its first step, then every step with its reply, in order."""

    entry: str
    replies: tuple[tuple[str, str], ...]

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(step for step, _ in self.replies)


def scripted_journey(text: str, *, flow: Flow = SHIPPED, before: str = "") -> ScriptedJourney:
    """Return a journey written as `q1 remortgage, q2 residential, q18 save-money`, up to its last step.

    With `before` it goes on to the step that leads to that one.
    """
    pairs = [part.strip().partition(" ") for part in text.replace("\n", " ").split(",")]
    named = {step: words or SEEN for step, _, words in pairs}
    entry = here = pairs[0][0]
    replies: list[tuple[str, str]] = []
    while here not in (SUBMIT, before) and (before or named):
        step = flow.steps[here]
        words = named.pop(here, "") or _first_words(flow, step)
        answered = read_answer(step, reply(step, words))
        assert isinstance(answered, Answered), (here, words)
        replies.append((here, words))
        here = answered.next_id
    assert not named, f"never reached: {', '.join(named)}"
    return ScriptedJourney(entry=entry, replies=tuple(replies))


def _first_words(flow: Flow, step: Step) -> str:
    answer = first_answer(flow, step.id)
    return " ".join(map(str, answer.values())) if isinstance(answer, dict) else answer


_BTL_REMORTGAGE = "q3 save-money, q4 250000 150000, q107, q5 2, q6 no, q7 employed, q8 35000, q99 child-benefit"
_BTL_REMORTGAGE_END = "q11 interest-only, q12 yes, q13 flat, q14 no, q15 1985, q16 leasehold, q17 2"
_REMORTGAGE = "q18 raise-money, q19 400000 120000, q108, q20 yes, q21 1, q22 contractor, q23 60000, q103 other"
_REMORTGAGE_END = "q26 repayment, q27 no, q28 house, q29 no, q30 1930 freehold, q31 3"
_BTL_FOUND = """q34 200000 60000, q109, q35 self-employed, q36 no 2, q37 1100 45000, q38 interest-only, q39 yes,
    q40 house, q41 yes, q42 2020, q43 freehold, q44 3"""
_BTL_LOOKING = "q45 0-3-months, q46 other, q47 not-sure, q48 1, q49 30000, q50 repayment, q51 no"
_MOVER_FOUND = "q55 500000 200000, q110, q56 employed, q57 4 90000"
_MOVER_FOUND_END = "q60 repayment, q61 yes, q62 house, q63 no, q64 1900, q65 freehold, q67 6"
_MOVER_LOOKING = "q68 3-6-months, q69 contractor, q70 3, q71 80000"
_MOVER_LOOKING_END = "q74 repayment, q75 no"
_FIRST_FOUND = "q77 250000 25000, q111, q78 employed, q79 2 55000"
_FIRST_FOUND_END = "q82 repayment, q83 no, q84 flat, q85 yes, q86 2019, q87 leasehold, q88 1"
_FIRST_LOOKING = "q89 0-3-months, q98 40000, q90 other, q91 1 28000"
_FIRST_LOOKING_END = "q94 interest-only, q95 yes"

_LET, _HOME = "q1 remortgage, q2 buy-to-let", "q1 remortgage, q2 residential"
_MOVER, _FIRST = (f"q1 purchase, q32 residential, q52 {customer}" for customer in ("home-mover", "first-time-buyer"))

TEXTS = {
    "buy-to-let remortgage, dependants and a loan": f"{_LET}, {_BTL_REMORTGAGE}, q100 yes, q101 2, q102 41, q9 yes,"
    f" q10 5000, {_BTL_REMORTGAGE_END}",
    "buy-to-let remortgage, neither": f"{_LET}, {_BTL_REMORTGAGE}, q100 no, q102 41, q9 no, {_BTL_REMORTGAGE_END}",
    "residential remortgage, dependants and a loan": f"{_HOME}, {_REMORTGAGE}, q104 yes, q106 5, q105 65, q24 yes,"
    f" q25 25000, {_REMORTGAGE_END}",
    "residential remortgage, neither": f"{_HOME}, {_REMORTGAGE}, q104 no, q105 18, q24 no, {_REMORTGAGE_END}",
    "buy-to-let purchase, property found": f"q1 purchase, q32 buy-to-let, q33 yes, {_BTL_FOUND}",
    "buy-to-let purchase, still looking": f"q1 purchase, q32 buy-to-let, q33 no, {_BTL_LOOKING}",
    "home mover, property found, a loan": f"{_MOVER}, q53 yes, {_MOVER_FOUND}, q58 yes, q59 50, {_MOVER_FOUND_END}",
    "home mover, property found, no loan": f"{_MOVER}, q53 yes, {_MOVER_FOUND}, q58 no, {_MOVER_FOUND_END}",
    "home mover, still looking, a loan": f"{_MOVER}, q53 no, {_MOVER_LOOKING}, q72 yes, q73 900, {_MOVER_LOOKING_END}",
    "home mover, still looking, no loan": f"{_MOVER}, q53 no, {_MOVER_LOOKING}, q72 no, {_MOVER_LOOKING_END}",
    "first-time buyer, property found, a loan": f"{_FIRST}, q76 yes, {_FIRST_FOUND}, q80 yes, q81 3000,"
    f" {_FIRST_FOUND_END}",
    "first-time buyer, property found, no loan": f"{_FIRST}, q76 yes, {_FIRST_FOUND}, q80 no, {_FIRST_FOUND_END}",
    "first-time buyer, still looking, a loan": f"{_FIRST}, q76 no, {_FIRST_LOOKING}, q92 yes, q93 700,"
    f" {_FIRST_LOOKING_END}, q54 yes",
    "first-time buyer, still looking, no loan": f"{_FIRST}, q76 no, {_FIRST_LOOKING}, q92 no, {_FIRST_LOOKING_END},"
    " q54 no",
    "entry q66, property found": f"q66 yes, {_MOVER_FOUND}, q58 no, {_MOVER_FOUND_END}",
    "entry q66, still looking": f"q66 no, {_MOVER_LOOKING}, q72 yes, q73 900, {_MOVER_LOOKING_END}",
    "entry q96, property found": f"q96 yes, {_FIRST_FOUND}, q80 yes, q81 3000, {_FIRST_FOUND_END}",
    "entry q96, still looking": f"q96 no, {_FIRST_LOOKING}, q92 no, {_FIRST_LOOKING_END}, q54 yes",
    "entry q97, remortgage": f"q97 remortgage, {_BTL_REMORTGAGE}, q100 no, q102 41, q9 yes, q10 5000,"
    f" {_BTL_REMORTGAGE_END}",
    "entry q97, property found": f"q97 purchase, q33 yes, {_BTL_FOUND}",
    "entry q97, still looking": f"q97 purchase, q33 no, {_BTL_LOOKING}",
    "entry q2": f"q2 residential, {_REMORTGAGE}, q104 no, q105 30, q24 no, {_REMORTGAGE_END}",
    "entry q3": f"{_BTL_REMORTGAGE}, q100 no, q102 30, q9 no, {_BTL_REMORTGAGE_END}",
    "entry q32": f"q32 buy-to-let, q33 no, {_BTL_LOOKING}",
    "entry q33": f"q33 yes, {_BTL_FOUND}",
    "entry q52": f"q52 first-time-buyer, q76 no, {_FIRST_LOOKING}, q92 no, {_FIRST_LOOKING_END}, q54 no",
}
"""Together they take every edge of the shipped flow."""


def journeys(flow: Flow) -> dict[str, ScriptedJourney]:
    return {name: scripted_journey(text, flow=flow, before=SUBMIT) for name, text in TEXTS.items()}


JOURNEYS = journeys(SHIPPED)
