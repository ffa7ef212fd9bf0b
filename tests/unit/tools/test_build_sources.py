import asyncio
import logging
import shutil
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from broker.content.models.pictures import SafeHtml
from broker.content.snapshot.snapshot import Snapshot
from broker.content.snapshot.snapshot_folder import snapshot_folder, write_snapshot
from broker.content.store import History
from broker.rates.market.benchmark_rates import MAX_AGE
from broker.server.releases import LiveExport
from broker.settings import Settings
from tests.unit.content.wordpress.answering import API, snapshot
from tests.unit.rates.market.searching import BENCHMARKS
from tests.unit.server.site import SITE, put_release
from tools.build import key, program_key, say_when_rates_are_old, sources
from tools.project import Project, ToolError

DATA = Project().root / "data"


def test_only_content_that_compiled_pages_show_makes_another_build(tmp_path: Path) -> None:
    project, settings = Project(root=tmp_path), Settings(state_dir=tmp_path / "var", data_dir=DATA, api_url=API)
    found = snapshot()[0]

    def made_from(changed: Snapshot) -> dict[str, str]:
        write_snapshot(snapshot_folder(settings), changed, files={})
        return sources(project, settings)

    first, *others = found.guides
    lender, text = next(iter(found.lenders.items()))
    day = date(2026, 11, 25)
    before = made_from(found)
    for same in (
        replace(found, guides=(replace(first, html=SafeHtml("<p>Another text.</p>"), updated=day), *others)),
        replace(found, lenders={**found.lenders, lender: replace(text, small_desc="Another", updated=day)}),
        replace(found, history=History(removed=("/gone/",)), read_on="2026-11-25"),
    ):
        assert made_from(same) == before
    for changed in (
        replace(found, guides=(replace(first, title="Another title"), *others)),
        replace(found, guides=found.guides[1:]),
        replace(found, faqs={}),
        replace(found, firm=replace(found.firm, phone="020 7946 0999")),
    ):
        assert made_from(changed) != before
    assert made_from(found) == before


def test_build_says_that_sample_rates_are_old_unless_a_feed_gives_the_rates(capsys: pytest.CaptureFixture[str]) -> None:
    last = BENCHMARKS.as_of + MAX_AGE
    say_when_rates_are_old(Settings(data_dir=DATA), today=last)
    say_when_rates_are_old(Settings(data_dir=DATA, api_url=API), today=last + timedelta(days=1))
    assert capsys.readouterr().out == ""
    say_when_rates_are_old(Settings(data_dir=DATA), today=last + timedelta(days=1))
    assert capsys.readouterr().out == f"Warning: {BENCHMARKS.renewal_notice(last + timedelta(days=1))}\n"


def test_build_names_a_broken_file_of_the_averages(tmp_path: Path) -> None:
    shutil.copytree(DATA / "market", tmp_path / "market")
    (tmp_path / "market" / "bank_of_england" / "bank_rate.csv").write_text("<html>", encoding="utf-8")
    with pytest.raises(ToolError, match=r"^Nothing was built: bank_rate.csv, line 1, column DATE: "):
        say_when_rates_are_old(Settings(data_dir=tmp_path), today=BENCHMARKS.as_of)


def test_unusable_content_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"Nothing was built: .*content"):
        sources(Project(root=tmp_path), Settings(state_dir=tmp_path, data_dir=tmp_path))


def test_another_content_service_makes_another_build() -> None:
    addresses = ("", API, "https://another.test/api")
    assert len({key({}, Settings(api_url=address)) for address in addresses}) == len(addresses)


@pytest.mark.parametrize("folder", ["data", "elsewhere"])
def test_server_leaves_a_release_with_another_questionnaire(
    tmp_path: Path, folder: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger="broker")
    project, served = Project(root=tmp_path / "checkout"), tmp_path / "served"
    data = project.root / folder if folder == "data" else tmp_path / folder
    settings, live = Settings(data_dir=data, state_dir=tmp_path / "var"), LiveExport(served, SITE)
    texts = {"questionnaire.json": '{"start": "q1"}'}
    shutil.copytree(DATA / "content", data / "content")
    site = (data / "content" / "site.json").read_text()

    def publish(**changed: str) -> str:
        for name, text in (texts | changed).items():
            (data / name).parent.mkdir(parents=True, exist_ok=True)
            (data / name).write_text(text)
        code = program_key(project, sources(project, settings), settings=settings)
        return put_release(served, code=code).folder.name

    publish()
    live.open()
    publish(**{"content/site.json": site.replace("Hearthgate", "Another"), "content/questionnaire.json": "[]"})
    assert asyncio.run(live.check())
    before = live.export
    name = publish(**{"questionnaire.json": '{"start": "q2"}'})
    assert (asyncio.run(live.check()), live.export is before) == (False, True)
    assert caplog.messages == [
        f"release {name} belongs to another version of the program or questionnaire: restart to serve it"
    ]
