"""The calculators, a module each: `calculator` has their parts, `registry` finds them."""
