"""Answers of the sourcing service, made to measure."""

import json
from typing import Any

GOOD: dict[str, Any] = {
    "APRC": "6.0600",
    "InitialMonthlyPayment": "538.38",
    "InitialRate": "4.19",
    "InitialRateControlPeriod": "24",
    "LTV": "60",
    "LenderID": "103",
    "LenderName": "Cedar Bank",
    "LoanAmount": "100000",
    "NYearCostIncFeesExERC": "13920.12",
    "Note": "Two years fixed",
    "Notes": "<p>Free valuation</p>",
    "RateDescription": "<b>Fixed</b> for two years",
    "RepaymentBasis": "Repayment",
    "Term": "25",
    "TotalFees": "999.00",
}
"""A row that makes a product, every value a text as PHP has it."""


def row(**changes: Any) -> dict[str, Any]:
    return {**GOOD, **changes}


def without(*fields: str) -> dict[str, Any]:
    return {name: value for name, value in GOOD.items() if name not in fields}


def answer(rows: Any, **response: Any) -> dict[str, Any]:
    """Return an answer of call 5; `rows` is whatever stands under the list element."""
    return schemes({"MBPublicSchemeSummaryEX": rows}, **response)


def schemes(held: Any, **response: Any) -> dict[str, Any]:
    """Return an answer of call 5; `held` is whatever stands under objSchemes."""
    return {"Body": {"GetSchemesExResponse": {"GetSchemesExResult": "0", "objSchemes": held, **response}}}


def fault(faultstring: Any) -> dict[str, Any]:
    return {"Body": {"Fault": {"faultcode": "s:Client", "faultstring": faultstring}}}


def body(tree: Any) -> bytes:
    return json.dumps(tree).encode("utf-8")


XML = """<?xml version="1.0" encoding="utf-8"?>
<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
<GetSchemesExResponse xmlns="http://example.invalid/mb"><GetSchemesExResult>0</GetSchemesExResult>
<objSchemes xmlns:a="http://example.invalid/data" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">{rows}</objSchemes>
</GetSchemesExResponse></s:Body></s:Envelope>"""


def xml(*rows: dict[str, str]) -> bytes:
    """Return an answer of call 5 as the service itself writes it; values are XML, not text."""
    written = "".join(
        f"<a:MBPublicSchemeSummaryEX>{''.join(f'<a:{name}>{value}</a:{name}>' for name, value in fields.items())}"
        "</a:MBPublicSchemeSummaryEX>"
        for fields in rows
    )
    return XML.format(rows=written).encode("utf-8")
