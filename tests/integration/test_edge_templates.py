"""Templates of the export for the answers to forms: each is rendered to a valid page with nothing of Jinja2 left."""

import re

from broker import routes
from broker.documents.attachment import attachment_form_values
from broker.documents.document import Document
from broker.enquiries.contact_details import Problem
from broker.enquiries.enquiry import Attachment
from broker.enquiries.form_view import form_values
from broker.enquiries.summary import problem_values
from broker.markup import is_indexed, parse_page
from broker.questionnaire.answers import Line
from broker.questionnaire.question_page import question_values
from broker.questionnaire.step_view import AnswerRow
from broker.server.exported_site import Export
from tests.integration.reading import read_page
from tests.unit.questionnaire.flows import SHIPPED


def words(html: str) -> str:
    return re.sub(r"<(style|script)\b.*?</\1>", "", html, flags=re.DOTALL)


def test_rendered_template_is_valid_and_has_no_code_left(export: Export) -> None:
    form, problem = form_values({}, [Problem(field="name", reason="No")]), Problem(field="", reason="No")
    sent = [Line(label="a", words="b")]
    values = {
        "contact": form,
        "check": {**form, "answers": [AnswerRow(label="a", words="b", href="/c/")]},
        "unsent": {"reason": "No.", "href": "/", "go_on": "Again"},
        "question": question_values(SHIPPED.steps["q19"], {}, problems=[problem], changing=False),
        "thank-you": {"next_call": "Soon.", "reference": "HG", "email": "a@b.example", "sent": sent},
        "your-enquiry": problem_values([problem], {}),
    }
    attached = attachment_form_values(
        Attachment(document=Document(title="A", address="/a/", file_name="a")), "/a.pdf?b=1"
    )
    cases = [
        *values.items(),
        ("contact", form | attached),
        ("contact", form | attachment_form_values(Attachment(), "")),
    ]
    for name, each in cases:
        page = export.templates.render(routes.edge_template(name), each)
        assert re.findall(r"\{[{%#].{0,20}|data-jinja\S*|[\ue000\ue001]", words(page)) == [], name
        assert list(read_page(page).errors) == [], name
        assert not is_indexed(parse_page(page)), name
        assert [dict(each.attrib) for each in parse_page(page).iter("script")] == [{"data-head": ""}], name
