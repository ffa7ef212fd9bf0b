import pytest

from broker import routes
from broker.questionnaire import step_view
from broker.questionnaire.answers import Value
from broker.questionnaire.journey import Journey, replay
from broker.questionnaire.rate_query import rate_search
from broker.questionnaire.step_view import AHEAD, DONE, HERE, MAX_TILES, AnswerRow, Progress, answer_rows, progress_at
from tests.unit.questionnaire.flows import FLOW, reply
from tests.unit.questionnaire.journeys import ScriptedJourney, journeys, scripted_journey

JOURNEYS = journeys(FLOW)
TO_Q19 = "q1 remortgage, q2 residential, q18 save-money"
WHOLE = ", ".join(
    f"{step} {words}" for step, words in JOURNEYS["residential remortgage, dependants and a loan"].replies
)
TO_Q50 = "q1 purchase, q32 buy-to-let, q33 no, q45 0-3-months, q46 other, q47 yes, q48 1, q49 10000"


def replayed(given: ScriptedJourney) -> Journey:
    answers: dict[str, Value] = {step: reply(FLOW.steps[step], words) for step, words in given.replies}
    return replay(FLOW, given.entry, answers)


def journey(replies: str) -> Journey:
    """Return the journey of replies written as a line of text; that of none for an empty one."""
    return replayed(scripted_journey(replies, flow=FLOW)) if replies else replay(FLOW, "q1", {})


WORDS = {
    "the first": ("", "q1", "Question 1. 9 to 20 left."),
    "in the middle": (TO_Q19, "q19", "Question 4. 14 to 16 left."),
    "a question of before": (TO_Q19, "q2", "Question 2. 16 to 19 left."),
    "deals": (f"{TO_Q19}, q19 400000 120000", "q108", "4 answered. 14 to 16 left."),
    "after the deals": (f"{TO_Q19}, q19 400000 120000, q108", "q20", "Question 5. 13 to 15 left."),
    "another beginning": (TO_Q19, "q96", "Question 1. 8 to 12 left."),
    "one left": (TO_Q50, "q50", "Question 9. 1 left."),
    "the last": (f"{TO_Q50}, q50 repayment", "q51", "Question 10. This is the last one."),
    "the check": (TO_Q19, "", "Last step"),
}


@pytest.mark.parametrize(("replies", "step", "words"), WORDS.values(), ids=WORDS)
def test_progress_is_given_in_words(replies: str, step: str, words: str) -> None:
    assert progress_at(FLOW, journey(replies), step=step).words == words


@pytest.mark.parametrize("replies", JOURNEYS.values(), ids=JOURNEYS)
def test_tiles_stand_for_the_questions_behind_and_at_most_ahead(replies: ScriptedJourney) -> None:
    whole = replayed(replies)
    for place, step in enumerate(replies.steps):
        tiles = progress_at(FLOW, whole, step=step).tiles
        behind = sum(FLOW.steps[each].is_question for each in replies.steps[:place])
        assert (tiles.count(HERE), tiles.index(HERE)) == (1, behind)
        assert tiles == (DONE,) * behind + (HERE,) + (AHEAD,) * tiles.count(AHEAD)
        assert len(tiles) <= MAX_TILES


def test_check_page_has_every_tile_done() -> None:
    tiles = progress_at(FLOW, journey(WHOLE), step="").tiles
    assert set(tiles) == {DONE, HERE}
    assert tiles[-1] == HERE
    assert Progress() == Progress(tiles=(), words="")


def test_rows_are_earlier_answers_with_their_change_links() -> None:
    change = "/questionnaire/q2/?change=yes"
    so_far = journey(f"{TO_Q19}, q19 400000 120000")
    assert answer_rows(so_far, before="q18") == (
        AnswerRow(label="Mortgage for", words="Remortgage", href="/questionnaire/?change=yes"),
        AnswerRow(label="Use of the property", words="Residential", href=change),
    )
    assert [row.words for row in answer_rows(so_far)][-3:] == ["£400,000", "£120,000", "30%"]
    assert answer_rows(so_far, before="q1") == answer_rows(so_far, before="q50") == ()


BACK = {
    "the first": ("", "q1", ""),
    "the second": (TO_Q19, "q2", routes.QUESTIONNAIRE),
    "after deals": (f"{TO_Q19}, q19 400000 120000, q108", "q20", "/questionnaire/q108/"),
    "off the path": (TO_Q19, "q50", ""),
    "the check": (TO_Q19, "", "/questionnaire/q18/"),
    "the check of nothing": ("", "", ""),
}


@pytest.mark.parametrize(("replies", "step", "path"), BACK.values(), ids=BACK)
def test_back_leads_to_the_step_before(replies: str, step: str, path: str) -> None:
    assert step_view.back_to(journey(replies), step) == path


AFTER = {
    "the next": (TO_Q19, "q18", False, "/questionnaire/q19/"),
    "one of before": (TO_Q19, "q1", False, "/questionnaire/q2/"),
    "one that is changed": (TO_Q19, "q1", True, "/questionnaire/q19/"),
    "off the path": (TO_Q19, "q50", False, "/questionnaire/q19/"),
    "the last": (WHOLE, "q31", False, routes.CHECK_ANSWERS),
    "changed at the check": (WHOLE, "q2", True, routes.CHECK_ANSWERS),
}


@pytest.mark.parametrize(("replies", "step", "changing", "path"), AFTER.values(), ids=AFTER)
def test_answer_leads_on(replies: str, step: str, *, changing: bool, path: str) -> None:
    assert step_view.page_after(journey(replies), step, changing=changing) == path


def test_step_has_its_page_and_the_field_that_it_is_answered_in() -> None:
    pages = [step_view.page_of(step) for step in (None, FLOW.steps["q1"])]
    assert pages == [routes.CHECK_ANSWERS, routes.QUESTIONNAIRE]
    fields = {("q1", ""): "remortgage", ("q19", "02"): "figure-02", ("q30", "02"): "figure-02", ("q108", ""): ""}
    assert {(step, key): step_view.field_of(FLOW.steps[step], key) for step, key in fields} == fields


def test_basis_says_what_deals_are_for() -> None:
    search = rate_search(journey(f"{TO_Q19}, q19 300000 200000"), "q108")
    assert search
    assert step_view.search_basis(search) == (
        "For £200,000 on a property worth £300,000 (66.7% LTV), over 25 years. Your next answers may change this list."
    )
