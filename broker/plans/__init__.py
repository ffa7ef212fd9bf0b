"""Plans: several calculators' sums for one decision, from one set of figures."""
