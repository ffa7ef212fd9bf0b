"""Conversions between a RatesQuery, the parameters of a URL, and the fields of the search form."""

import re
from collections.abc import Iterable, Mapping

from broker import routes
from broker.lenders.lender import KnownLender
from broker.lending.arithmetic import SPACES, half_width, matches
from broker.lending.money import MAX_POUNDS, MAX_TEXT_LENGTH, NO_AMOUNT, amount_in, pounds
from broker.rates.customers import RULES, Option, default_query
from broker.rates.filters import FILTERS
from broker.rates.query import AMOUNT, PRICE, TERM, QueryError, RatesQuery, SortOrder, field_problems, whole_pounds

COMPARE, PRODUCT = "compare", "product"
"""Parameters beside the search: the ids of compared products, separated by commas, and of the open one."""

CUSTOMER = "customer"
"""The parameter of a file that names the customer type; a page has it in its path."""

MAX_ID_LENGTH = 80
"""Characters of a product's id."""

PAGE = "page"
"""The parameter of the page of the list, from 1."""

RATE, PERIOD, PURPOSE, REPAY, PROPERTY, SORT = "rate", "period", "for", "repay", "property", "sort"

LENDER, FEES = "lender", "fees"
"""The parameters of the filters that have values: a lender's id, and a value of `FEES_OPTIONS`."""

UNKNOWN_LENDER = "We don’t have the lender of this address for this search, so all lenders are listed. "

ON = "1"
"""The value of a parameter of `FILTERS` that is on."""

NO_FEE, ANY_FEE = "none", "any"

FEES_OFFERED = (500, 1_000, 1_500, 2_000)
"""Highest fees that the fees filter offers, in pounds."""

FEES_OPTIONS = (
    ("", "Any fee"),
    (ANY_FEE, "Any fee, or no fee"),
    (NO_FEE, "No lender fee"),
    *((str(most), f"Up to {pounds(most)}") for most in FEES_OFFERED),
)
"""Each value of the fees parameter with its label; the first leaves out products without a fee (specification 9)."""

_FEE_FREE = "feefree"
"""The parameter that older links have in place of `ANY_FEE`."""

CHOICES = {
    RATE: ("fixed", "variable"),
    PERIOD: ("2", "3", "5"),
    PURPOSE: (Option.PURCHASE.value, Option.REMORTGAGE.value),
    REPAY: (Option.REPAYMENT.value, Option.INTEREST_ONLY.value),
    PROPERTY: (Option.RESIDENTIAL.value, Option.BUY_TO_LET.value),
    SORT: tuple(order.value for order in SortOrder),
    FEES: tuple(value for value, _ in FEES_OPTIONS),
    **{each.parameter: ("", ON) for each in FILTERS},
}
"""Parameters with a fixed set of values; the first is the general search's default."""

FIELDS = (PRICE, AMOUNT, TERM, *CHOICES, LENDER)
_MAX_LENDER_LENGTH = 9
_MAX_PAGE_DIGITS = 5


def form_of(query: RatesQuery) -> dict[str, str]:
    """Return the form's text for a query, by parameter name."""
    return {
        PRICE: f"{query.price:,}",
        AMOUNT: f"{query.amount:,}",
        TERM: str(query.term),
        RATE: "fixed" if query.fixed else "variable",
        PERIOD: str(query.period),
        PURPOSE: Option.PURCHASE.value if query.purchase else Option.REMORTGAGE.value,
        REPAY: Option.REPAYMENT.value if query.repayment else Option.INTEREST_ONLY.value,
        PROPERTY: Option.RESIDENTIAL.value if query.residential else Option.BUY_TO_LET.value,
        SORT: query.sort.value,
        FEES: _fees_value(query),
        **{each.parameter: ON if each.parameter in query.filters else "" for each in FILTERS},
        LENDER: "" if query.lender_id is None else str(query.lender_id),
    }


