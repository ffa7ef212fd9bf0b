"""Sessions, sign-in and own account of staff, over one database."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from broker.services.rate_limit import RateLimits
from broker.services.signed_tokens import TokenSigner, utc_now
from broker.services.staff.one_time_codes import CodeSecrets
from broker.services.staff.own_account import OwnAccount
from broker.services.staff.password_hashing import PasswordHashes
from broker.services.staff.session_cookie import StaffCookies
from broker.services.staff.sessions import StaffSessions
from broker.services.staff.sign_in import SignIn
from broker.services.staff.sign_in_limits import Sleep
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.staff.accounts import StaffStore
from broker.storage.staff.sessions import StaffSessionStore


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffAuthentication:
    """The services that authenticate staff."""

    sessions: StaffSessions
    sign_in: SignIn
    account: OwnAccount


def staff_authentication(
    database: Database,
    keys: SecretKeys,
    *,
    hashes: PasswordHashes,
    site_url: str,
    codes_required: bool = False,
    rate_limits: RateLimits | None = None,
    clock: Callable[[], datetime] = utc_now,
    sleep: Sleep = asyncio.sleep,
) -> StaffAuthentication:
    """Return the services of the staff area of a site."""
    store = StaffStore(database)
    sessions = StaffSessions(
        StaffSessionStore(database), StaffCookies(site_url=site_url), codes_required=codes_required, clock=clock
    )
    codes = CodeSecrets(keys.cipher_for("one-time code secret"))
    sign_in = SignIn(
        store,
        sessions,
        hashes=hashes,
        codes=codes,
        step_tokens=TokenSigner(keys.cipher_for("staff sign-in")),
        device_tokens=TokenSigner(keys.cipher_for("staff device")),
        rate_limits=rate_limits,
        clock=clock,
        sleep=sleep,
    )
    account = OwnAccount(store, sessions, sign_in=sign_in, hashes=hashes, codes=codes, clock=clock)
    return StaffAuthentication(sessions=sessions, sign_in=sign_in, account=account)
