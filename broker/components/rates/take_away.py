"""What takes a list of deals away: its PDF, an enquiry, a CSV and a link."""

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.components.jinja import when
from broker.components.share import adviser_link, pdf_link, share_link
from broker.presenters.rates.search.shown_search import ShownSearch


def to_take_away(customer: str, shown: ShownSearch) -> rx.Component:
    """Draw the links to the list as a PDF, for an adviser and as a CSV where anything was found, and "Copy link"."""
    pdf, look = routes.deals(customer) + routes.RESULT_PDF, "btn line s"
    links = rx.fragment(
        pdf_link("this list", shown.pdf, look=look),
        adviser_link("this list", pdf, look=look, address=shown.adviser),
        A.create("Download this list (CSV)", href=shown.download, download=True, class_name=look),
    )
    return rx.el.div(when(shown.is_listed, links), share_link("this search"), class_name="row")
