"""The words of a lender's name that may lend it an initial, wherever a lender is drawn without its logo."""

_JOINING = frozenset({"for", "the", "of", "and"})


def initial_words(name: str) -> list[str]:
    """Return the words of a name that begin with a letter or a digit, without those that only join others."""
    return [word for word in name.split() if word[0].isalnum() and word.lower() not in _JOINING]
