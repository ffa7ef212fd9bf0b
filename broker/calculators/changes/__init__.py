"""Calculators of changes to a mortgage: overpaying, another rate, leaving a deal, interest-only, offset."""
