"""The website of a fee-free UK mortgage broker."""

__version__ = "1.0.0"
