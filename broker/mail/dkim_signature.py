"""The DKIM signature of a mail (RFC 6376)."""

from pathlib import Path

import dkim

from broker.settings import Settings, SettingsError

_HEADERS = [
    *(b"from", b"to", b"subject", b"date", b"message-id", b"auto-submitted"),
    *(b"list-unsubscribe", b"list-unsubscribe-post"),
    *(b"mime-version", b"content-type", b"content-transfer-encoding"),
]
"""The headers that are signed, where a mail has them."""

_PEM = "-----BEGIN"
_FORMAT = "BROKER_DKIM_KEY takes an RSA key in PEM form, or the path of a file with one"


class DkimSigner:
    """Signs mail for a domain; the public key belongs in the TXT record `SELECTOR._domainkey.DOMAIN`."""

    def __init__(self, key: bytes, *, selector: str, domain: str) -> None:
        self._key, self._selector, self._domain = key, selector.encode(), domain.encode()

    def sign(self, content: bytes) -> bytes:
        """Return the signature header of a mail, to put before it; raises dkim.DKIMException."""
        present = {line.split(b":", 1)[0].lower() for line in content.partition(b"\r\n\r\n")[0].split(b"\r\n")}
        headers = [name for name in _HEADERS if name in present]
        return dkim.sign(
            content,
            self._selector,
            self._domain,
            self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=headers,
        )


def dkim_signer(settings: Settings) -> DkimSigner | None:
    """Return the signer of the settings, None without a key; raises SettingsError for a key that signs nothing."""
    if not settings.dkim_key:
        return None
    if not settings.dkim_selector:
        raise SettingsError("BROKER_DKIM_KEY needs BROKER_DKIM_SELECTOR beside it")
    domain = settings.mail_from.rpartition("@")[2]
    try:
        signer = DkimSigner(_key(settings.dkim_key), selector=settings.dkim_selector, domain=domain)
        signer.sign(b"From: a@b.example\r\n\r\nA trial\r\n")
    except (OSError, dkim.DKIMException) as error:
        raise SettingsError(_FORMAT) from error
    return signer


def _key(text: str) -> bytes:
    """Return a key that is given as text, its line breaks perhaps as backslash and n, or as the path of a file."""
    if text.startswith(_PEM):
        return text.replace("\\n", "\n").encode()
    return Path(text).read_bytes()
