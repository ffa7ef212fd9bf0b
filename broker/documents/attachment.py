"""The result attached to an enquiry: its address, and its words for the visitor and for staff."""

from collections.abc import Mapping

from broker import routes
from broker.documents.document import Document
from broker.enquiries.enquiry import Attachment
from broker.questionnaire.answers import Line

RESULT = "result"
"""Parameter of the contact page, and field of its form: the path of the PDF of a result."""

ATTACH = "attach"
"""Field of a form that is shown again, with the typed values and the result, and not sent."""

NOT_ATTACHED = "We could not attach your result. Please tell us about it in your message, or try again from its page"
SENT_WITHOUT = "We could not attach your result, and have everything else you sent"

NO_ATTACHMENT: Mapping[str, object] = {"result_address": "", "result_words": "", "not_attached": ""}


def result_parameter(pdf: str) -> str:
    """Return the parameter of the contact page that names a result by the path of its PDF."""
    return f"{RESULT}={pdf}"


def adviser_address(pdf: str) -> str:
    """Return the address of the contact page that attaches the result of a PDF's address."""
    path, _, query = pdf.partition("?")
    return f"{routes.CONTACT}?{result_parameter(path)}{'&' if query else ''}{query}#callback"


def attachment_form_values(attachment: Attachment | None, address: str) -> dict[str, object]:
    """Return the values of the form's template: the result, and the `address` of its PDF that names it."""
    if attachment is None:
        return {**NO_ATTACHMENT}
    if attachment.document is None:
        return {**NO_ATTACHMENT, "not_attached": NOT_ATTACHED}
    return {**NO_ATTACHMENT, "result_address": address, "result_words": document_words(attachment.document)}


def attached_lines(attachment: Attachment | None) -> tuple[Line, ...]:
    """Return what was attached, and a line for each figure that it starts from."""
    if attachment is None:
        return ()
    if attachment.document is None:
        return (Line(label="Attached result", words=SENT_WITHOUT),)
    return (
        Line(label="Attached result", words=document_words(attachment.document)),
        *(Line(label=name, words=value) for name, value in attachment.document.figures),
    )


def document_words(document: Document) -> str:
    """Return a document in one line: its title, and its answer or else its subtitle."""
    result = document.result
    words = " ".join(filter(None, (result.label, result.figure, result.per))) if result else document.subtitle
    title = document.title if document.title.endswith("?") else f"{document.title}:"
    return f"{title} {words}" if words else document.title
