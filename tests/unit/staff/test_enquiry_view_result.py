from dataclasses import astuple

from broker import routes
from broker.calculators.calculator import Calculator
from broker.calculators.registry import CALCULATORS
from broker.documents.document import BarChart, Document, LineChart, Links, Section
from broker.documents.plans import calculator_document
from broker.enquiries.enquiry import Attachment
from broker.staff.enquiry_view import ResultPart, ResultView, result_views
from tests.unit.staff.staff_cases import REFERENCE


def texts(value: object) -> set[str]:
    """Return every text in nested values."""
    if isinstance(value, str):
        return {value}
    return set().union(*map(texts, value)) if isinstance(value, tuple | list) else set()


def shown(calculator: Calculator) -> tuple[set[str], ResultView]:
    """Return the texts of the sections of a calculator's document, and the view of it."""
    document = calculator_document(calculator, {})
    assert document is not None
    sections = (Section(parts=document.beside), *document.sections)
    parts = [part for section in sections for part in section.parts if not isinstance(part, LineChart)]
    titles = {section.title for section in document.sections}
    tones = {bar.tone for part in parts if isinstance(part, BarChart) for bar in part.bars}
    kinds = {part.kind for part in parts}
    wanted = titles | {text for part in parts for text in texts(astuple(part))} | texts(document.figures)
    (view,) = result_views(Attachment(document=document), REFERENCE)
    addresses = {address for part in parts if isinstance(part, Links) for _, address, _ in part.links}
    return wanted - tones - kinds - addresses, view


def test_every_text_of_every_calculator_is_shown() -> None:
    for calculator in CALCULATORS:
        wanted, view = shown(calculator)
        assert wanted - texts(astuple(view)) == set(), calculator.slug
        assert view.address == routes.calculator(calculator.slug)
        assert view.pdf == f"/staff/enquiry/result.pdf?reference={REFERENCE}"


def test_links_are_shown_with_what_follows_them() -> None:
    link = ("Stamp Duty Land Tax", "https://www.gov.uk/stamp-duty-land-tax", "Since 1 April 2025.")
    sources = Section(title="Sources", parts=(Links(title="The rules", links=(link,)),))
    document = Document(title="Stamp duty", address="/", file_name="", sections=(sources,))
    (view,) = result_views(Attachment(document=document), REFERENCE)
    assert view.parts == (ResultPart(heading="Sources", title="The rules", rows=((link[0], link[2]),)),)


def test_lost_result_is_explained_and_a_missing_one_has_no_section() -> None:
    assert result_views(None, REFERENCE) == ()
    (lost,) = result_views(Attachment(), REFERENCE)
    assert (lost.title, bool(lost.problem)) == ("", True)
