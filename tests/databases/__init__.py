"""Databases of the tests: SQLite files, and a temporary PostgreSQL cluster for storage."""
