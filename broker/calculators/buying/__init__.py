"""Calculators of what buying a home takes: the cash, the tax, the deposit, and what letting it earns."""