def _fees_value(query: RatesQuery) -> str:
    if query.most_fees is None:
        return ANY_FEE if query.with_fee_free else ""
    return str(query.most_fees) if query.most_fees else NO_FEE


def typed_form(base: RatesQuery, parameters: Mapping[str, object]) -> dict[str, str]:
    """Return the form of a query with the given values; unknown names and values are ignored.

    Figures are as a field shows them. Other typed text is cut at a length at which no number is valid, so that a longer
    one is an error too.
    """
    form = form_of(base)
    if parameters.get(_FEE_FREE) == ON:
        form[FEES] = ANY_FEE
    for name in FIELDS:
        value = parameters.get(name)
        if isinstance(value, str) and _accepts(base.customer, name, value=value):
            form[name] = value if name in CHOICES or name == LENDER else _displayed(name, value)
    return form


def _displayed(name: str, text: str) -> str:
    """Return a typed text as a field shows it, as `js/search_form.js` does: whole pounds with commas, whole years."""
    if name == TERM:
        years = re.fullmatch(r"([0-9]+)(?:\.0{0,2})?", re.sub(f"[{SPACES}]", "", half_width(text)))
        shown = (years[1].lstrip("0") or "0") if years else text
    else:
        is_shown = not matches(text, NO_AMOUNT) and amount_in(text) >= 0 and whole_pounds(text) < MAX_POUNDS
        shown = f"{int(whole_pounds(text)):,}" if is_shown else text
    return shown[:MAX_TEXT_LENGTH]


def _accepts(customer: str, name: str, *, value: str) -> bool:
    """Return whether a field of a customer type's form accepts a text; a typed field accepts any."""
    if name == LENDER:
        return is_lender(value)
    return name not in CHOICES or (value in CHOICES[name] and value not in RULES[customer].excluded)


def query_of(customer: str, form: Mapping[str, str]) -> RatesQuery:
    """Return the query of a form that `typed_form` made; raises QueryError."""
    problems = field_problems(form[PRICE], form[AMOUNT], term=form[TERM])
    wrong = {name: problem for name, problem in problems.items() if problem}
    if wrong:
        raise QueryError(wrong)
    return RatesQuery(
        customer=customer,
        price=int(whole_pounds(form[PRICE])),
        amount=int(whole_pounds(form[AMOUNT])),
        term=int(form[TERM]),
        fixed=form[RATE] == "fixed",
        variable=form[RATE] == "variable",
        two_years=form[PERIOD] == "2",
        three_years=form[PERIOD] == "3",
        five_years=form[PERIOD] == "5",
        purchase=form[PURPOSE] == Option.PURCHASE.value,
        repayment=form[REPAY] == Option.REPAYMENT.value,
        residential=form[PROPERTY] == Option.RESIDENTIAL.value,
        sort=SortOrder(form[SORT]),
        with_fee_free=form[FEES] in (ANY_FEE, NO_FEE),
        most_fees=0 if form[FEES] == NO_FEE else int(form[FEES]) if form[FEES].isdigit() else None,
        filters=frozenset(each.parameter for each in FILTERS if form[each.parameter] == ON),
        lender_id=int(form[LENDER]) if form[LENDER] else None,
    )


def query_in(customer: str, parameters: Mapping[str, object]) -> RatesQuery:
    """Return the query in a URL's parameters; raises QueryError."""
    return query_of(customer, typed_form(default_query(customer), parameters))


def query_or_default(customer: str, parameters: Mapping[str, object]) -> RatesQuery:
    """Return the query in a URL's parameters; if a figure is invalid, all three take the page's defaults."""
    try:
        return query_in(customer, parameters)
    except QueryError:
        return query_in(
            customer, {name: value for name, value in parameters.items() if name not in (PRICE, AMOUNT, TERM)}
        )


def parameters_of(query: RatesQuery) -> dict[str, str]:
    """Return the URL parameters of a query: those that differ from its page's defaults, without commas."""
    opening, form = form_of(default_query(query.customer)), form_of(query)
    return {name: form[name].replace(",", "") for name in FIELDS if form[name] != opening[name]}


