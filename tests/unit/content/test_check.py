import re
from pathlib import Path

import pytest

from broker.content.check import main, report
from broker.content.errors import ContentError
from broker.content.files.content_folder import EmbeddedStore
from broker.content.files.markdown_files import read_service
from broker.content.files.validated_record import read_document, read_json
from tests.our_content import CONTENT, STORE
from tests.unit.content.test_faults import FAULTS

LTV, APRC, BARNET = "guides/what-is-ltv.md", "guides/what-is-aprc.md", "towns/barnet.md"
LINKS = "[A](/a/) [B](http://a.uk) [R](/rates/) [K](/lenders/halifax/9-years-fixed/)"
WORDS = next(guide.description for guide in STORE.guides() if guide.url == "joint-mortgages")
SPOILED = [
    # file, what is taken out, what is put in, and a fault that is reported; `test_faults` proves each fault by itself
    (LTV, "updated: 2026-11-21", "updated: soon", "updated must be a date such as 2026-11-21, not 'soon'"),
    (LTV, "description: ", "describe: ", "unknown field describe"),
    (LTV, "description: ", "describe: ", "missing description"),
    (LTV, "{{ risk_warning }}", "{{ risk }} {{ debt }}", "unknown placeholder {{ risk }}, {{ debt }}; known are "),
    (APRC, "related: [", "related: [nowhere, ", "related guides that are not there: nowhere"),
    (APRC, "{{ risk_warning }}", LINKS, "dead link '/a/': no such page"),
    (APRC, "{{ risk_warning }}", LINKS, "link 'http://a.uk' is neither of this site nor secure"),
    (APRC, "{{ risk_warning }}", LINKS, "link '/rates/' is redirected to '/tools/rates/'"),
    (APRC, "{{ risk_warning }}", LINKS, "dead link '/lenders/halifax/9-years-fixed/'"),
    (BARNET, "\ndescription: ", f"\ndescription: {WORDS} # ", f"duplicate description '{WORDS}', already in joint-"),
    ("towns/ealing.md", "centre: [", "centre: [[[[", "front matter is not YAML: "),
    ("front-pages/calculators.md", "updated: ", "calculators: [abacus]\nupdated: ", "unknown calculator abacus; known"),
    ("menus.json", '"/client-reviews/"', '"/clients/"', "dead link '/clients/': no such page"),
    ("site.json", '"risk_warning"', '"risk_warnings"', "unknown field risk_warnings"),
    ("site.json", '"risk_warning"', '"risk_warnings"', "missing risk_warning"),
]


def spoil(copy: Path, file: str, *, old: str, new: str) -> None:
    text = (copy / file).read_text(encoding="utf-8")
    assert old in text, file
    (copy / file).write_text(text.replace(old, new, 1), encoding="utf-8")


def reported(copy: Path) -> dict[tuple[str, str], int]:
    lines = [line.removeprefix(f"{copy}/") for line in report(copy)]
    pairs = [(re.split(r"[:,]", line)[0], line.partition(": ")[2]) for line in lines]
    return {pair: pairs.count(pair) for pair in pairs}


def test_every_fault_is_reported_at_once_with_its_file_and_no_other(copy: Path) -> None:
    for file, old, new in dict.fromkeys((file, old, new) for file, old, new, _ in SPOILED):
        spoil(copy, file, old=old, new=new)
    lines = reported(copy)
    wanted = {(file, fault) for file, _, _, fault in SPOILED}
    lost = [(file, fault) for file, fault in wanted if not any(f == file and fault in line for f, line in lines)]
    made_up = [(f, line) for f, line in lines if not any(f == file and fault in line for file, fault in wanted)]
    assert (lost, made_up, set(lines.values())) == ([], [], {1})


@pytest.mark.parametrize(("file", "old", "new", "fault"), FAULTS[::45])
def test_what_stops_the_store_is_on_the_report(copy: Path, file: str, old: str, new: str, fault: str) -> None:
    spoil(copy, file, old=old, new=new)
    with pytest.raises(ContentError) as caught:
        EmbeddedStore(copy)
    lines = report(copy)
    assert lines[0] == " ".join(str(caught.value).split())
    assert any(line.startswith(str(copy / file)) and fault in line for line in lines)


FRONT_MATTER = [
    ("!!bool x", "front matter is not YAML"),
    ("a: !!int x", "front matter is not YAML"),
    ("[" * 5_000, "front matter is not YAML"),
    ("{[1]: 2}", "front matter is not YAML"),
    ("1: a\nb: c", "unknown field 1, b"),
    ("- a", "front matter must hold named values"),
    ("order: .inf", "order must be a number from 0 up, not inf"),
    ("order: .nan", "order must be a number from 0 up, not nan"),
]


def test_front_matter_and_json_of_any_kind_are_a_fault_and_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "home-mover.md"
    for text, fault in FRONT_MATTER:
        path.write_text(f"---\n{text}\n---\n# section_1\n", encoding="utf-8")
        faults: list[ContentError] = []
        try:
            read_service(*read_document(path, {}, found=faults))
        except ContentError as error:
            faults.append(error)
        assert any("home-mover.md" in str(found) and fault in str(found) for found in faults), fault
    for text in ("[" * 100_000, "9" * 5_000, '{"a": NaN', "[]", "\x00"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ContentError) as caught:
            read_json(path, {})
        assert caught.value.source == str(path)


def test_unreadable_files_and_missing_folders_are_each_named(copy: Path) -> None:
    (copy / LTV).write_bytes(b"\xff\xfe---")
    (copy / "guides/folder.md").mkdir()
    assert [("cannot be read" in line) for line in report(copy)] == [True, True]
    for name in (names := ("site.json", "menus.json", "reviews.json")):
        (copy / name).write_text("[" * 100_000, encoding="utf-8")
    lines = [line.partition(": ")[0] for line in report(copy)]
    assert lines == [str(copy / name) for name in (*names, "guides/folder.md", LTV)]
    (copy / "towns").rename(copy / "cities")
    assert f"{copy / 'towns'}: no such folder" in report(copy)


def test_command_prints_a_line_a_fault_and_exits_with_one_if_there_is_any(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(copy, LTV, old="updated: 2026-11-21", new="updated: soon")
    commands = {
        copy: (1, f"{copy / LTV}: updated must be a date such as 2026-11-21, not 'soon'\n"),
        CONTENT: (0, f"{CONTENT}: no faults\n"),
        copy / "none": (1, f"{copy / 'none'}: no such folder\n"),
    }
    for folder, expected in commands.items():
        assert (main([str(folder)]), capsys.readouterr().out) == expected
