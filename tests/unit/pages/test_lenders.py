"""Lender pages: one button leads to the search of the lender's deals."""

import re
from dataclasses import replace

from broker import routes
from broker.domain.rates.customers import Customer, default_query
from broker.pages.rates import lenders
from broker.presenters.rates.rate_blocks import RateBlocks
from broker.presenters.rates.search_params import search_address
from tests.unit.pages.whole_site import inputs

LINK = re.compile(r"'ReactRouterLink', 'props': \[([^\]]*)\]")


def test_page_of_every_kind_of_lender_has_one_button_to_its_search() -> None:
    made = replace(inputs(), lender_rates=lambda *_: RateBlocks())
    pages = {page.route: page for page in lenders.pages(made)}
    for lender in {each.kind: each for each in made.lenders if each.lender_id}.values():
        links = LINK.findall(str(pages[routes.lender(lender.slug)].render().render()))
        searches = [link for link in links if f"lender={lender.lender_id}" in link]
        own = search_address(
            replace(default_query("" if lender.residential else Customer.BUY_TO_LET), lender_id=lender.lender_id)
        )
        (button,) = (link for link in searches if "btn" in link)
        assert f'to:"{own}"' in button, lender.name


def test_lender_with_labels_for_its_customers_links_to_each_search() -> None:
    made = replace(inputs(), lender_rates=lambda *_: RateBlocks())
    lender = next(each for each in made.lenders if each.lender_id and not each.residential)
    page = next(page for page in lenders.pages(made) if page.route == routes.lender(lender.slug))
    drawn = str(page.render().render())
    for customer in (Customer.BUY_TO_LET_PURCHASE, Customer.BUY_TO_LET_REMORTGAGE):
        assert search_address(replace(default_query(customer), lender_id=lender.lender_id)) in drawn
