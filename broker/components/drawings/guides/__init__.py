"""Pictures on the cards of guides: the subject of a guide between two houses of a street."""
