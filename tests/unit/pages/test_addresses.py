from broker import routes
from broker.pages import all_pages
from tests.unit.content.addresses import addresses
from tests.unit.pages.whole_site import inputs

UNLINKED = {
    *(routes.THANK_YOU, routes.YOUR_APPOINTMENT, routes.WATCH_SENT, routes.TEST, routes.HOME2, routes.NOT_FOUND)
}
"""Pages that no text leads to (decision 8), beside the questions after the first, and the staff area."""


def test_content_may_link_to_every_page_that_the_site_has_and_to_no_other() -> None:
    pages = {page.route for page in all_pages(inputs())}
    questions = {path for path in pages if path.startswith(routes.QUESTIONNAIRE)} - {routes.QUESTIONNAIRE}
    staff = {path for path in pages if path.startswith((routes.STAFF, routes.UPDATE_LENDERS))}
    assert set(addresses(inputs().store)) == pages - UNLINKED - questions - staff
