"""Rates: products, searches and their costs, lists, comparison, lender tables and downloads."""
