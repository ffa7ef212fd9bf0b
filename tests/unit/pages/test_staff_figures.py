import re

from broker import routes
from broker.pages import all_pages
from tests.unit.pages.whole_site import inputs


def test_the_page_of_figures_is_drawn_with_its_charts_and_files() -> None:
    (page,) = (each for each in all_pages(inputs()) if each.route == routes.STAFF_FIGURES)
    drawn = str(page.render().render())
    for words in ("Print for the board", "Excel, all", "Count again", "bd0", "axis"):
        assert words in drawn, words
    # a link of React Router would look for a page of the site instead of loading the file
    assert len(re.findall(r"'\"a\"', 'props': \[[^\]]*download", drawn)) == 3
    assert not re.search(r"'ReactRouterLink', 'props': \[[^\]]*download", drawn)
