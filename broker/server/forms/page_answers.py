"""The pages that are worked out for their address: rates searches, calculators, plans, and the result to send."""

from broker import routes
from broker.server.forms.attachments import contact_page
from broker.server.forms.buying_plan_answers import buying_plan_handlers
from broker.server.forms.calculator_answers import calculator_handlers
from broker.server.forms.remortgage_plan_answers import remortgage_plan_handlers
from broker.server.forms.search_answers import search_handlers
from broker.server.releases import LiveExport
from broker.server.response import Handler


def page_handlers(live: LiveExport, *, firm: str) -> dict[str, Handler]:
    """Return the handler of each such page by its path; the calendar file of the plan names the firm."""
    plans = buying_plan_handlers(live) | remortgage_plan_handlers(live, firm=firm)
    return search_handlers(live) | calculator_handlers(live) | plans | {routes.CONTACT: contact_page(live)}
