"""Plans: a visitor's figures, worked out for the whole of a decision."""
