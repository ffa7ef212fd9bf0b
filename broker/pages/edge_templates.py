"""The pages that the edge fills (`web.serving.filling`): exported with marks in place of what only a request brings."""

from __future__ import annotations

from broker.pages import answers_refused, question_errors, thank_you, your_enquiry
from broker.pages.articles import text_pages, unbuilt_guide
from broker.pages.registry import BuildInputs, Page


def unfilled_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return every page that the edge fills; no address leads to them."""
    families = (unbuilt_guide, text_pages, thank_you, your_enquiry, question_errors, answers_refused)
    return tuple(page for family in families for page in family.unfilled_pages(inputs))
