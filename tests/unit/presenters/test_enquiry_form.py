"""Values of the template of an enquiry's form."""

from broker.domain.enquiries.contact_details import Problem
from broker.presenters.enquiry_form import ListedProblem, first_field_id, form_values

GIVEN = {"name": "Ada", "telephone": "1", "when": "morning", "marketing": ["email", "text"], "privacy": "yes"}


def test_all_that_was_given_is_there_again() -> None:
    values = form_values({**GIVEN, "kind": "contact", "came_from": "/about-us/"})
    assert (values["name"], values["telephone"], values["email"], values["message"]) == ("Ada", "1", "", "")
    chosen = {name for name, value in values.items() if value is True}
    assert chosen == {"kind_contact", "when_morning", "marketing_email", "marketing_text", "privacy_yes"}
    assert values["came_from"] == "/about-us/"


def test_nothing_given_is_the_form_as_it_is_drawn() -> None:
    values = form_values({})
    assert {name for name, value in values.items() if value is True} == {"kind_callback", "when_any"}
    assert values["problems"] == ()


def test_problem_is_at_its_field_and_in_the_list_once_each() -> None:
    problems = [
        Problem(field="email", reason="One"),
        Problem(field="email", reason="Two"),
        Problem(field="", reason="All"),
    ]
    values = form_values(GIVEN, problems)
    assert (values["error_email"], values["error_name"]) == ("One. Two", "")
    assert values["problems"] == (
        ListedProblem(reason="One", anchor="enquiry-email"),
        ListedProblem(reason="Two", anchor="enquiry-email"),
        ListedProblem(reason="All"),
    )


def test_problem_of_a_choice_leads_to_its_first_value() -> None:
    assert [first_field_id(name) for name in ("name", "when", "privacy")] == [
        "enquiry-name",
        "enquiry-when-any",
        "enquiry-privacy-yes",
    ]


def test_what_is_no_text_fills_nothing() -> None:
    values = form_values({"name": 7, "when": {"a": 1}, "marketing": [None, "email"]})
    assert (values["name"], values["marketing_email"], values["when_any"]) == ("", True, False)
