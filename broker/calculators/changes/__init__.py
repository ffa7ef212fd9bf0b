"""Calculators of what a change to a mortgage does: overpaying, another rate, leaving a deal, interest-only, offset."""
