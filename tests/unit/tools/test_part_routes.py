"""A route leaves its page to a module beside it."""

from pathlib import Path

from tools.export import part_routes

HOME = 'function Component() { return jsx("h1",{},"Home") }\nexport default Component;\n'


def test_a_route_only_names_its_page_which_is_drawn_beside_it(tmp_path: Path) -> None:
    (tmp_path / "routes").mkdir()
    (tmp_path / "routes" / "[about-us]._index.jsx").write_text(HOME)
    part_routes(tmp_path)
    assert (tmp_path / "pages" / "[about-us]._index.jsx").read_text() == HOME
    route = (tmp_path / "routes" / "[about-us]._index.jsx").read_text()
    assert route.split() == ["import", "Page", "from", '"../pages/[about-us]._index.jsx"', "export", "default", "Page"]


def test_a_page_that_was_drawn_before_is_drawn_anew(tmp_path: Path) -> None:
    (tmp_path / "routes").mkdir()
    for title in ("Home", "Welcome"):
        (tmp_path / "routes" / "_index.jsx").write_text(HOME.replace("Home", title))
        part_routes(tmp_path)
    assert '"Welcome"' in (tmp_path / "pages" / "_index.jsx").read_text()
