"""What fills the form of an enquiry again."""

from __future__ import annotations

from broker.domain.enquiries.contact_details import Problem
from broker.presenters.enquiry_form import form_values, place, problem_list

GIVEN = {"name": "Ada", "telephone": "1", "when": "morning", "marketing": ["email", "text"], "privacy": "yes"}


def test_all_that_was_given_is_there_again() -> None:
    values = form_values({**GIVEN, "kind": "contact", "came_from": "/about-us/"})
    assert (values["name"], values["telephone"], values["email"], values["message"]) == ("Ada", "1", "", "")
    chosen = {name for name, value in values.items() if value is True}
    assert chosen == {"kind-contact", "when-morning", "marketing-email", "marketing-text", "privacy-yes"}
    assert values["came_from"] == "/about-us/"


def test_nothing_given_is_the_form_as_it_is_drawn() -> None:
    values = form_values({})
    assert {name for name, value in values.items() if value is True} == {"kind-callback", "when-any"}
    assert values["problems"] == []


def test_problem_is_at_its_field_and_in_the_list_once_each() -> None:
    problems = [
        Problem(field="email", reason="One"),
        Problem(field="email", reason="Two"),
        Problem(field="", reason="All"),
    ]
    values = form_values(GIVEN, problems)
    assert values["wrong-email"] == [{"reason": "One. Two"}]
    assert "wrong-name" not in values
    assert values["problems"] == [
        {
            "problem": [
                {"reason": "One", "linked": [{"place": "enquiry-email"}]},
                {"reason": "Two", "linked": [{"place": "enquiry-email"}]},
                {"reason": "All", "plain": [{}]},
            ]
        }
    ]


def test_problem_of_a_choice_leads_to_its_first_value() -> None:
    assert [place(name) for name in ("name", "when", "privacy")] == [
        "enquiry-name",
        "enquiry-when-any",
        "enquiry-privacy-yes",
    ]


def test_what_is_no_text_fills_nothing() -> None:
    values = form_values({"name": 7, "when": {"a": 1}, "marketing": [None, "email"]})
    assert (values["name"], values["marketing-email"], values["when-any"]) == ("", True, False)
    assert problem_list([], {}) == {"problems": []}
