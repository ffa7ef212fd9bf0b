"""Questions whose answers open without scripts."""

from collections.abc import Iterable

import reflex as rx

from broker.components.elements.messages import question
from broker.components.elements.text import markup
from broker.presenters.site_search import question_anchor


def questions(entries: Iterable[tuple[str, str]], *, first_open: bool = False) -> rx.Component:
    """Draw questions with the safe HTML of their answers; of equal ones the first has `question_anchor` as its id."""
    listed = list(entries)
    titles = [title for title, _ in listed]
    return rx.el.div(
        *(
            question(
                title,
                markup(answer, "answer"),
                is_open=first_open and place == 0,
                identity=question_anchor(title) if titles.index(title) == place else "",
            )
            for place, (title, answer) in enumerate(listed)
        )
    )


def faq_band(title: str, content: rx.Component, *lead: rx.Component) -> rx.Component:
    """Draw a band of the page with its heading and `lead` on one side and the questions on the other."""
    return rx.el.section(
        rx.el.div(
            rx.el.div(rx.el.h2(title, id="questions"), *lead, class_name="stack"), content, class_name="wrap side wide"
        ),
        class_name="band white",
        aria_labelledby="questions",
    )
