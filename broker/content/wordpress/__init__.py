"""The broker's WordPress as a source of content: calls 1, 2, 7 and 8 of specification 7."""
