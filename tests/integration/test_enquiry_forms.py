"""Enquiries through the built site over real HTTP, as a browser without scripts sends them."""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

import pytest

from broker import routes
from broker.enquiries.enquiry import Channel, EnquiryKind
from broker.markup import meta, parse_page
from tests.integration.enquiry_site import FORM, EnquirySite, enquiry_site, post
from tests.integration.mail_server import MailServer
from tests.integration.reading import read_page
from tests.unit.questionnaire.flows import SHIPPED, reply
from tests.unit.questionnaire.journeys import JOURNEYS
from tests.unit.state.asking import form
from tools.project import Project

SPECIFIED = (
    *("buy-to-let remortgage, dependants and a loan", "residential remortgage, dependants and a loan"),
    *("buy-to-let purchase, property found", "buy-to-let purchase, still looking"),
    *("home mover, property found, a loan", "home mover, still looking, no loan"),
    *("first-time buyer, property found, no loan", "first-time buyer, still looking, a loan"),
    *("entry q66, property found", "entry q96, still looking", "entry q97, remortgage"),
)
"""The eight journeys of section 4 of the specification, and the entry steps that lead into them."""

PAGES = ("contact", "check", "unsent", "question", "thank-you", "your-enquiry")
HOSTILE = {
    "a script": "<script>alert(1)</script>",
    "an attribute": '" autofocus onfocus="alert(1)',
    "the end of a box": "</textarea></form><script>alert(1)</script>",
    "code of a template": '{{ name }} {% for x in problems %} \ue000{{ name }}\ue001 data-jinja-checked="privacy_yes"',
    "strange signs": "\x00\u202e\ufeff\u2028\ud7ff",
    "a template": "{{7*7}} ${7*7} <%= 7*7 %>",
}


@pytest.fixture(scope="module")
def mail() -> MailServer:
    return MailServer()


