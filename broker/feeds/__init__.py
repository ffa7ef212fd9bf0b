"""Live services over HTTP: the broker's own API, read into the product's own values (specification 7)."""
