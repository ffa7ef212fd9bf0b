import re

import pytest

from broker.settings import ROOT, Settings, SettingsError, read_settings, variable_of
from tools.settings_table import EXAMPLE, PAGE, settings_example, settings_table

VARIABLES = [variable_of(field) for field in Settings.model_fields.values()]

NEW_KEY, OLD_KEY = "a new secret key of forty-odd characters", "an old secret key of many characters"

GIVEN = {
    "an address": ("BROKER_SITE_URL", "https://broker.example", "site_url", "https://broker.example"),
    "an address with a slash at its end": (
        "BROKER_SITE_URL",
        "https://broker.example/",
        "site_url",
        "https://broker.example",
    ),
    "an address with blanks around it": ("BROKER_SITE_URL", " http://a.example ", "site_url", "http://a.example"),
    "an address to listen on": ("BROKER_BIND", "10.0.0.7", "bind", "10.0.0.7"),
    "the lowest port": ("PORT", "1", "port", 1),
    "the highest port": ("PORT", "65535", "port", 65_535),
    "an API": ("BROKER_API_URL", "https://host.example/api/", "api_url", "https://host.example/api"),
    "a day of minutes": ("BROKER_RATES_MINUTES", "1440", "rates_minutes", 1_440),
    "a minute for an answer": ("BROKER_API_SECONDS", "60", "api_seconds", 60),
    "whom mail is for": ("BROKER_MAIL_TO", "staff@broker.example", "mail_to", "staff@broker.example"),
    "seven years": ("BROKER_ENQUIRY_MONTHS", "84", "enquiry_months", 84),
    "six years of advice": ("BROKER_ADVICE_YEARS", "6", "advice_years", 6),
    "six years of complaints": ("BROKER_COMPLAINT_YEARS", "6", "complaint_years", 6),
    "promotions due each month": ("BROKER_PROMOTION_DUE_DAYS", "30", "promotion_due_days", 30),
    "a key": ("BROKER_SECRET_KEY", NEW_KEY, "secret_keys", (NEW_KEY,)),
    "a new key and an old one": ("BROKER_SECRET_KEY", f"{NEW_KEY} , {OLD_KEY}", "secret_keys", (NEW_KEY, OLD_KEY)),
    "a quiet second": ("BROKER_CONTENT_HOOK_QUIET_SECONDS", "1", "content_hook_quiet_seconds", 1),
}

REFUSED = {
    "an address without its scheme": ("BROKER_SITE_URL", "broker.example"),
    "an address of another scheme": ("BROKER_SITE_URL", "ftp://broker.example"),
    "an API without its scheme": ("BROKER_API_URL", "host.example/api"),
    "an address without a host": ("BROKER_SITE_URL", "https://"),
    "a name to listen on": ("BROKER_BIND", "localhost"),
    "an address with a port": ("BROKER_BIND", "127.0.0.1:3000"),
    "no minutes": ("BROKER_RATES_MINUTES", "0"),
    "no time for an answer": ("BROKER_API_SECONDS", "0"),
    "a mailbox with a name": ("BROKER_MAIL_TO", "Desk <staff@broker.example>"),
    "a mailbox with a header": ("BROKER_MAIL_FROM", "a@b.example\nBcc: c@d.example"),
    "no mailbox": ("BROKER_MAIL_TO", "broker.example"),
    "no months": ("BROKER_ENQUIRY_MONTHS", "0"),
    "too many months": ("BROKER_ENQUIRY_MONTHS", "85"),
    "fewer years of advice than the rules ask": ("BROKER_ADVICE_YEARS", "2"),
    "fewer years of complaints than the rules ask": ("BROKER_COMPLAINT_YEARS", "2"),
    "port 0": ("PORT", "0"),
    "a port too high": ("PORT", "65536"),
    "a port in words": ("PORT", "three thousand"),
    "a port in other digits": ("PORT", "²"),
    "a port with an underscore": ("PORT", "3_000"),
    "no quiet period": ("BROKER_CONTENT_HOOK_QUIET_SECONDS", "0"),
    "a quiet period of over a minute": ("BROKER_CONTENT_HOOK_QUIET_SECONDS", "61"),
    "too many proxies": ("BROKER_TRUSTED_PROXIES", "10"),
}


def test_empty_environment_or_blank_variables_give_the_defaults() -> None:
    assert read_settings({}) == Settings()
    assert read_settings(dict.fromkeys(VARIABLES, "  ")) == Settings()


def test_defaults_serve_this_checkout_on_port_3000() -> None:
    settings = Settings()
    assert (settings.site_url, settings.port, settings.data_dir) == ("http://localhost:3000", 3000, ROOT / "data")


@pytest.mark.parametrize(("variable", "text", "name", "value"), GIVEN.values(), ids=GIVEN)
def test_variable_sets_its_field(variable: str, text: str, name: str, value: object) -> None:
    assert getattr(read_settings({variable: text}), name) == value


@pytest.mark.parametrize(("variable", "text"), REFUSED.values(), ids=REFUSED)
def test_bad_value_is_refused_with_its_variable_named(variable: str, text: str) -> None:
    with pytest.raises(SettingsError, match=f"^{variable} takes .*{re.escape(repr(text))}"):
        read_settings({variable: text})


@pytest.mark.parametrize("variable", ["BROKER_SECRET_KEY", "BROKER_CONTENT_HOOK_SECRET"])
@pytest.mark.parametrize("text", ["short", "k" * 31, f"{'k' * 32},short", f"{'k' * 32},"])
def test_key_that_is_too_short_is_refused_and_not_repeated(variable: str, text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings({variable: text})
    assert str(refused.value) == f"{variable} takes keys of 32 characters or more each, with commas between"


def test_settings_as_text_hold_no_secret() -> None:
    secrets = {
        "BROKER_SECRET_KEY": "sss" + NEW_KEY,
        "BROKER_CONTENT_HOOK_SECRET": "sss" + NEW_KEY,
        "BROKER_SMTP_URL": "smtps://a:sss@b",
        "BROKER_DATABASE_URL": "pg://a:sss@b",
    }
    assert "sss" not in repr(read_settings(secrets))


def test_only_read_settings_reads_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "8123")
    assert (read_settings().port, Settings().port) == (8123, 3000)


def test_each_setting_has_its_own_variable_and_a_sentence() -> None:
    assert len(set(VARIABLES)) == len(VARIABLES)
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_reference_lists_every_setting() -> None:
    assert PAGE.read_text(encoding="utf-8") == settings_table(), "run python -m tools.settings_table"


def test_example_is_current_and_has_what_compose_asks_for() -> None:
    example = EXAMPLE.read_text(encoding="utf-8")
    assert example == settings_example(), "run python -m tools.settings_table"
    asked = set(re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text(encoding="utf-8")))
    assert asked - set(re.findall(r"^(\w+)=", example, re.MULTILINE)) == set()
