"""View models of a questionnaire page: progress, answers, the pages of Back and Change, and messages."""

from dataclasses import dataclass

from broker import routes
from broker.lending.immutable import Immutable
from broker.lending.loan_to_value import ltv_text
from broker.lending.money import pounds
from broker.questionnaire.flow import Choice, Flow, QuestionsLeft, Step, questions_left
from broker.questionnaire.journey import COMPLETE, Journey
from broker.questionnaire.rate_query import RateSearch

CHANGE = "change"
"""Parameter of a question's address: once changed, it leads back to where the visitor was."""

DONE, HERE, AHEAD = "done", "here", "ahead"
"""Kinds of tiles that show progress, as their drawings are named."""

NOT_BEGUN = "We don’t have any saved answers in this browser. Please start here"
GO_ON = "You have saved answers. Carry on where you left off, or start again here. Your answers are not deleted"
WELCOME_BACK = "We’ve saved your answers. Carry on where you left off, or look through them from the start"
FIRST_THE_REST = "Please answer this question first. The next ones depend on it"
NEWER = "You answered this in another tab, so we kept that answer. To use this one instead, press the button again"
DELETED = "Your answers have been deleted"
NOT_DONE = "We couldn’t do that just now. Please try again in a minute"
NO_DEALS = "No deal on our list matches these figures today. An adviser can look further for you"
DEALS_AWAY = "We couldn’t load the deals just now. You can carry on: an adviser can go through them with you"

MAX_TILES = 24
"""More would be too small to see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """A question and its answer in words; `href` is the page on which it is changed."""

    label: str
    words: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress(Immutable):
    """Progress at a page: tiles for questions answered, the current one and those left, and the same in words."""

    tiles: tuple[str, ...] = ()
    words: str = ""


def progress_at(flow: Flow, journey: Journey, *, step: str) -> Progress:
    """Return the progress at a step, or for an empty one at the check of answers; off the path none is answered."""
    before = [each.step for each in journey.done]
    if step:
        before = before[: journey.path.index(step)] if step in journey.path else []
    behind = sum(each.is_question for each in before)
    left = questions_left(flow)[step] if step else COMPLETE
    is_question = not step or flow.steps[step].is_question
    tiles = (DONE,) * behind + (HERE,) + (AHEAD,) * max(left.most - is_question, 0)
    return Progress(
        tiles=_fitting(tiles, behind), words=_words(behind, left, is_question=is_question) if step else "Last step"
    )


def _fitting(tiles: tuple[str, ...], behind: int) -> tuple[str, ...]:
    """Return at most MAX_TILES tiles, with the current one in proportion."""
    if len(tiles) <= MAX_TILES:
        return tiles
    place = round(behind / (len(tiles) - 1) * (MAX_TILES - 1))
    return (DONE,) * place + (HERE,) + (AHEAD,) * (MAX_TILES - 1 - place)


def _words(behind: int, left: QuestionsLeft, *, is_question: bool) -> str:
    least, most = left.least - is_question, left.most - is_question
    ahead = f"{least} to {most} left" if least < most else f"{most} left" if most else "This is the last one"
    return f"Question {behind + 1}. {ahead}." if is_question else f"{behind} answered. {ahead}."


def answer_rows(journey: Journey, before: str = "") -> tuple[AnswerRow, ...]:
    """Return the answers of a journey in order, only those before a step of the path if one is given."""
    done = journey.done
    if before:
        done = done[: journey.path.index(before)] if before in journey.path else ()
    return tuple(
        AnswerRow(label=line.label, words=line.words, href=f"{routes.question(each.step.id)}?{CHANGE}=yes")
        for each in done
        for line in each.lines
    )


def figure_id(key: str) -> str:
    """Return the id of the field of an input."""
    return f"figure-{key}"


def field_of(step: Step, key: str = "") -> str:
    """Return the id of the field of an input by its key, or of the first card of a choice; else empty."""
    if isinstance(step.asks, Choice):
        return step.asks.options[0].key
    return figure_id(key) if key else ""


def back_to(journey: Journey, step: str) -> str:
    """Return the page before a step of the path, or before the page that checks the answers; empty for the first."""
    if not step:
        return routes.question(journey.done[-1].step.id) if journey.done else ""
    before = journey.step_before(step)
    return routes.question(before) if before else ""


def page_of(step: Step | None) -> str:
    """Return the page of a step, or the page that checks the answers for None."""
    return routes.question(step.id) if step else routes.CHECK_ANSWERS


def page_after(journey: Journey, step: str, *, changing: bool) -> str:
    """Return the page that an answered step leads to: the next one, or where the visitor was before changing it."""
    path = journey.path
    if changing or step not in path or step == path[-1]:
        return page_of(journey.current)
    return routes.question(path[path.index(step) + 1])


def search_basis(search: RateSearch) -> str:
    """Return the sentence that says what a list of deals is for: loan, property, loan to value and term."""
    query = search.query
    return (
        f"For {pounds(query.amount)} on a property worth {pounds(query.price)} "
        f"({ltv_text(query.amount, query.price)} LTV), "
        f"over {query.term} years. Your next answers may change this list."
    )
