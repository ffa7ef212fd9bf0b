"""The embedded sample market: a generated catalogue, vectorised pricing, and a rate source over both."""
