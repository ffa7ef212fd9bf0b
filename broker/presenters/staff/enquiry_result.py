"""The result that a visitor attached to an enquiry, for staff: the document as it was sent, a part after the other."""

from dataclasses import dataclass

from broker import routes
from broker.domain.documents import BarChart, Document, LineChart, Part, Section, Steps, Table
from broker.domain.enquiries.attachment import Attachment
from broker.domain.questionnaire.answers import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPart:
    """A part of a document: a table, steps or a text, under the heading of its section where it is the first."""

    heading: str = ""
    caption: str = ""
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    steps: tuple[str, ...] = ()
    title: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """A result: `problem` where there is a word of one and it could not be attached; a title where it was.

    `address` is that of its page with the same figures, `pdf` of the document as it was sent.
    """

    problem: str = ""
    title: str = ""
    subtitle: str = ""
    label: str = ""
    figure: str = ""
    per: str = ""
    caption: str = ""
    figures: tuple[Line, ...] = ()
    parts: tuple[ResultPart, ...] = ()
    remarks: tuple[str, ...] = ()
    address: str = ""
    pdf: str = ""


def result_views(attachment: Attachment | None, reference: str) -> tuple[ResultView, ...]:
    """Return the result of an enquiry, or nothing: every page of the site loads the empty values of staff's pages."""
    if attachment is None:
        return ()
    if attachment.document is None:
        lost = "They wanted to attach a result, which could not be worked out when they sent this."
        return (ResultView(problem=lost),)
    return (_document_view(attachment.document, reference),)


def _document_view(document: Document, reference: str) -> ResultView:
    result = document.result
    return ResultView(
        title=document.title,
        subtitle=document.subtitle,
        label=result.label if result else "",
        figure=result.figure if result else "",
        per=result.per if result else "",
        caption=result.caption if result else "",
        figures=tuple(Line(label=name, words=value) for name, value in document.figures),
        parts=tuple(part for section in document.sections for part in _parts(section)),
        remarks=document.remarks,
        address=document.address,
        pdf=routes.with_query(routes.STAFF_RESULT, {"reference": reference}),
    )


def _parts(section: Section) -> list[ResultPart]:
    """Return the parts of a section; the figures of a line chart are in the table that follows it."""
    shown = [part for part in section.parts if not isinstance(part, LineChart)]
    return [_part(part, section.title if place == 0 else "") for place, part in enumerate(shown)]


def _part(part: Part, heading: str) -> ResultPart:
    match part:
        case Table():
            return ResultPart(heading=heading, caption=part.caption, heads=part.heads, rows=part.rows)
        case BarChart():
            return ResultPart(heading=heading, rows=tuple((bar.label, bar.figure) for bar in part.bars))
        case Steps():
            return ResultPart(heading=heading, steps=part.steps)
        case LineChart():
            return ResultPart(heading=heading, text=part.alternative)
    return ResultPart(heading=heading, title=part.title, text=part.text)
