"""The pages that the edge fills (`web.filling`): exported with marks in place of what only a request brings."""

from __future__ import annotations

from broker.pages import content, new_guide, question_again, sending_answers, thank_you, your_enquiry
from broker.pages.registry import BuildInputs, Page


def unfilled_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return every page that the edge fills; no address leads to them."""
    families = (new_guide, content, thank_you, your_enquiry, question_again, sending_answers)
    return tuple(page for family in families for page in family.unfilled_pages(inputs))
