import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from broker import backup
from broker.settings import Settings
from broker.storage.backup import last_backup
from broker.storage.encryption import SecretKeys
from tests.databases.fixtures import KEY
from tests.unit.enquiries.enquiring import answered, running, sent, thanked

Run = Callable[..., tuple[int, str, str]]
OTHER = "another key that is long enough too"


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """Return a state folder with an enquiry and a journey, encrypted under KEY."""

    async def work() -> None:
        async with running(Settings(state_dir=tmp_path / "state", secret_keys=(KEY,))) as services:
            thanked(await services.enquiries.submit(sent()))
            await answered(services)

    asyncio.run(work())
    return tmp_path / "state"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command over a state folder; return its code and what it wrote."""

    def command(state: Path, *words: object, key: str = KEY) -> tuple[int, str, str]:
        monkeypatch.setenv("BROKER_STATE_DIR", str(state))
        monkeypatch.setenv("BROKER_SECRET_KEY", key)
        code = backup.main([str(word) for word in words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return command


def test_backup_names_the_keys_that_it_needs_and_has_none(run: Run, stored: Path, tmp_path: Path) -> None:
    code, said, _ = run(stored, "write", tmp_path / "backup", key=f"{OTHER},{KEY}")
    assert code == 0
    assert last_backup(Settings(state_dir=stored)) is not None
    assert [line.partition(" opens ")[2] for line in said.splitlines()[1:]] == ["0 values.", "5 values."]
    assert "No key is in it" in said
    assert KEY.encode() not in (tmp_path / "backup").read_bytes()


def test_tables_are_downgraded_or_the_reason_is_given(run: Run, stored: Path) -> None:
    assert run(stored, "downgrade", "0008") == (0, "The tables are those of 0008.\n", "")
    assert run(stored, "downgrade", "0009")[::2] == (
        1,
        "The tables are 0008: this release cannot take them back to 0009.\n",
    )


def test_restore_into_an_empty_place_says_which_key_opens_it(run: Run, stored: Path, tmp_path: Path) -> None:
    run(stored, "write", tmp_path / "backup")
    code, said, warned = run(tmp_path / "new", "restore", tmp_path / "backup")
    assert (code, warned, said.splitlines()[1:]) == (
        0,
        "",
        [f"Key 1 ({SecretKeys((KEY,)).fingerprints[0]}) opens 5 values."],
    )


def test_restore_warns_where_no_key_opens_what_it_restored(run: Run, stored: Path, tmp_path: Path) -> None:
    run(stored, "write", tmp_path / "backup")
    code, said, warned = run(tmp_path / "new", "restore", tmp_path / "backup", key=OTHER)
    assert (code, warned) == (0, f"{backup.OTHER_KEYS}.\n")
    assert "No key opens 1 values of enquiries.contact." in said


def test_restore_over_rows_is_refused_without_replace(run: Run, stored: Path, tmp_path: Path) -> None:
    run(stored, "write", tmp_path / "backup")
    code, said, refused = run(stored, "restore", tmp_path / "backup")
    assert (code, said, refused.count("\n"), "--replace" in refused) == (1, "", 1, True)
    assert run(stored, "restore", tmp_path / "backup", "--replace")[0] == 0


def test_away_database_is_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BROKER_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/name")
    code, _, said = run(tmp_path, "write", tmp_path / "backup")
    assert (code, said) == (1, "the database cannot be used: ConnectionRefusedError.\n")
