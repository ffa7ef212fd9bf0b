"""The broker's own API over HTTP, parsed into domain values (specification 7)."""
