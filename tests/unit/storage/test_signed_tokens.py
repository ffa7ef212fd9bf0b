import pytest

from broker.storage.encryption import SecretKeys
from broker.storage.signed_tokens import MAX_TOKEN_LENGTH, SignedToken, TokenSigner
from tests.databases.fixtures import KEY
from tests.unit.enquiries.enquiring import BEGINNING

FORGED = {
    "nothing": "",
    "no text": None,
    "a number": 7,
    "bytes": b"gAAAA",
    "nonsense": "nonsense",
    "other letters": "é" * 120,
    "half a character": "\ud800" * 40,
    "a long text": "A" * (MAX_TOKEN_LENGTH + 1),
    "another purpose's": TokenSigner(SecretKeys((KEY,)).cipher_for("other")).write("a", made=BEGINNING),
    "another key's": TokenSigner(SecretKeys((KEY * 2,)).cipher_for("this")).write("a", made=BEGINNING),
}


def tokens() -> TokenSigner:
    return TokenSigner(SecretKeys((KEY,)).cipher_for("this"))


@pytest.mark.parametrize("says", ["", "a", "two words", "1 2 3", "x" * 200])
def test_token_is_read_as_it_was_written_to_the_millisecond(says: str) -> None:
    made = BEGINNING.replace(microsecond=123_000)
    written = tokens().write(says, made=made)
    assert tokens().read(written) == SignedToken(value=says, made=made)


@pytest.mark.parametrize("text", FORGED.values(), ids=FORGED)
def test_forged_token_is_refused(text: object) -> None:
    assert tokens().read(text) is None


def test_token_fits_an_address_and_hides_its_value() -> None:
    written = tokens().write("HG-7K3M-Q2XD", made=BEGINNING)
    assert (
        set(written) - set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="),
        "7K3M" in written,
    ) == (set(), False)
