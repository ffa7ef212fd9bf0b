"""What settings take: the types of their fields, with a sentence for each value that does not fit."""

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import NoDecode

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
Hosts = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_hosts)]
LogFormat = Annotated[str, AfterValidator(_log_format)]
Keys = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_keys)]


def variable_of(field: FieldInfo) -> str:
    """Return the environment variable of a field of Settings."""
    return str(field.validation_alias)


def bounds_of(field: FieldInfo) -> tuple[int, int] | None:
    """Return the lowest and the highest value of a number, None for any other field."""
    found = {name: getattr(rule, name) for rule in field.metadata for name in ("ge", "le") if hasattr(rule, name)}
    return (found["ge"], found["le"]) if found else None


def sentence(error: ValidationError, fields: Mapping[str, FieldInfo]) -> str:
    """Return what the variable of the first fault takes."""
    first = error.errors()[0]
    variable = str(first["loc"][0])
    field = next(each for each in fields.values() if variable_of(each) == variable)
    if bounds := bounds_of(field):
        return f"{variable} takes a number from {bounds[0]} to {bounds[1]}, not {first['input']!r}"
    return f"{variable} takes {first['ctx']['error'] if 'ctx' in first else field.description}"
