from collections.abc import Mapping

from broker.enquiries.contact_details import Problem
from broker.enquiries.form_view import ListedProblem, first_field_id, form_values

GIVEN = {"name": "Ada", "telephone": "1", "when": "morning", "marketing": ["email", "text"], "privacy": "yes"}


def chosen(values: Mapping[str, object]) -> set[str]:
    return {name for name, value in values.items() if value is True}


def test_form_shows_what_was_entered_or_its_defaults() -> None:
    values = form_values({**GIVEN, "kind": "contact", "came_from": "/about-us/"})
    assert (values["name"], values["telephone"], values["email"], values["message"]) == ("Ada", "1", "", "")
    assert chosen(values) == {"kind_contact", "when_morning", "marketing_email", "marketing_text", "privacy_yes"}
    assert values["came_from"] == "/about-us/"
    values = form_values({})
    assert (chosen(values), values["problems"]) == ({"kind_callback", "when_any"}, ())
    values = form_values({"name": 7, "when": {"a": 1}, "marketing": [None, "email"]})
    assert (values["name"], values["marketing_email"], values["when_any"]) == ("", True, False)


def test_problem_is_at_its_field_and_in_the_list_once_each() -> None:
    problems = [
        Problem(field=field, reason=reason) for field, reason in (("email", "One"), ("email", "Two"), ("", "All"))
    ]
    values = form_values(GIVEN, problems)
    assert (values["error_email"], values["error_name"]) == ("One. Two", "")
    assert values["problems"] == (
        ListedProblem(reason="One", anchor="enquiry-email"),
        ListedProblem(reason="Two", anchor="enquiry-email"),
        ListedProblem(reason="All"),
    )
    anchors = {"name": "enquiry-name", "when": "enquiry-when-any", "privacy": "enquiry-privacy-yes"}
    assert {name: first_field_id(name) for name in anchors} == anchors
