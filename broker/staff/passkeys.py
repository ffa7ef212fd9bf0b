"""Passkeys (WebAuthn Level 3): options for the browser, and what it answers, verified by the library.

A signature counts with user verification alone, for a challenge of ours that is used once, from an origin of the site.
"""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import (
    bytes_to_base64url,
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from broker.clock import uk_date, utc_now
from broker.enquiries.contact_details import single_line
from broker.staff.account_store import Account, StaffStore
from broker.staff.accounts import StaffSession
from broker.staff.audit import Act, AuditEntry
from broker.staff.passkey_store import PasskeyStore, StoredPasskey
from broker.staff.people import Passkey
from broker.storage.rate_limit import RateLimits

CHALLENGE_LIFETIME = timedelta(minutes=5)
"""Time for which a challenge may be answered."""

CHALLENGE_BYTES = 32

MAX_PASSKEYS = 20
"""Passkeys of an account."""

MAX_ASKED, ASKED_WINDOW = 60, timedelta(minutes=15)
"""Challenges that a network may ask for in a window: an office shares a network."""

MAX_NAME = 60
"""Characters of the name of a passkey."""

MAX_ANSWER = 14_000
"""Characters of what a browser answers."""

NOT_ADDED = "This passkey could not be added. Please try again"
TOO_MANY_PASSKEYS = f"An account has at most {MAX_PASSKEYS} passkeys. Remove one first"

_BROKEN = (WebAuthnException, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What the library raises for an answer that is none: its parsers do not check the types of all parts."""


class Passkeys:
    """Methods raise StorageError. The relying party is the host of the site's address."""

    def __init__(
        self,
        store: PasskeyStore,
        accounts: StaffStore,
        *,
        site_url: str,
        origins: Sequence[str] = (),
        rate_limits: RateLimits,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`origins` are the exact origins of the site's pages; by default that of its address alone."""
        self._store, self._accounts, self._clock = store, accounts, clock
        self._asked = rate_limits.limit("passkey challenges", most=MAX_ASKED, window=ASKED_WINDOW)
        self._host, self._origins = urlsplit(site_url).hostname or "", list(origins or (site_url,))

    async def of(self, session: StaffSession) -> tuple[Passkey, ...]:
        return tuple(passkey for passkey, _ in await self._store.of(session.account_id))

    async def known(self, account: Account) -> bool:
        """Return whether an account has passkeys."""
        return bool(await self._store.of(account.id))

    async def adding(self, account: Account) -> str:
        """Return the options with which a browser makes a passkey, as JSON."""
        known = [credential for _, credential in await self._store.of(account.id)]
        options = generate_registration_options(
            rp_id=self._host,
            rp_name=self._host,
            user_id=_handle(account.id),
            user_name=account.name,
            user_display_name=account.shown_name,
            challenge=await self._challenge(account.id),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(each)) for each in known],
        )
        return options_to_json(options)

    async def add(self, session: StaffSession, answer: object, name: object) -> str:
        """Add the passkey that a browser made for the account of a session; return why not, empty for done."""
        if len(await self._store.of(session.account_id)) >= MAX_PASSKEYS:
            return TOO_MANY_PASSKEYS
        now = self._clock()
        try:
            credential = parse_registration_credential_json(_text(answer))
            challenge = parse_client_data_json(credential.response.client_data_json).challenge
            if not await self._store.take(challenge, session.account_id, now=now):
                return NOT_ADDED
            verified = verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=self._host,
                expected_origin=self._origins,
                require_user_verification=True,
            )
        except _BROKEN:
            return NOT_ADDED
        passkey = StoredPasskey(
            id=0,
            account_id=session.account_id,
            credential=bytes_to_base64url(verified.credential_id),
            public_key=verified.credential_public_key,
            counter=verified.sign_count,
        )
        shown = single_line(name, MAX_NAME) or f"Passkey of {uk_date(now):%-d %B %Y}"
        entry = AuditEntry(at=now, who=session.name, what=Act.PASSKEY_ADDED, about=session.name)
        return "" if await self._store.add(passkey, shown, entry) else NOT_ADDED

    async def asking(self, address: str) -> str:
        """Return the options with which a browser signs in, as JSON, which name no account; empty above the limit."""
        if not await self._asked.take(address):
            return ""
        options = generate_authentication_options(
            rp_id=self._host,
            challenge=await self._challenge(None),
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json(options)

    async def proven(self, answer: object) -> Account | None:
        """Return the account that an answer proves, disabled or not; None for any other answer."""
        now = self._clock()
        try:
            credential = parse_authentication_credential_json(_text(answer))
            challenge = parse_client_data_json(credential.response.client_data_json).challenge
            if not await self._store.take(challenge, None, now=now):
                return None
            passkey = await self._store.find(bytes_to_base64url(credential.raw_id))
            if passkey is None or credential.response.user_handle not in (None, _handle(passkey.account_id)):
                return None
            verified = verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=self._host,
                expected_origin=self._origins,
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.counter,
                require_user_verification=True,
            )
        except _BROKEN:
            return None
        if not await self._store.used(passkey, verified.new_sign_count, now):
            return None
        return await self._accounts.with_id(passkey.account_id)

    async def _challenge(self, account_id: int | None) -> bytes:
        challenge, now = secrets.token_bytes(CHALLENGE_BYTES), self._clock()
        await self._store.begin(challenge, account_id, now=now, expires=now + CHALLENGE_LIFETIME)
        return challenge


def _handle(account_id: int) -> bytes:
    """Return what a passkey keeps of its account: a number that says nothing elsewhere."""
    return str(account_id).encode()


def _text(answer: Any) -> str:
    """Return an answer of a browser; raises ValueError for one that is no text, or too long."""
    if not isinstance(answer, str) or len(answer) > MAX_ANSWER:
        raise ValueError("no answer of a passkey")
    return answer
