"""Rates: what a product is, what can be asked, how answers are ranked, costed and told."""
