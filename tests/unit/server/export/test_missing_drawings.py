from pathlib import Path

import pytest

from broker.server.export.finish import MissingDrawingError, check_drawings


def shown(folder: Path, *names: str) -> dict[str, Path]:
    (folder / "art" / "questionnaire").mkdir(parents=True)
    for name in ("mark.svg", "questionnaire/first-key.svg"):
        (folder / "art" / name).write_text("<svg/>")
    page = folder / "index.html"
    page.write_text("".join(f'<img src="/art/{name}"><p style="background:url(/art/{name})">' for name in names))
    return {"/": page}


def test_files_and_what_the_edge_draws_are_there(tmp_path: Path) -> None:
    drawn = ("card-key-new.svg", "street-luton.svg", "tiles-luton.svg", "door-bridging.svg", "lender-elm-bank.svg")
    check_drawings(tmp_path, shown(tmp_path, "mark.svg", "questionnaire/first-key.svg", *drawn))


@pytest.mark.parametrize("name", ["unknown.svg", "card-key-new.png", "questionnaire/none.svg", "door.svg"])
def test_any_other_stops_the_build_with_its_page(name: str, tmp_path: Path) -> None:
    with pytest.raises(MissingDrawingError, match=f"^/ shows /art/{name}, which is neither a file nor drawn$"):
        check_drawings(tmp_path, shown(tmp_path, name))
