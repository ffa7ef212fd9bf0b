"""Settings; only this module reads the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from broker.log_format import JSON, TEXT

MIN_SECRET_LENGTH = 32
"""Characters of a secret key: 24 random bytes in base 64."""

MIN_SECRET_CHARACTERS = 10
"""Different characters of a secret key: fewer is a repetition."""


def _url(text: str) -> str:
    if text and not re.match(r"https?://[^/:?#]", text):
        raise ValueError(f"an address that starts with http:// or https:// and a host, not {text!r}")
    return text.rstrip("/")


def _ip_address(text: str) -> str:
    try:
        return str(ip_address(text)) if text else ""
    except ValueError:
        raise ValueError(f"an IP address of this machine, not {text!r}") from None


def _redis_url(text: str) -> str:
    if text and not text.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("an address that starts with redis://, rediss:// or unix://")  # it may hold a password
    return text


def _mailbox(text: str) -> str:
    """Return a mail address; a line break in one would add a header."""
    if text and not re.fullmatch(r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+", text):
        raise ValueError(f"an email address, not {text!r}")
    return text


def _digits(value: object) -> object:
    if isinstance(value, str) and not (value.isascii() and value.isdigit()):
        raise ValueError("digits")
    return value


def _log_format(text: str) -> str:
    if text not in (TEXT, JSON):
        raise ValueError(f"{TEXT} or {JSON}, not {text!r}")
    return text


def _keys(value: object) -> object:
    keys = tuple(key.strip() for key in value.split(",")) if isinstance(value, str) else value
    if isinstance(keys, tuple) and any(len(key) < MIN_SECRET_LENGTH for key in keys):
        raise ValueError(f"keys of {MIN_SECRET_LENGTH} characters or more each, with commas between")
    if isinstance(keys, tuple) and any(len(set(key)) < MIN_SECRET_CHARACTERS for key in keys):
        raise ValueError(f"keys of random characters, at least {MIN_SECRET_CHARACTERS} different ones in each")
    return keys


def _hosts(value: object) -> object:
    return tuple(host.strip().lower() for host in value.split(",")) if isinstance(value, str) else value


Url = Annotated[str, AfterValidator(_url)]
IpAddress = Annotated[str, AfterValidator(_ip_address)]
RedisUrl = Annotated[str, AfterValidator(_redis_url)]
Mailbox = Annotated[str, AfterValidator(_mailbox)]
Number = Annotated[int, BeforeValidator(_digits)]
Hosts = Annotated[tuple[str, ...], BeforeValidator(_hosts)]
LogFormat = Annotated[str, AfterValidator(_log_format)]
Keys = Annotated[tuple[str, ...], BeforeValidator(_keys)]


def variable_of(field: FieldInfo) -> str:
    """Return the environment variable of a field of Settings."""
    return str(field.validation_alias)


def bounds_of(field: FieldInfo) -> tuple[int, int] | None:
    """Return the lowest and the highest value of a number, None for any other field."""
    found = {name: getattr(rule, name) for rule in field.metadata for name in ("ge", "le") if hasattr(rule, name)}
    return (found["ge"], found["le"]) if found else None


def _sentence(error: ValidationError, fields: Mapping[str, FieldInfo]) -> str:
    """Return what the first invalid variable takes."""
    first = error.errors()[0]
    variable = str(first["loc"][0])
    field = next(each for each in fields.values() if variable_of(each) == variable)
    if bounds := bounds_of(field):
        return f"{variable} takes a number from {bounds[0]} to {bounds[1]}, not {first['input']!r}"
    return f"{variable} takes {first['ctx']['error'] if 'ctx' in first else field.description}"


DEMO_MARK = "demo.txt"
"""A file in the state folder that says that everything in its database is made up (`tools.demo`)."""

ROOT = Path(__file__).resolve().parent.parent


class SettingsError(ValueError):
    """An invalid setting; the message names the variable and what it takes."""


class Settings(BaseModel):
    """Settings of an installation; `validation_alias` is the environment variable.

    The constructor uses its arguments and defaults; `read_settings` reads the environment.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True, extra="forbid")

    site_url: Url = Field(
        default="http://localhost:3000",
        validation_alias="BROKER_SITE_URL",
        description="Base address of the site: canonical links, sitemap, and the origin whose pages may open the "
        "socket. Set it for the build too",
    )
    port: Number = Field(
        default=3000,
        ge=1,
        le=65_535,
        validation_alias="PORT",
        description="Port that `make run` and `make serve` listen on",
    )
    bind: IpAddress = Field(
        default="",
        validation_alias="BROKER_BIND",
        description="Address of this machine that `make run` and `make serve` listen on. Without it `127.0.0.1` where "
        "`BROKER_TRUSTED_PROXIES` is above 0, else `0.0.0.0`, which is all addresses; `make dev` listens on "
        "`127.0.0.1` without it. Whoever reaches that port past the proxy can say that they are anybody",
    )
    data_dir: Path = Field(
        default=ROOT / "data",
        validation_alias="BROKER_DATA_DIR",
        description="Folder of the content and the sample market",
    )
    state_dir: Path = Field(
        default=ROOT / "var",
        validation_alias="BROKER_STATE_DIR",
        description="Folder of what must survive a restart: the last good answers of the broker's API, its "
        "lowest rates of each day, and the snapshots of its content",
    )
    releases_dir: Path = Field(
        default=ROOT / ".build" / "releases",
        validation_alias="BROKER_RELEASES_DIR",
        description="Folder of the built versions of the site; the link `current` in it names the one that is served",
    )
    api_url: Url = Field(
        default="",
        validation_alias="BROKER_API_URL",
        description="The broker's own API, `https://host/api` for example; without it the embedded sample market "
        "answers. Pages are built from a snapshot of its content where there is one",
    )
    api_seconds: Number = Field(
        default=4,
        ge=1,
        le=60,
        validation_alias="BROKER_API_SECONDS",
        description="Seconds that a search waits for that API. Then its last list is shown with its time, or that the "
        "service is away",
    )
    rates_minutes: Number = Field(
        default=10,
        ge=1,
        le=1_440,
        validation_alias="BROKER_RATES_MINUTES",
        description="Minutes for which an answer of that API is used again, and after which its saved rates and "
        "its content are read again",
    )
    empty_rates_hours: Number = Field(
        default=24,
        ge=0,
        le=720,
        validation_alias="BROKER_EMPTY_RATES_HOURS",
        description="Hours for which pages show the last list, with its time, where that API answers with none. The "
        "search itself says at once that nothing was found",
    )
    database_url: str = Field(
        default="",
        repr=False,
        validation_alias="BROKER_DATABASE_URL",
        description="PostgreSQL for enquiries and unsent questionnaires, `postgresql://user:password@host/name`; "
        "without it an SQLite file, `enquiries.db` in `BROKER_STATE_DIR`",
    )
    redis_url: RedisUrl = Field(
        default="",
        repr=False,
        validation_alias="REFLEX_REDIS_URL",
        description="Redis for what several processes share: visitors' tabs and the limits on forms, "
        "`redis://:password@host:6379/0`; without it both are in the memory of the one process. It holds cookies, so "
        "keep it as secret as the database",
    )
    log_format: LogFormat = Field(
        default="text",
        validation_alias="BROKER_LOG_FORMAT",
        description="`text`, or `json` for a log collector: an object a line, and a line for each request. No line has "
        "personal data",
    )
    secret_keys: Keys = Field(
        default=(),
        repr=False,
        validation_alias="BROKER_SECRET_KEY",
        description=f"Encrypts personal data in the database and signs links: {MIN_SECRET_LENGTH} characters or more. "
        "Several with commas between: the first is for what is new, the others still open what is old. Without it a "
        "key is made in `BROKER_STATE_DIR`, `secret.key`; where `BROKER_SITE_URL` is https it must be set. Lost keys "
        "cannot be replaced",
    )
    smtp_url: str = Field(
        default="",
        repr=False,
        validation_alias="BROKER_SMTP_URL",
        description="Mail server for notes to staff and for mail to visitors, "
        "`smtp://user:password@host:587?starttls` or `smtps://user:password@host`; without it mail waits",
    )
    mail_to: Mailbox = Field(
        default="",
        validation_alias="BROKER_MAIL_TO",
        description="Recipient of a note of each enquiry. It holds the reference, nothing personal",
    )
    mail_from: Mailbox = Field(
        default="",
        validation_alias="BROKER_MAIL_FROM",
        description="Sender of all mail; needed with a mail server. Mail that cannot be delivered comes back to it",
    )
    dkim_key: str = Field(
        default="",
        repr=False,
        validation_alias="BROKER_DKIM_KEY",
        description="Signs mail for the domain of `BROKER_MAIL_FROM`: an RSA key in PEM form, its line breaks written "
        "as `\\n`, or the path of its file; without it mail is not signed. See [mail](../mail.md)",
    )
    dkim_selector: str = Field(
        default="",
        validation_alias="BROKER_DKIM_SELECTOR",
        description="Selector of that key: its public part is in the DNS record `SELECTOR._domainkey.DOMAIN`",
    )
    mail_hook_secrets: Keys = Field(
        default=(),
        repr=False,
        validation_alias="BROKER_MAIL_HOOK_SECRET",
        description="Signs the messages to `/hooks/mail`, which report mail that came back: "
        f"{MIN_SECRET_LENGTH} characters or more, several with commas between. Without it that address does not exist",
    )
    enquiry_months: Number = Field(
        default=12,
        ge=1,
        le=84,
        validation_alias="BROKER_ENQUIRY_MONTHS",
        description="Months after which an enquiry is deleted, a day later; the privacy notice and the words under the "
        "forms (`data/content/`) say 12, so change them with it. Answers that were not sent are deleted after 30 days",
    )
    advice_years: Number = Field(
        default=3,
        ge=3,
        le=30,
        validation_alias="BROKER_ADVICE_YEARS",
        description="Years for which a case with advice is kept from the last of it: three at least (MCOB 4.7A.25R), "
        "many firms keep six, as long as claims may be made. More years reach cases that are kept already",
    )
    complaint_years: Number = Field(
        default=3,
        ge=3,
        le=30,
        validation_alias="BROKER_COMPLAINT_YEARS",
        description="Years for which a closed complaint is kept from its receipt: three at least (DISP 1.9). More "
        "years reach complaints that are kept already",
    )
    promotion_due_days: Number = Field(
        default=90,
        ge=1,
        le=366,
        validation_alias="BROKER_PROMOTION_DUE_DAYS",
        description="Days after which an approved promotion is due again, as a page that is not touched grows old "
        "(MCOB 3A.2 asks that it stays fair and clear; no rule names the days). It reaches approvals from then on",
    )
    hosts: Hosts = Field(
        default=(),
        validation_alias="BROKER_HOSTS",
        description="Hosts that a request may name, `www.example.co.uk,example.co.uk` for example; others are refused, "
        "except at `/health`. Without it every host is answered",
    )
    staff_codes_required: bool = Field(
        default=False,
        validation_alias="BROKER_STAFF_CODES_REQUIRED",
        description="`true` where no password alone opens the staff area: every account must set up one-time codes, or "
        "add a passkey and sign in with it, before it can do anything else",
    )
    metrics_tokens: Keys = Field(
        default=(),
        repr=False,
        validation_alias="BROKER_METRICS_TOKEN",
        description=f"Opens `/metrics` to Prometheus, sent as `Authorization: Bearer`: {MIN_SECRET_LENGTH} characters "
        "or more. Without it that address does not exist",
    )
    content_hook_secrets: Keys = Field(
        default=(),
        repr=False,
        validation_alias="BROKER_CONTENT_HOOK_SECRET",
        description="Signs the messages of the content service to `/hooks/content`, on which what editors saved is "
        f"published: {MIN_SECRET_LENGTH} characters or more. Several with commas between are all accepted, while one "
        "replaces another. Without it that address does not exist",
    )
    content_hook_quiet_seconds: Number = Field(
        default=1,
        ge=1,
        le=60,
        validation_alias="BROKER_CONTENT_HOOK_QUIET_SECONDS",
        description="Seconds without a further message after which the content is published; a minute after the first "
        "message it is published anyway",
    )
    trusted_proxies: Number = Field(
        default=0,
        ge=0,
        le=9,
        validation_alias="BROKER_TRUSTED_PROXIES",
        description="Number of our own proxies before the server: what the outermost writes into `X-Forwarded-For` "
        "tells visitors apart, for the limits on forms. See `BROKER_BIND`",
    )

    @property
    def is_demo(self) -> bool:
        """Return whether everything in the database is made up: pages of staff say so, and no mail is sent."""
        return (self.state_dir / DEMO_MARK).exists()

    @property
    def sends_mail(self) -> bool:
        """Return whether mail is sent; else it waits."""
        return bool(self.smtp_url) and not self.is_demo

    @property
    def origins(self) -> tuple[str, ...]:
        """Origins whose pages may open the event socket: the site's, and for a local site those of this machine."""
        if "://localhost" not in self.site_url:
            return (self.site_url,)
        return (self.site_url, f"http://localhost:{self.port}", f"http://127.0.0.1:{self.port}")

    @property
    def bind_address(self) -> str:
        """The IP address to listen on; behind a proxy the loopback address, unless it is set."""
        return self.bind or ("127.0.0.1" if self.trusted_proxies else "0.0.0.0")

    def changed(self, **values: object) -> Settings:
        """Return these settings with other values of some fields."""
        return self.model_copy(update=values)


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of an environment, by default the process's own; blank variables count as unset.

    Raises SettingsError.
    """
    variables = os.environ if environment is None else environment
    names = map(variable_of, Settings.model_fields.values())
    try:
        return Settings.model_validate({name: text for name in names if (text := variables.get(name, "").strip())})
    except ValidationError as error:
        raise SettingsError(_sentence(error, Settings.model_fields)) from None  # pydantic's own message repeats secrets
