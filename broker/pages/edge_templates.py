"""Pages that are exported as Jinja2 templates, which the edge renders for a request."""

from broker.pages import answers_refused, question_errors, thank_you, your_enquiry
from broker.pages.articles import text_pages, unbuilt_guide
from broker.pages.registry import BuildInputs, Page


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the pages of all templates; no URL leads to them."""
    families = (unbuilt_guide, text_pages, thank_you, your_enquiry, question_errors, answers_refused)
    return tuple(page for family in families for page in family.template_pages(inputs))
