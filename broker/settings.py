"""Settings of the product, read from the environment once. Nobody else reads `os.environ`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


MIN_SECRET_LENGTH = 32
"""Characters that a secret key has at least: 24 random bytes in base 64."""

NUMBERS = (
    ("port", "PORT", 65_535),
    ("rates_minutes", "BROKER_RATES_MINUTES", 1_440),
    ("enquiry_months", "BROKER_ENQUIRY_MONTHS", 84),
    ("trusted_proxies", "BROKER_TRUSTED_PROXIES", 9),
)
"""Fields that are numbers from 1: their variable, and the highest that each takes."""


class SettingsError(ValueError):
    """A setting that cannot be used; the message names the variable and what it takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that may differ between one installation and another.

    Each field's metadata holds the environment variable, and one line of what it is for.
    """

    site_url: str = field(
        default="http://localhost:3000",
        metadata={
            "variable": "BROKER_SITE_URL",
            "help": "Base address of the site: canonical links, sitemap, socket origin",
        },
    )
    port: int = field(
        default=3000, metadata={"variable": "PORT", "help": "Port that `make run` and `make serve` listen on"}
    )
    data_dir: Path = field(
        default=ROOT / "data",
        metadata={"variable": "BROKER_DATA_DIR", "help": "Folder of the content and the sample market"},
    )
    state_dir: Path = field(
        default=ROOT / "var",
        metadata={"variable": "BROKER_STATE_DIR", "help": "Folder for what must survive a restart"},
    )
    releases_dir: Path = field(
        default=ROOT / ".build" / "releases",
        metadata={"variable": "BROKER_RELEASES_DIR", "help": "Folder of the built versions of the site"},
    )

    api_url: str = field(
        default="",
        metadata={
            "variable": "BROKER_API_URL",
            "help": "The broker's own API, https://host/api for example; without it the embedded sample market answers",
        },
    )
    rates_minutes: int = field(
        default=10,
        metadata={"variable": "BROKER_RATES_MINUTES", "help": "How long an answer of that API is used again"},
    )
    database_url: str = field(
        default="",
        repr=False,
        metadata={
            "variable": "BROKER_DATABASE_URL",
            "help": "PostgreSQL for enquiries, postgresql://user:password@host/name; without it an SQLite file",
        },
    )
    secret_keys: tuple[str, ...] = field(
        default=(),
        repr=False,
        metadata={
            "variable": "BROKER_SECRET_KEY",
            "help": "Seals what is personal and signs links; several with commas between, the first for what is new",
        },
    )
    smtp_url: str = field(
        default="",
        repr=False,
        metadata={
            "variable": "BROKER_SMTP_URL",
            "help": "Mail server for notes to staff, smtp://user:password@host:587?starttls or smtps://host",
        },
    )
    mail_to: str = field(
        default="", metadata={"variable": "BROKER_MAIL_TO", "help": "Whom a note of each enquiry is sent to"}
    )
    mail_from: str = field(
        default="", metadata={"variable": "BROKER_MAIL_FROM", "help": "Whom those notes are from; as BROKER_MAIL_TO"}
    )
    enquiry_months: int = field(
        default=12,
        metadata={"variable": "BROKER_ENQUIRY_MONTHS", "help": "Months after which an enquiry is deleted"},
    )
    trusted_proxies: int = field(
        default=0,
        metadata={
            "variable": "BROKER_TRUSTED_PROXIES",
            "help": "How many proxies of ours stand before the server: whose X-Forwarded-For tells visitors apart",
        },
    )

    @property
    def origins(self) -> tuple[str, ...]:
        """Return the origins whose pages may open the event socket: the site's own, and those of one's own machine."""
        if "://localhost" not in self.site_url:
            return (self.site_url,)
        return (self.site_url, f"http://localhost:{self.port}", f"http://127.0.0.1:{self.port}")


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of an environment (by default the process's own); raises SettingsError."""
    source = os.environ if environment is None else environment
    given = {entry.name: source.get(entry.metadata["variable"], "").strip() for entry in fields(Settings)}
    values: dict[str, object] = {}
    for name, variable in (("site_url", "BROKER_SITE_URL"), ("api_url", "BROKER_API_URL")):
        if url := given[name]:
            values[name] = _address(url, variable)
    for name, variable, most in NUMBERS:
        if number := given[name]:
            values[name] = _number(number, variable, most=most)
    for name in ("data_dir", "state_dir", "releases_dir"):
        if folder := given[name]:
            values[name] = Path(folder)
    for name in ("database_url", "smtp_url"):
        if url := given[name]:
            values[name] = url
    for name, variable in (("mail_to", "BROKER_MAIL_TO"), ("mail_from", "BROKER_MAIL_FROM")):
        if address := given[name]:
            values[name] = _mailbox(address, variable)
    if secrets := given["secret_keys"]:
        values["secret_keys"] = _secrets(secrets, "BROKER_SECRET_KEY")
    return Settings(**values)  # pyright: ignore[reportArgumentType] - each value was made for its field above


def _address(text: str, variable: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise SettingsError(f"{variable} takes an address that starts with http:// or https://, not {text!r}")
    return text.rstrip("/")


def _mailbox(text: str, variable: str) -> str:
    """Return an address for mail; a line break in one would be a header of somebody else's."""
    if not re.fullmatch(r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+", text):
        raise SettingsError(f"{variable} takes an email address, not {text!r}")
    return text


def _secrets(text: str, variable: str) -> tuple[str, ...]:
    """Return the keys of a list, without ever saying one."""
    keys = tuple(key.strip() for key in text.split(","))
    if any(len(key) < MIN_SECRET_LENGTH for key in keys):
        raise SettingsError(
            f"{variable} takes keys of {MIN_SECRET_LENGTH} characters or more each, with commas between"
        )
    return keys


def _number(text: str, variable: str, *, most: int) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= most:
        raise SettingsError(f"{variable} takes a number from 1 to {most}, not {text!r}")
    return int(text)
