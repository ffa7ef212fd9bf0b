from datetime import date

import pytest

from broker.cases.case import Service, Source
from broker.cases.origin import Origin, origin_of, pounds_in, service_of, source_of
from broker.documents.document import Document
from broker.enquiries.enquiry import Attachment, EnquiryKind
from tests.unit.cases.cases import case

PAGES = {
    "/tools/rates/": (Source.RATES, None),
    "/remortgaging/rates/": (Source.RATES, Service.REMORTGAGE),
    "/plan/remortgaging/": (Source.PLANS, Service.REMORTGAGE),
    "/plan/buying/": (Source.PLANS, Service.FIRST_HOME),
    "/mortgage-guides/what-is-ltv/": (Source.GUIDES, None),
    "/first-time-buyer/guides/": (Source.GUIDES, Service.FIRST_HOME),
    "/mortgage-broker-hull/": (Source.TOWNS, None),
    "/tools/calculators/buy-to-let-rent/": (Source.CALCULATORS, Service.LANDLORD),
    "/contact/": (Source.CONTACT, None),
    "/questionnaire/check/": (Source.QUESTIONNAIRE, None),
    "/home-mover/": (Source.OTHER, Service.MOVING),
    "/": (Source.OTHER, None),
}


@pytest.mark.parametrize("page", PAGES)
def test_source_and_service_follow_from_the_page(page: str) -> None:
    assert (source_of(page), service_of(page)) == PAGES[page]


def with_result(address: str) -> Attachment:
    return Attachment(document=Document(title="A plan", subtitle="", sections=(), address=address, file_name="a.pdf"))


RESULTS = {
    "/plan/remortgaging/?balance=212400&value=346000&end=2027-02-28": (212_400, date(2027, 2, 28)),
    "/plan/buying/?price=250000&deposit=25000.50": (225_000, None),
    "/tools/rates/?price=250000&amount=148000": (148_000, None),
    "/tools/calculators/borrow/?income1=40000": (None, None),
    "/plan/remortgaging/?balance=none&end=soon": (None, None),
}


@pytest.mark.parametrize("address", RESULTS)
def test_amount_and_end_of_the_deal_are_those_of_the_attached_result(address: str) -> None:
    asked = case().kept.enquiry
    kept = type(asked)(kind=asked.kind, contact=asked.contact, consent=asked.consent, attachment=with_result(address))
    found = origin_of(kept, "/contact/")
    assert (found.amount, found.deal_ends) == RESULTS[address]


ANSWERS = {
    "a remortgage": ({"Mortgage for": "Remortgage", "Mortgage left": "£150,000"}, Service.REMORTGAGE, 150_000),
    "a purchase to let": (
        {"Mortgage for": "Purchase", "Use": "Buy to Let", "Property value": "£250,000", "Deposit": "£62,500"},
        Service.LANDLORD,
        187_500,
    ),
    "no figures": ({"Mortgage for": "Purchase"}, Service.OTHER, None),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_amount_and_service_are_those_of_the_answers(name: str) -> None:
    answers, service, amount = ANSWERS[name]
    asked = case(answers=answers, kind=EnquiryKind.QUESTIONNAIRE).kept.enquiry
    assert origin_of(asked, "/") == Origin(source=Source.QUESTIONNAIRE, service=service, amount=amount)


def test_pounds_are_read_as_they_are_written() -> None:
    written = {"£148,000": 148_000, "148000": 148_000, "148000.50": 148_000}
    refused = dict.fromkeys(("", "0", "about 5", "1,48,000", "9" * 12))
    assert {text: pounds_in(text) for text in (*written, *refused)} == written | refused
