from typing import Any

from broker.rates.feed.errors import FeedError
from broker.rates.feed.lenders import Logos
from broker.rates.feed.products import ParsedProducts
from broker.rates.feed.saved_rates import SavedLtvRates, SavedRates
from tests.unit.rates.feed.recorded import names, recorded

FAULT = "fault: The loan amount is outside the permitted range."
EVERY_TYPE = ("buy-to-let", "buy-to-let-purchase", "buy-to-let-remortgage")
EVERY_TYPE += ("first-time-buyer", "home-mover", "remortgaging")
BY_LTV = {50: 1, 75: 1, 90: 1}
LENDERS = {
    101: "Alder Mutual (sample)",
    102: "Birch & Stone Building Society (sample)",
    103: "Cedar Bank (sample)",
    104: "Dunmore Building Society (sample)",
    105: "Elm Tree Home Loans (sample)",
    106: "Fern’s Bank (sample)",
    107: "Gorse Lending Ltd (sample)",
}

TABLE: dict[str, object] = {
    "faqs_empty": {},
    "faqs_null": {},
    "faqs_ok": {"buy-to-let": 1, "first-time-buyer": 2, "remortgaging": 2},
    "faqs_wp_error": "FeedStatusError faqs: answered 502 (http_request_failed)",
    "get_lenders_empty": {},
    "get_lenders_fault": f"FeedFaultError get_lenders: {FAULT}",
    "get_lenders_null": {},
    "get_lenders_ok": LENDERS,
    "get_lenders_warning": LENDERS,
    "get_lenders_warning_500": "FeedStatusError get_lenders: answered 500 (upstream_error)",
    "get_lenders_wp_error": "FeedStatusError get_lenders: answered 502 (http_request_failed)",
    "get_logos_empty": ({}, ()),
    "get_logos_fault": f"FeedFaultError get_logos: {FAULT}",
    "get_logos_no_param": ({}, ()),
    "get_logos_ok": ({101: ("image/png", 340), 102: ("image/png", 346)}, (107,)),
    "get_logos_ok_array_param": ({101: ("image/png", 340), 102: ("image/png", 346)}, ()),
    "get_logos_single": ({101: ("image/png", 340)}, ()),
    "get_rates_bad_json_body": "FeedStatusError get_rates: answered 400 (rest_invalid_json)",
    "get_rates_bad_xml_warning": "FeedParseError get_rates: answered false",
    "get_rates_empty": (0, 0, 0),
    "get_rates_fatal_accept_json": "FeedStatusError get_rates: answered 500 (internal_server_error)",
    "get_rates_fatal_display_accept_json": "FeedStatusError get_rates: answered 500 (internal_server_error)",
    "get_rates_fault": f"FeedFaultError get_rates: {FAULT}",
    "get_rates_json_body": (11, 2, 1),
    "get_rates_no_body": (11, 2, 1),
    "get_rates_ok": (11, 2, 1),
    "get_rates_ok_fees_sort": (11, 2, 1),
    "get_rates_single": (1, 0, 0),
    "get_rates_warning": (11, 2, 1),
    "get_rates_warning_500": "FeedStatusError get_rates: answered 500 (upstream_error)",
    "get_rates_warning_accept_json": (11, 2, 1),
    "get_rates_wp_error": "FeedStatusError get_rates: answered 502 (http_request_failed)",
    "get_saved_lenders_false": {},
    "get_saved_lenders_null": {},
    "get_saved_lenders_ok": ((101, LENDERS[101]), (102, LENDERS[102])),
    "get_saved_ltv_rates_empty": {},
    "get_saved_ltv_rates_lender": {103: BY_LTV},
    "get_saved_ltv_rates_ok": {lender: {50: 1, 75: 1} if lender == 104 else BY_LTV for lender in LENDERS},
    "get_saved_ltv_rates_unknown_lender": {},
    "get_saved_ltv_rates_warning": {103: BY_LTV},
    "get_saved_rates_empty": {},
    "get_saved_rates_fault": f"FeedFaultError get_saved_rates: {FAULT}",
    "get_saved_rates_ok": dict.fromkeys(EVERY_TYPE, (4, 2, 0)),
    "get_saved_rates_single": dict.fromkeys(EVERY_TYPE, (1, 0, 0)),
    "saved_rates_service_indexed": 0,
    "saved_rates_service_json_string": 0,
    "saved_rates_service_php_arrays": 2,
}
"""Products: how many are listed, how many fee-free ones are not, and how many rows made none (fees of -£250)."""


def test_every_recorded_answer_is_read() -> None:
    assert {name: outcome(name) for name in names()} == TABLE


def outcome(name: str) -> object:
    try:
        return summary(recorded(name).read())
    except FeedError as error:
        return f"{type(error).__name__} {error}"


def summary(read: Any) -> object:
    if isinstance(read, ParsedProducts):
        return (len(read.products), read.fee_free, read.dropped)
    if isinstance(read, SavedRates):
        return {customer: summary(reading) for customer, reading in read.by_type.items()}
    if isinstance(read, SavedLtvRates):
        return {
            lender: {ltv: len(products) for ltv, products in lists.items()} for lender, lists in read.by_lender.items()
        }
    if isinstance(read, Logos):
        return ({key: (logo.media_type, len(logo.data)) for key, logo in read.by_lender.items()}, tuple(read.faults))
    if isinstance(read, dict):
        return {kind: len(faqs) for kind, faqs in read.items()}
    if isinstance(read, tuple):
        named = tuple((one.lender_id, one.name) for one in read)
        return dict(named) if not read or hasattr(read[0], "short_name") else named
    return read
