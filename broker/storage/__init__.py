"""The database, and the saved answers of the rate source."""
