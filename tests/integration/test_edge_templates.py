"""Templates of the export for the answers to forms: each is rendered to a valid page with nothing of Jinja2 left."""

import re

from broker import routes
from broker.appointments.appointment import StoredAppointment
from broker.appointments.appointment_view import page_values, refused_values, thanks_values
from broker.appointments.times_view import TimesPage, WantedTimes, shown_times
from broker.documents.attachment import attachment_form_values
from broker.documents.document import Document
from broker.enquiries.contact_details import Problem
from broker.enquiries.enquiry import Attachment
from broker.enquiries.form_view import TIMES, form_values
from broker.enquiries.summary import kept_values, problem_values
from broker.markup import is_indexed, parse_page
from broker.questionnaire.answers import Line
from broker.questionnaire.question_page import question_values
from broker.questionnaire.step_view import AnswerRow
from broker.server.exported_site import Export
from broker.server.templating import OWN_TEMPLATES
from broker.watches.form_view import watch_form, watch_form_values
from broker.watches.page_view import gone_values
from tests.integration.reading import read_page
from tests.unit.questionnaire.flows import SHIPPED
from tests.unit.server.forms.appointment_service import NOW, appointment, slot


def words(html: str) -> str:
    return re.sub(r"<(style|script)\b.*?</\1>", "", html, flags=re.DOTALL)


WITH_TIMES = ("contact", "check", "your-appointment")
"""The templates with a place for times, and with the script that exchanges them."""


def test_rendered_template_is_valid_and_has_no_code_left(export: Export) -> None:
    form, problem = form_values({}, [Problem(field="name", reason="No")]), Problem(field="", reason="No")
    sent = [Line(label="a", words="b")]
    values = {
        "contact": form,
        "check": {**form, "answers": [AnswerRow(label="a", words="b", href="/c/")]},
        "unsent": {"reason": "No.", "href": "/", "go_on": "Again"},
        "question": question_values(SHIPPED.steps["q19"], {}, problems=[problem], changing=False),
        "thank-you": {
            "next_call": "Soon.",
            "reference": "HG",
            "email": "a@b.example",
            "sent": sent,
            **thanks_values(None),
        },
        "your-enquiry": problem_values([problem], {}),
        "your-appointment": refused_values("No"),
        "watch": watch_form_values({}, [problem], form=watch_form({}), is_sample=True),
        "my-watch": gone_values("No."),
        "watch-waits": {},
        "watch-stop": {"heading": "Stop?", "is_stopped": False, "address": "/my-watch/stop?stop=a"},
    }
    booked = StoredAppointment(appointment=appointment(), link="abc")
    page = TimesPage(path=routes.CONTACT)
    free = shown_times(
        [slot(28, 9), slot(30, 9)], WantedTimes(), page=page, name="when", today=NOW.date(), problem="No"
    )
    times = OWN_TEMPLATES.render("call_times.html", {"title": "Times", "times": free, "action": "", "field": ""})
    attached = attachment_form_values(
        Attachment(document=Document(title="A", address="/a/", file_name="a")), "/a.pdf?b=1"
    )
    cases = [
        *values.items(),
        ("contact", form | attached),
        ("contact", form | attachment_form_values(Attachment(), "")),
        ("contact", form | {TIMES: times}),
        ("thank-you", values["thank-you"] | thanks_values(booked)),
        ("your-enquiry", kept_values(NOW.date())),
        ("your-appointment", page_values(booked, now=NOW, times=times, reason="Taken")),
        ("your-appointment", page_values(booked, now=NOW, asked=True)),
    ]
    for name, each in cases:
        html = export.templates.render(routes.edge_template(name), each)
        assert re.findall(r"\{[{%#].{0,20}|data-jinja\S*|[\ue000\ue001]", words(html)) == [], name
        assert list(read_page(html).errors) == [], name
        assert not is_indexed(parse_page(html)), name
        scripts = [dict(each.attrib) for each in parse_page(html).iter("script")]
        assert scripts == [{"data-head": ""}] * (2 if name in WITH_TIMES else 1), name
