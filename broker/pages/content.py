"""Pages of text from the content store: about us, questions, legal pages and the like."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import groupby

import reflex as rx

from broker.components.messages import note
from broker.components.questions import questions
from broker.components.text import markup
from broker.content.model import ContentPage, Faq, PageKind
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page
from broker.sections.reviews import reviews

ELSEWHERE = (PageKind.GUIDES, PageKind.LOCAL)
"""Kinds whose text stands on a page with a list: `broker.pages.guides` and `towns` draw those."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return a page for every page of text in the store."""
    return tuple(
        Page(
            route=page.path,
            title=page.meta_title,
            description=page.description,
            render=partial(_render, inputs, page),
            lastmod=page.updated.isoformat(),
        )
        for page in inputs.store.pages()
        if page.kind not in ELSEWHERE
    )


def _render(inputs: BuildInputs, page: ContentPage) -> rx.Component:
    updated = rx.el.p(f"Updated on {page.updated:%-d %B, %Y}", class_name="by")
    draft = note("Draft", "These words wait for a compliance officer to approve them.", tone="warn")
    return layout(
        inputs,
        page.path,
        banner(page.title, page.summary, updated),
        rx.el.div(
            *([draft] if page.draft else []),
            markup(page.html),
            *_groups(page.faqs),
            *_reviews(inputs, page),
            class_name="wrap band-s stack loose",
        ),
    )


def _groups(faqs: Iterable[Faq]) -> list[rx.Component]:
    """Draw questions under the headings of their groups."""
    return [
        rx.el.section(
            *([rx.el.h2(group)] if group else []),
            questions((faq.question, faq.answer) for faq in grouped),
            class_name="stack text-width",
        )
        for group, grouped in groupby(faqs, key=lambda faq: faq.group)
    ]


def _reviews(inputs: BuildInputs, page: ContentPage) -> list[rx.Component]:
    if page.kind is not PageKind.REVIEWS:
        return []
    return [
        rx.el.section(
            rx.el.h2("Reviews"), reviews(inputs.store.reviews(), inputs.store.site().reviews), class_name="stack"
        )
    ]
