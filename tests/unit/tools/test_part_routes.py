from pathlib import Path

from tools.export import part_routes

HOME = 'function Component() { return jsx("h1",{},"Home") }\nexport default Component;\n'


def test_a_route_only_names_its_page_which_is_written_beside_it_each_time(tmp_path: Path) -> None:
    (tmp_path / "routes").mkdir()
    for title in ("Welcome", "Home"):
        (tmp_path / "routes" / "[about-us]._index.jsx").write_text(HOME.replace("Home", title))
        part_routes(tmp_path)
    assert (tmp_path / "pages" / "[about-us]._index.jsx").read_text() == HOME
    route = (tmp_path / "routes" / "[about-us]._index.jsx").read_text()
    assert route.split() == ["import", "Page", "from", '"../pages/[about-us]._index.jsx"', "export", "default", "Page"]
