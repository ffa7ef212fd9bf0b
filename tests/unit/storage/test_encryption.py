import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from broker.settings import Settings, SettingsError
from broker.storage.encryption import FILE, MISSING, DecryptionError, SecretKeys, secret_keys_for

OLD, NEW = "the old key, which is long enough", "the new key, which is long enough"
PLAIN = b"Zebedee Quillfeather"


def test_encrypted_text_is_hidden_decrypts_and_differs_each_time() -> None:
    cipher = SecretKeys((OLD,)).cipher_for("notes")
    sealed = cipher.encrypt(PLAIN)
    assert (PLAIN in sealed, cipher.decrypt(sealed)) == (False, PLAIN)
    assert cipher.encrypt(PLAIN) != cipher.encrypt(PLAIN)


def test_new_key_encrypts_and_the_old_one_still_decrypts() -> None:
    before = SecretKeys((OLD,)).cipher_for("notes").encrypt(PLAIN)
    both = SecretKeys((NEW, OLD)).cipher_for("notes")
    assert (both.decrypt(before), SecretKeys((NEW,)).cipher_for("notes").decrypt(both.encrypt(PLAIN))) == (PLAIN, PLAIN)


def test_other_key_or_purpose_decrypts_nothing() -> None:
    sealed = SecretKeys((OLD,)).cipher_for("notes").encrypt(PLAIN)
    for other in (SecretKeys((NEW,)).cipher_for("notes"), SecretKeys((OLD,)).cipher_for("letters")):
        with pytest.raises(DecryptionError, match="BROKER_SECRET_KEY"):
            other.decrypt(sealed)


def test_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path / "var")
    sealed = secret_keys_for(settings).cipher_for("notes").encrypt(PLAIN)
    file = tmp_path / "var" / FILE
    assert (stat.S_IMODE(file.stat().st_mode), len(file.read_text())) == (0o600, 64)
    assert list(file.parent.iterdir()) == [file]
    assert secret_keys_for(settings).cipher_for("notes").decrypt(sealed) == PLAIN


def test_processes_that_start_at_once_have_the_same_key(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path)
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: secret_keys_for(settings).derive("notes"), range(16)))
    assert len(set(keys)) == 1


def test_key_of_the_settings_comes_first_and_the_files_still_opens(tmp_path: Path) -> None:
    before = secret_keys_for(Settings(state_dir=tmp_path)).cipher_for("notes").encrypt(PLAIN)
    after = secret_keys_for(Settings(state_dir=tmp_path, secret_keys=(NEW,)))
    assert after.cipher_for("notes").decrypt(before) == PLAIN
    assert SecretKeys((NEW,)).cipher_for("notes").decrypt(after.cipher_for("notes").encrypt(PLAIN)) == PLAIN


def test_real_site_without_a_key_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        secret_keys_for(Settings(state_dir=tmp_path, site_url="https://broker.example"))
    assert (str(refused.value), list(tmp_path.iterdir())) == (MISSING, [])


def test_damaged_key_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("")
    with pytest.raises(SettingsError, match="holds no key: put the one back that was in it"):
        secret_keys_for(Settings(state_dir=tmp_path))


@pytest.mark.parametrize("spoil", [Path.touch, Path.mkdir], ids=["empty", "unreadable"])
def test_key_of_the_settings_does_without_a_spoilt_file(
    tmp_path: Path, spoil: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    spoil(tmp_path / FILE)
    assert (
        secret_keys_for(Settings(state_dir=tmp_path, secret_keys=(NEW,))).fingerprints
        == SecretKeys((NEW,)).fingerprints
    )
    assert "the keys are those of BROKER_SECRET_KEY alone" in caplog.text
