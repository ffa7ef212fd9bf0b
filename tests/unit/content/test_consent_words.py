"""The words of consent and their version: other words, another version, and both are written down here."""

import hashlib
import json
from dataclasses import asdict

from tests.our_content import STORE

WORDINGS = {"2026-11-21": "a706d3961f55c425"}
"""Every wording that was ever shown, by its version: a record of consent names it. None is changed or taken out."""


def test_words_of_consent_are_those_of_their_version() -> None:
    words = asdict(STORE.site().consent)
    version = words.pop("version")
    digest = hashlib.sha256(json.dumps(words, sort_keys=True).encode()).hexdigest()[:16]
    assert WORDINGS.get(version) == digest, "give the new wording a version of its own in site.json, and list it here"
