"""The result that a visitor attached to an enquiry, for staff: the document as it was sent, a part after the other."""

from dataclasses import dataclass, replace

from broker import routes
from broker.domain.documents import BarChart, Document, LineChart, Links, Part, Section, Steps, Table, Text
from broker.domain.enquiries.attachment import Attachment
from broker.domain.questionnaire.answers import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPart:
    """A part of a document: a table, steps or a text, under the heading of its section where it is the first.

    `title` is the bold line above it.
    """

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
    result, sections = document.result, (Section(parts=document.beside), *document.sections)
    return ResultView(
        title=document.title,
        subtitle=document.subtitle,
        label=result.label if result else "",
        figure=result.figure if result else "",
        per=result.per if result else "",
        caption=result.caption if result else "",
        figures=tuple(Line(label=name, words=value) for name, value in document.figures),
        parts=tuple(part for section in sections for part in _parts(section)),
        remarks=document.remarks,
        address=document.address,
        pdf=routes.with_query(routes.STAFF_RESULT, {"reference": reference}),
    )


def _parts(section: Section) -> list[ResultPart]:
    parts = [shown for part in section.parts if (shown := _part(part))]
    return [replace(part, heading=section.title if part is parts[0] else "") for part in parts]


def _part(part: Part) -> ResultPart | None:
    match part:
        case Table():
            return ResultPart(caption=part.caption, heads=part.heads, rows=part.rows)
        case BarChart():
            return ResultPart(rows=tuple((bar.label, bar.figure) for bar in part.bars))
        case LineChart():
            return None  # the table after it has its figures
        case Steps():
            return ResultPart(steps=part.steps)
        case Text():
            return ResultPart(title=part.title, text=part.text)
        case Links():
            return ResultPart(title=part.title, rows=tuple((name, rest) for name, _, rest in part.links))
