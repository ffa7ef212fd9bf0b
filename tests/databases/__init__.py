"""The databases that storage is tested on: an SQLite file, and a PostgreSQL of the tests' own."""
