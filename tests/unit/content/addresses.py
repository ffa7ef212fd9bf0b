"""The addresses that the content may link to."""

from __future__ import annotations

from broker import routes
from broker.content.store import ContentStore
from broker.domain.rates.customers import Customer


def addresses(store: ContentStore) -> set[str]:
    """Return the canonical paths of the content's own pages, and of the pages that the site adds."""
    own = {page.path for page in (*store.pages(), *store.deal_pages())} | {
        routes.service(service.slug) for service in store.services()
    }
    return own | {routes.deals(customer) for customer in Customer} | {routes.HOME, routes.RATES, routes.CALCULATORS}
