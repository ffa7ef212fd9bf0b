"""An authenticator of a test: it makes passkeys and signs with them as a browser does, rightly or not."""

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

ORIGIN, HOST = "http://localhost:3000", "localhost"

_PRESENT, _VERIFIED, _ATTESTED = 0x01, 0x04, 0x40


@dataclass(kw_only=True)
class Authenticator:
    """A passkey at an origin; `is_verified` is whether it says that it has verified its owner."""

    origin: str = ORIGIN
    host: str = HOST
    is_verified: bool = True
    counter: int = 0
    handle: str = ""
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: str) -> str:
        """Return what a browser answers the options of a new passkey."""
        wanted = json.loads(options)
        self.handle = wanted["user"]["id"]
        point = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (point.x, point.y))
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        attested = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + public
        data = self._data(_ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", wanted["challenge"])
        return self._answer({"attestationObject": _text(attestation), "clientDataJSON": _text(client_data)})

    def sign(self, options: str, **changes: Any) -> str:
        """Return what a browser answers the options of a sign-in, with other values of its response."""
        self.counter += 1
        client_data = self._client_data("webauthn.get", json.loads(options)["challenge"])
        data = self._data(0)
        signature = self.key.sign(data + hashlib.sha256(client_data).digest(), ECDSA(SHA256()))
        response = {
            "authenticatorData": _text(data),
            "clientDataJSON": _text(client_data),
            "signature": _text(signature),
            "userHandle": self.handle,
        }
        return self._answer({**response, **changes})

    def _data(self, more: int) -> bytes:
        flags = _PRESENT | (_VERIFIED if self.is_verified else 0) | more
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4, "big")

    def _client_data(self, kind: str, challenge: str) -> bytes:
        told = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(told).encode()

    def _answer(self, response: dict[str, Any]) -> str:
        identity = _text(self.credential)
        return json.dumps({"id": identity, "rawId": identity, "type": "public-key", "response": response})


def changed(answer: str, **values: Any) -> str:
    """Return an answer with other values of its top level."""
    return json.dumps({**json.loads(answer), **values})


def flipped(text: str) -> str:
    """Return bytes in base64url with their last bit changed."""
    plain = base64url_to_bytes(text)
    return _text(plain[:-1] + bytes([plain[-1] ^ 1]))


def _text(plain: bytes) -> str:
    return bytes_to_base64url(plain)