def search_address(query: RatesQuery, *, page: int = 1, product: str = "") -> str:
    """Return the address of a query, with the page of its list and the id of the product that is open."""
    more = ({PAGE: str(page)} if page > 1 else {}) | ({PRODUCT: product} if product else {})
    return routes.with_query(routes.deals(query.customer), parameters_of(query) | more)


def details_opener(query: RatesQuery, page: int = 1) -> str:
    """Return the address of a query that shows a product in full, up to where the id follows."""
    address = search_address(query, page=page)
    return f"{address}{'&' if '?' in address else '?'}{PRODUCT}="


def download_address(query: RatesQuery) -> str:
    """Return the address of the list of a search as a CSV file."""
    customer = {CUSTOMER: query.customer} if query.customer else {}
    return routes.with_query(routes.RATES_CSV, customer | parameters_of(query))


def pdf_address(query: RatesQuery, *, page: int = 1) -> str:
    """Return the address of the list of a search as a PDF, up to a page."""
    path, mark, parameters = search_address(query, page=page).partition("?")
    return path + routes.RESULT_PDF + mark + parameters


def product_in(parameters: Mapping[str, object]) -> str:
    """Return the id of the open product in a URL's parameters, or an empty text."""
    product = parameters.get(PRODUCT)
    return product if isinstance(product, str) and len(product) <= MAX_ID_LENGTH else ""


def page_in(parameters: Mapping[str, object]) -> int:
    """Return the page in a URL's parameters: 1 for anything but a whole number from 1."""
    value = parameters.get(PAGE)
    if not isinstance(value, str) or not (value.isascii() and value.isdigit() and len(value) <= _MAX_PAGE_DIGITS):
        return 1
    return max(1, int(value))


def known_customer(customer: object) -> str:
    return customer if isinstance(customer, str) and customer in RULES else ""


def offered_lenders(customer: str, lenders: Iterable[KnownLender]) -> dict[int, str]:
    """Return the lenders that a customer type may choose, id to name, by name; the general search has them all."""
    residential = default_query(customer).residential
    return {
        lender.lender_id: lender.name
        for lender in sorted(lenders, key=lambda lender: lender.name.casefold())
        if lender.lender_id and (not customer or (lender.residential if residential else lender.buy_to_let))
    }


def is_lender(value: str) -> bool:
    """Return whether a text may be a lender's id; the empty text means any lender."""
    return not value or (value.isascii() and value.isdigit() and len(value) <= _MAX_LENDER_LENGTH and value[0] != "0")


def known_lender(parameters: Mapping[str, object], names: Mapping[int, str]) -> dict[str, object]:
    """Return the parameters without a lender that is not offered; `names` maps offered ids to names."""
    lender = parameters.get(LENDER)
    known = isinstance(lender, str) and is_lender(lender) and (not lender or int(lender) in names)
    return {name: value for name, value in parameters.items() if name != LENDER or known}


def lender_note(parameters: Mapping[str, object], known: Mapping[str, object]) -> str:
    """Return the sentence on a lender that `known_lender` left out of the parameters; empty for none."""
    return UNKNOWN_LENDER if parameters.get(LENDER) and LENDER not in known else ""


def filters_words(query: RatesQuery, names: Mapping[int, str]) -> str:
    """Return which filters are on: `from Halifax, with fees up to £1,000`; empty if none is."""
    words = (
        f"from {names.get(query.lender_id, 'one lender')}" if query.lender_id is not None else "",
        _fees_words(query.most_fees),
        *(each.words for each in FILTERS if each.parameter in query.filters),
    )
    return ", ".join(word for word in words if word)


def _fees_words(most: int | None) -> str:
    if most is None:
        return ""
    return f"with fees up to {pounds(most)}" if most else "with no lender fee"