@pytest.fixture(scope="module")
def running(
    site: Path, project: Project, mail: MailServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[EnquirySite]:
    del site
    with enquiry_site(project, tmp_path_factory.mktemp("enquiries"), mail=mail.url) as running:
        yield running


def test_templates_have_no_url(running: EnquirySite) -> None:
    with running.client() as client:
        assert {client.get(f"/{routes.edge_template(name)}/").status_code for name in PAGES} == {404}
        assert "edge-template" not in client.get("/sitemap.xml").text


def test_page_has_a_plain_post_form(running: EnquirySite) -> None:
    with running.client() as client:
        page = client.get(routes.CONTACT).text
    forms = {each.attrib["action"]: each.attrib for each in parse_page(page).iter("form")}
    assert forms[routes.CONTACT]["method"] == "post"
    asked = {each.get("name", ""): each.attrib for each in parse_page(page).iter("input")}
    completed = {name: asked[name].get("autocomplete") for name in ("name", "telephone", "email")}
    assert completed == {"name": "name", "telephone": "tel", "email": "email"}
    ticked = [each for each in parse_page(page).iter("input") if "checked" in each.attrib]
    assert [each.attrib["value"] for each in ticked] == ["callback", "any"]
    assert "required" not in asked["name"]


@pytest.mark.parametrize(
    ("fields", "kind"),
    [({}, EnquiryKind.CALLBACK), ({"kind": "contact", "marketing": ["email", "text"]}, EnquiryKind.CONTACT)],
)
def test_enquiry_is_stored_once_before_the_thank_you_page(
    running: EnquirySite, fields: dict[str, str | list[str]], kind: EnquiryKind
) -> None:
    with running.client() as client:
        name = f"Ada {'B' if fields else 'C'}"
        first, again = [post(client, name=name, came_from="/remortgaging/?a=1", **fields) for _ in range(2)]
        assert (first.status_code, again.status_code, first.headers["location"]) == (303, 303, "/thankyou/")
        shown = client.get(routes.THANK_YOU)
    stored = running.stored(name)
    assert (stored.enquiry.kind, stored.page, stored.enquiry.consent.page) == (kind, "/remortgaging/", "/contact/")
    assert stored.enquiry.consent.marketing == ({Channel.EMAIL, Channel.TEXT} if fields else set())
    assert stored.enquiry.consent.text_version == FORM["text_version"]
    assert (shown.status_code, shown.headers["cache-control"]) == (200, "no-store")
    assert [part for part in (stored.reference, f"<dd>{name}</dd>", "07700 900123") if part not in shown.text] == []


def test_thank_you_page_differs_for_visitors_who_sent_nothing(running: EnquirySite) -> None:
    with running.client() as sender, running.client() as other:
        post(sender, name="Ada D")
        first, reloaded = [sender.get(routes.THANK_YOU).text for _ in range(2)]
        exported = other.get(routes.THANK_YOU)
    assert first == reloaded
    assert "Ada D" in first
    assert first.index("What happens next") < first.index("What you sent us")
    assert first.index("What happens next") < first.index("from 020\N{NO-BREAK SPACE}7946\N{NO-BREAK SPACE}0123.")
    assert "What you sent us" not in exported.text
    assert exported.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_whatever_is_entered_comes_back_harmless_and_whole(running: EnquirySite, value: str) -> None:
    with running.client() as client:
        typed = ("name", "telephone", "email", "message", "came_from")
        answer = post(client, privacy="", **dict.fromkeys(typed, value))
    assert (answer.status_code, answer.headers["cache-control"]) == (422, "no-store")
    page = answer.text
    assert [dict(each.attrib) for each in parse_page(page).iter("script")] == [{"data-head": ""}] * 2
    assert [each for each in parse_page(page).iter("input") if "onfocus" in each.attrib] == []
    assert parse_page(page).xpath("//input[@name='email']/@value") == [value.replace("\x00", "\ufffd")]
    if "\x00" not in value:
        assert list(read_page(page).errors) == []
    assert "'unsafe" not in answer.headers["content-security-policy"].partition("script-src")[2].partition(";")[0]


def test_problems_are_at_the_top_and_at_their_fields(running: EnquirySite) -> None:
    with running.client() as client:
        page = post(client, name="", email="bad", kind="contact", message="", marketing="text").text
    ids = {each.get("id") for each in parse_page(page).iter("input")} | {"enquiry-message"}
    summary = page.partition('id="problems"')[2].partition("</ul>")[0]
    listed = re.findall(r'href="#([^"]+)"', summary)
    assert listed == ["enquiry-name", "enquiry-email", "enquiry-message"]
    assert set(listed) <= ids
    (alert,) = [each for each in parse_page(page).iter("div") if each.get("id") == "problems"]
    assert {"role": "alert", "tabindex": "-1", "autofocus": ""}.items() <= set(alert.attrib.items())
    fields = [each for name in ("input", "textarea") for each in parse_page(page).iter(name)]
    wrong = [each.attrib["name"] for each in fields if each.get("aria-invalid") == "true"]
    assert wrong == ["name", "email", "message"]
    assert (meta(parse_page(page), "robots"), "<title>Error: Contact us" in page) == ("noindex", True)
    ticked = [each.attrib["value"] for each in parse_page(page).iter("input") if "checked" in each.attrib]
    assert ticked == ["contact", "morning", "text", "yes"]


def test_every_journey_is_answered_comes_back_with_an_error_and_is_sent_without_scripts(running: EnquirySite) -> None:
    for number, name in enumerate(SPECIFIED):
        journey, sender = JOURNEYS[name], f"Ada Journey {number}"
        with running.client() as client:
            onwards = (*map(routes.question, journey.steps[1:]), routes.CHECK_ANSWERS)
            for (step, words), path in zip(journey.replies, onwards, strict=True):
                answer = client.post(routes.GIVE_ANSWER, data=form(step, words, flow=SHIPPED))
                assert (name, step, answer.status_code, answer.headers["location"]) == (name, step, 303, path)
            wrong = client.post(routes.SEND_ANSWERS, data={**FORM, "name": ""})
            assert client.post(routes.SEND_ANSWERS, data={**FORM, "name": sender}).status_code == 303
            shown = client.get(routes.THANK_YOU).text
        stored = running.stored(sender)
        words = [escape(part) for line in stored.enquiry.lines for part in (line.label, line.words)]
        assert (name, wrong.status_code, [each for each in words if each not in wrong.text]) == (name, 422, [])
        expected = {step: reply(SHIPPED.steps[step], words) for step, words in journey.replies}
        assert (name, dict(stored.enquiry.answers), stored.reference in shown) == (name, expected, True)


def test_unsent_mail_goes_out_once_after_both_servers_return(running: EnquirySite, mail: MailServer) -> None:
    with running.client() as client:
        assert post(client, name="Ada Unsent").status_code == 303
        before = client.get(routes.THANK_YOU).text
        running.stop()
        running.let_notes_be_due()
        with mail.up():
            running.start()
            assert client.get(routes.THANK_YOU).text == before
            subject, subjects = f"Callback request {running.stored('Ada Unsent').reference}", list[str]()
            while subject not in subjects:
                subjects.append(mail.next()["Subject"])
    subjects += [each["Subject"] for each in mail.taken.queue]
    assert len(subjects) == len(set(subjects))
