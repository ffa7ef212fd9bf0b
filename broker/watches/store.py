"""Watches in the database, with the mail about each."""

from broker.storage.database import Database
from broker.storage.encryption import SecretKeys


class WatchStore:
    """Methods raise StorageError."""

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database, self._keys = database, keys
