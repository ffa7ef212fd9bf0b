from datetime import UTC, datetime
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from broker.staff.credentials import (
    code_at,
    digits_in,
    new_recovery_codes,
    new_secret,
    provisioning_address,
    recovery_code_in,
    recovery_digest,
    secret_text,
    step_at,
    step_of,
)

SECRET = b"12345678901234567890"
NOW = datetime.fromtimestamp(1_111_111_111, UTC)
HERE = step_at(NOW)


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "287082"),
        (1_111_111_109, "081804"),
        (1_111_111_111, "050471"),
        (1_234_567_890, "005924"),
        (2_000_000_000, "279037"),
        (20_000_000_000, "353130"),
    ],
)
def test_codes_are_those_of_rfc_6238_appendix_b(seconds: int, code: str) -> None:
    assert code_at(SECRET, seconds // 30) == code


@pytest.mark.parametrize(("away", "taken"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_code_is_taken_a_period_early_or_late(away: int, taken: bool) -> None:
    found = step_of(code_at(SECRET, HERE + away), SECRET, now=NOW, after=0)
    assert found == (HERE + away if taken else None)


@pytest.mark.parametrize(("after", "taken"), [(HERE - 1, True), (HERE, False), (HERE + 1, False)])
def test_code_is_taken_once_and_none_before_it(after: int, taken: bool) -> None:
    assert (step_of(code_at(SECRET, HERE), SECRET, now=NOW, after=after) is not None) is taken


@pytest.mark.parametrize("typed", ["", "000000", "٠٥٠٤٧١", "050471" * 1_000])
def test_wrong_code_is_of_no_period(typed: str) -> None:
    assert step_of(digits_in(typed), SECRET, now=NOW, after=0) is None


@pytest.mark.parametrize(
    ("typed", "digits"),
    [("050471", "050471"), (" 050 471 ", "050471"), ("050-471", "050471"), ("50471", ""), (None, ""), (50471, "")],
)
def test_digits_are_taken_however_they_are_parted(typed: object, digits: str) -> None:
    assert digits_in(typed) == digits


def test_address_for_an_authenticator_names_the_firm_and_the_account() -> None:
    address = urlsplit(provisioning_address(SECRET, account="ada", issuer="Hearthgate & Co"))
    assert (address.scheme, address.netloc, unquote(address.path)) == ("otpauth", "totp", "/Hearthgate & Co:ada")
    assert parse_qs(address.query) == {"secret": [secret_text(SECRET).replace(" ", "")], "issuer": ["Hearthgate & Co"]}


def test_secret_is_shown_in_groups_that_can_be_typed() -> None:
    assert secret_text(SECRET) == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ"
    assert (len(new_secret()), new_secret() != new_secret()) == (20, True)


def test_recovery_codes_are_ten_that_can_be_typed_in_any_way() -> None:
    codes = new_recovery_codes()
    assert (len(set(codes)), {len(code) for code in codes}) == (10, {19})
    typed = codes[0].lower().replace("-", " ")
    assert recovery_digest(typed, 1) == recovery_digest(codes[0], 1)
    assert recovery_digest(codes[0], 1) != recovery_digest(codes[0], 2)


@pytest.mark.parametrize("typed", ["", "ABCD-EFGH-JKLM-NPQ", "ABCD-EFGH-JKLM-NPQ0", "050471", None, "A" * 1_000])
def test_anything_else_is_no_recovery_code(typed: object) -> None:
    assert recovery_code_in(typed) == ""
