from typing import Any

import pytest

from broker.rates.feed.errors import DEFAULT_FAULT, FeedFaultError, FeedStatusError
from tests.unit.rates.feed.answers import answer, body, fault, row, schemes
from tests.unit.rates.feed.recorded import RATES, read_as

FAULTS: dict[str, tuple[Any, str]] = {
    "a fault": (fault("Invalid LTV"), "Invalid LTV"),
    "a fault without words": (fault({}), DEFAULT_FAULT),
    "a fault with an empty list of words": (fault([]), DEFAULT_FAULT),
    "a fault with its language": (fault({"@value": "Invalid LTV", "@attributes": {"xml:lang": "en"}}), "Invalid LTV"),
    "a fault with tags": (fault("<b>Invalid</b> <script>x</script>LTV &amp; term"), "Invalid LTV & term"),
    "a fault with its envelope": (
        {"s:Envelope": {"s:Body": {"s:Fault": {"faultstring": "Invalid LTV"}}}},
        "Invalid LTV",
    ),
    "a fault by itself": ({"Fault": {"faultstring": "Invalid LTV"}}, "Invalid LTV"),
    "a fault as a list": ({"Body": [{"Fault": [{"faultstring": ["Invalid LTV"]}]}]}, "Invalid LTV"),
    "an error in the response": ({"error": "Too many searches"}, "Too many searches"),
    "an error with a message": ({"error": {"message": "Too many searches"}}, "Too many searches"),
}


def fault_in(tree: Any, status: int = 200) -> FeedFaultError:
    with pytest.raises(FeedFaultError) as raised:
        read_as(RATES, status, body=body(tree))
    return raised.value


def test_fault_carries_its_words() -> None:
    for name, (tree, words) in FAULTS.items():
        for error in (fault_in(tree), fault_in(tree, 500)):
            assert (error.words, str(error)) == (words, f"get_rates: fault: {words}"), name


OUTCOMES: dict[str, tuple[Any, str]] = {
    "an outcome with words": (schemes([], GetSchemesExResult="7", strMessage="No licence"), "No licence"),
    "an outcome without words": (schemes({}, GetSchemesExResult="7"), "The service answered with code 7."),
    "a status of its own": (
        schemes("", GetSchemesExResult={"a:ReturnStatus": "Failed"}),
        "The service answered with code Failed.",
    ),
    "a status beside the list": (
        schemes("", GetSchemesExResult={}, ReturnStatus="Failed"),
        "The service answered with code Failed.",
    ),
}


def test_failed_outcome_without_rows_is_a_fault() -> None:
    found = {name: fault_in(tree).words for name, (tree, _) in OUTCOMES.items()}
    assert found == {name: words for name, (_, words) in OUTCOMES.items()}


def test_long_words_are_cut() -> None:
    assert len(fault_in(fault("word " * 1_000)).words) == 300


def test_outcome_is_not_read_where_there_are_rows() -> None:
    assert len(read_as(RATES, 200, body=body(answer(row(), GetSchemesExResult="7"))).products) == 1


def test_outcome_of_success_or_none_is_accepted() -> None:
    for outcome in ("0", "OK", "Success", "", None, {}):
        assert read_as(RATES, 200, body=body(schemes([], GetSchemesExResult=outcome))).products == (), outcome


STATUSES: dict[str, tuple[int, bytes, str]] = {
    "an HTML page": (502, b"<html>Bad Gateway</html>", "answered 502"),
    "an empty body": (503, b"", "answered 503"),
    "a redirect": (302, b"", "answered 302"),
    "WordPress's own error": (
        404,
        body({"code": "rest_no_route", "message": "No route"}),
        "answered 404 (rest_no_route)",
    ),
    "a code with spaces": (500, body({"code": "see <b>this</b>"}), "answered 500"),
    "an error inside a success": (
        200,
        body({"code": "rest_no_route", "message": "No route", "data": {"status": 404}}),
        "answered 404 (rest_no_route)",
    ),
}


def test_error_names_the_status() -> None:
    for name, (status, content, words) in STATUSES.items():
        with pytest.raises(FeedStatusError) as raised:
            read_as(RATES, status, body=content)
        assert str(raised.value) == f"get_rates: {words}", name
