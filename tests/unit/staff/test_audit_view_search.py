from typing import Any

import pytest

from broker.staff.audit import ActKind, AuditFilter
from broker.staff.audit_view import KINDS, address_of, filter_in, form_of, who_choices

ASKED = AuditFilter(who="ada", about="lender 42", kind=ActKind.LOGOS, before=120)


def test_address_and_form_ask_for_what_they_were_made_of() -> None:
    assert address_of(ASKED) == "/staff/record/?who=ada&about=lender+42&kind=logos&before=120"
    assert address_of(AuditFilter()) == "/staff/record/"
    assert filter_in({"who": "ada", "about": "lender 42", "kind": "logos", "before": "120"}) == ASKED
    assert form_of(ASKED) == {"who": "ada", "about": "lender 42", "kind": "logos"}
    assert filter_in(form_of(ASKED)).before == 0


SPOILT: dict[str, dict[str, Any]] = {
    "unknown kind": {"kind": "colours"},
    "before what is no number": {"before": "minus one"},
    "before another sort of number": {"before": "٣"},
    "before a number without end": {"before": "9" * 40},
    "other things": {"who": ["ada"], "about": {"a": 1}, "kind": 7, "before": 12},
    "too long": {"who": "a" * 9_000, "about": "b" * 9_000},
    "half a character": {"about": "\ud800"},
}


@pytest.mark.parametrize("parameters", SPOILT.values(), ids=SPOILT)
def test_malformed_parameters_are_ignored(parameters: dict[str, Any]) -> None:
    assert filter_in(parameters) == AuditFilter()


def test_every_kind_and_everybody_may_be_chosen() -> None:
    assert KINDS[0][0] == ""
    assert sorted(value for value, _ in KINDS[1:]) == sorted(ActKind)
    names = ("ada", "command line", "unknown")
    words = ["Anybody", "ada", "The command line", "Somebody unknown"]
    assert [said for _, said in who_choices(names, "")] == words
    assert [said for _, said in who_choices(names, "ada")] == words
    assert who_choices(names, "zed")[-1] == ("zed", "zed")
