"""The seven calculators: one module a formula family, `model` for their shape, `registry` for the list."""
