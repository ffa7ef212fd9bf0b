"""The database, its encryption, and what workers share in Redis."""
