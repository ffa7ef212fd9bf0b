"""Plans: the sums of several calculators for one decision."""
