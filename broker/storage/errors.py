"""The error of every use of the database."""


class StorageError(RuntimeError):
    """The database is unavailable and nothing was stored. The message has no personal data."""
